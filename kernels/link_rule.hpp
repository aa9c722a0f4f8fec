// Links to permutations: source words sorted by where their links point.
#pragma once

#include <cstdint>

namespace kilter {

// Pairs (first, second) one after another; a segment's are distinct and sorted.
struct LinkRows {
    const std::int32_t* pairs;
    const std::int64_t* offsets;  // segments + 1 of them, starting at 0
    std::int64_t segments;
};

// What a linked word is sorted by: its first target position, the mean of its target positions, or
// the block of overlapping target spans it belongs to.
enum class LinkKey : std::int32_t { kFirst, kMean, kSpan };

// What a word without link takes its place from. `kSpan` keys tie it with that neighbour (lader);
// otherwise it stands beside it.
enum class NullWord : std::int32_t { kPrevious, kNext, kDrop };

struct LinkRule {
    LinkKey key;
    NullWord null_word;
    bool grouped;  // equal keys form one group; otherwise they keep source order
};

// The first link whose words lie outside sentences of `first_lengths` and, unless null,
// `second_lengths`; -1 if there is none.
std::int64_t find_outside(const LinkRows& links, const std::int64_t* first_lengths,
                          const std::int64_t* second_lengths);

// Sorts `count` pairs, each of the segment `owners` names, by segment, first and second, and removes
// duplicates: writes pairs and segments + 1 offsets, and returns how many pairs are left. Positions
// are not negative.
std::int64_t collect_links(const std::int64_t* owners, const std::int32_t* pairs, std::int64_t count,
                           std::int64_t segments, std::int32_t* collected, std::int64_t* offsets);

// Rows of two counts per segment: distinct first words and distinct second words.
void count_linked_words(const LinkRows& links, int jobs, std::int64_t* counts);

// For the kept words of every segment, which begin at `offsets`: `order`, source positions in target
// order; `group`, the number of the group at each place of the order; `ranks`, the place of each kept
// word, walking the source. All kept, `offsets` add up `lengths`; with kDrop they count linked words.
void reorder(const LinkRows& links, const std::int64_t* lengths, const LinkRule& rule, int jobs,
             const std::int64_t* offsets, std::int32_t* order, std::int32_t* group,
             std::int32_t* ranks);

}  // namespace kilter
