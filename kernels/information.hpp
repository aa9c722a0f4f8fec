// What the n-grams of a hypothesis tell, as NIST weighs them: rare continuations tell more.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"

namespace kilter {

inline constexpr int kInformationOrder = 9;
// All words of the references together; nodes and places stay below 2^31.
inline constexpr std::int64_t kMostReferenceWords = std::int64_t{1} << 30;

// Bits of the matching n-grams of order 1 to `order`, one row per segment. An n-gram tells
// log2(count of its first n - 1 words / its count), counted in all references of all segments; a single
// word log2(all words / its count). A match is clipped by the largest count in any one reference.
void sum_information(const Batch& hypothesis, const std::vector<Batch>& references,
                     int order, double* rows);

}  // namespace kilter
