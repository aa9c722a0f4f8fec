// Pairs of links: those that keep their order and those that cross.
#pragma once

#include <cstdint>

#include "link_rule.hpp"

namespace kilter {

// Rows of two counts per segment, concordant and discordant. Compared are the links themselves, or,
// with `sequences`, the two lists of [TH], Algorithm 1: first positions in their own order, and in the
// order of the second positions. Pairs that are equal on either side count as neither.
void count_link_pairs(const LinkRows& links, bool sequences, int jobs, std::int64_t* counts);

}  // namespace kilter
