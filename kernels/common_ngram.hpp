// How many short n-grams two texts have in common, as chrF counts those of characters.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

inline constexpr int kCommonOrder = 6;

// Common n-grams of order 1 to `order`, at most kCommonOrder, one row per segment: the sum over n-grams of the
// smaller of its two counts. Meant for characters; elements are not negative.
void count_common_ngrams(const Batch& hypothesis, const Batch& reference, int order, int jobs,
                         std::int64_t* rows);

}  // namespace kilter
