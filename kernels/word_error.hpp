// Errors of a hypothesis against its reference: by edits, by bags of words, by edits with long jumps.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// Edits (Levenshtein), errors of position-independent words, and edits where a jump to any place of the
// hypothesis costs one.
inline constexpr int kWordErrorColumns = 3;

// One row per segment; both sides have as many segments.
void count_word_errors(const Batch& hypothesis, const Batch& reference, int jobs,
                       std::int64_t* rows);

}  // namespace kilter
