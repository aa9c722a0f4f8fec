// The words of a hypothesis that RIBES finds in a reference, and how many pairs of them rise.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// Matched words, and pairs of them whose reference positions rise strictly.
inline constexpr int kRibesColumns = 2;

// A word that occurs once on both sides is matched. Any other is matched by the shortest n-gram that
// ends (tried first) or starts with it and occurs once on both sides. Two words may be matched with
// the same word of the reference. `positions` gets one entry per hypothesis word, -1 for no match.
void match_ribes(const Batch& hypothesis, const Batch& reference, int jobs,
                 std::int64_t* rows, std::int32_t* positions);

}  // namespace kilter
