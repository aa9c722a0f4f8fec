// Edits of a hypothesis against its reference where shifting a block of words costs one: those of TER.
//
// M. Snover, B. Dorr, R. Schwartz, L. Micciulla, J. Makhoul, A study of translation edit rate with targeted human
// annotation (AMTA 2006), with the search and the limits of sacreBLEU 2, which follows tercom: shifts are found
// greedily, and the table of edits is filled near its diagonal alone.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// The limits of the search.
inline constexpr std::int64_t kMostShiftedWords = 10;
inline constexpr std::int64_t kLongestShift = 50;
inline constexpr std::int64_t kMostShiftsTried = 1000;
inline constexpr std::int64_t kBeamWidth = 25;

// edits[segment]: shifts, insertions, deletions and substitutions. Without a reference word, all words of the hypothesis.
// Both sides have as many segments.
void count_shift_edits(const Batch& hypothesis, const Batch& reference, int jobs, std::int64_t* edits);

// The same by the table of edits alone, without the shortcut by bits that short references allow.
void count_shift_edits_plainly(const Batch& hypothesis, const Batch& reference, std::int64_t* edits);

}  // namespace kilter
