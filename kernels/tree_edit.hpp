// Ordered tree edit distance between dependency trees, all cost models of DTED at once. [TH] chapter 4
//
// Zhang and Shasha's recurrence, from the left or from the right, whichever has fewer subproblems. Costs are
// pairs (aligned, unaligned) that are compared lexicographically, packed into one integer.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "dependency_tree.hpp"
#include "link_rule.hpp"

namespace kilter {

// What a rename, deletion or insertion costs: 1 always (b), 0 between linked words (c), or a pair of
// operations on aligned and on other words, where a mismatch of two linked words is one operation or
// counts both words.
enum class EditModel : std::int32_t { kBasic, kLinked, kOperation, kNode };

// A row has the distances of b and c, then aligned and unaligned operations of kOperation and of kNode.
// A row of -1 says that the pair is beyond kMostEditCells or kMostTreeSteps.
inline constexpr int kEditColumns = 6;

// Pairs of words. Tables that have an entry for each take a gigabyte at most.
inline constexpr std::int64_t kMostEditCells = std::int64_t{1} << 27;
// Subproblems of flattened sentences, or of a mapping: minutes, where sentences take microseconds.
inline constexpr std::int64_t kMostEditSteps = 100'000'000'000;
// Steps of one pair of trees: some ten minutes. Only deep trees that branch left and right in turns have as many:
// those of 2,200 words.
inline constexpr std::int64_t kMostTreeSteps = 400'000'000'000;

// `only_long` takes the kernel of long trees for all, for tests.
void edit_distances(const TreeRows& first, const TreeRows& second, const TreePairs& pairs, const LinkRows& links,
                    int jobs, std::int64_t* rows, bool only_long = false);

// The same of flattened sentences, which are known by their lengths, one of each side per segment.
void flat_edit_distances(const std::int64_t* first_lengths, const std::int64_t* second_lengths, const LinkRows& links,
                         int jobs, std::int64_t* rows);

// Words that one optimal mapping joins, by first word; all others are deleted or inserted. Taken from the
// end of the postorder: two words are joined if some optimal mapping of what is left does so, else the
// first is deleted if some does so, else the second is inserted.
std::vector<std::pair<std::int32_t, std::int32_t>> edit_mapping(const std::int32_t* first, std::int32_t first_size,
                                                                const std::int32_t* second, std::int32_t second_size,
                                                                const LinkRows& links, EditModel model);

// Entries of edit_mapping's tables, of which there are two and a flag each.
inline constexpr std::int64_t kMostMappingCells = std::int64_t{1} << 26;

// Whether edit_mapping can hold its tables, and has no more than kMostEditSteps to go, from left to right or from
// right to left: it knows no other paths.
bool mapping_fits(const std::int32_t* first, std::int64_t first_size, const std::int32_t* second,
                  std::int64_t second_size);

}  // namespace kilter
