// Reordered sentences against reference orders with tied groups. [FRS]
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// How neighbours across groups are joined: in the one reading of the tied groups that joins most, or
// wherever their groups are neighbours.
enum class TiedSpans { kBest, kLocal };

// A segment of `groups` holds, for each word in system order, the number of its group in the reference;
// numbers rise from 0 without gaps. Two counts a segment: neighbours that are joined, and pairs of words
// in the wrong order. With `ends` the joints at both ends of the sentence are counted, too.
// Where `starts` and `discordant` are given, they receive for each word whether it begins a chunk, and the
// number of wrong pairs it takes part in.
inline constexpr int kReorderingColumns = 2;
void score_reorderings(const Batch& groups, TiedSpans ties, bool ends, int jobs, std::int64_t* counts,
                       std::uint8_t* starts, std::int32_t* discordant);

// Whether the groups of every segment lie between 0 and its number of words, so that they can be scored.
bool are_groups(const Batch& groups);

}  // namespace kilter
