// Tree edit distance of long sentences: Zhang and Shasha's recurrence in little memory.
#pragma once

#include <cstdint>

#include "edit_cost.hpp"
#include "postorder.hpp"

namespace kilter {

// Writes a row of distances of two trees in the postorder of the same side. For n and m words it takes
// 16 n m bytes: 400 MB for 5,000 words. Pairs of kNarrowWords words or more take 8 bytes instead of 16, and one
// cost model after another.
void side_distances(const Postorder& first, const Postorder& second, const SegmentLinks& links, std::int64_t* row);

}  // namespace kilter
