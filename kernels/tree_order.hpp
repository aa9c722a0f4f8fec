// Orders of words that dependency trees and rules make. [FRS]
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// What a rule says of each word: the slot that it takes among the children of its head, whether words of
// that slot stand in reverse, and the slot that it takes itself among its own children.
struct TreeSlots {
    const std::int32_t* child;
    const std::uint8_t* backward;
    const std::int32_t* head;
};

// Writes the words of each tree (zero-based in their tree) in the order of the slots, words of one slot by
// position; a child stands for all that hangs from it. Heads are zero-based, -1 for a root.
void order_trees(const Batch& heads, const TreeSlots& slots, int jobs, std::int32_t* order);

}  // namespace kilter
