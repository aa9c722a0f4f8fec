// N-gram matches between a hypothesis and its references, clipped as BLEU does.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"

namespace kilter {

inline constexpr int kNgramOrder = 4;
// Hypothesis length, closest reference length, matches of order 1 to 4, n-grams of order 1 to 4.
inline constexpr int kNgramColumns = 2 + 2 * kNgramOrder;

// One row per segment. A match of an n-gram is clipped by its largest count in any one reference. Of
// two reference lengths equally close to the hypothesis the shorter one counts.
void count_ngrams(const Batch& hypothesis, const std::vector<Batch>& references, int jobs,
                  std::int64_t* rows);

}  // namespace kilter
