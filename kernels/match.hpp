// One-to-one links between the words of sentence pairs, stage by stage: specification, section 1.7.
#pragma once

#include <cstdint>

#include "batch.hpp"
#include "match_candidates.hpp"
#include "match_component.hpp"
#include "work_vector.hpp"

namespace kilter {

// Links that earlier stages made.
struct EarlierLinks {
    const std::int32_t* links;    // pairs (first, second)
    const std::int64_t* offsets;  // where each segment's begin
};

// Links of every segment: pairs (first, second), sorted, and where each segment's begin.
struct MatchLinks {
    PlainVector<std::int32_t> links;
    PlainVector<std::int64_t> offsets;
    PlainVector<std::uint8_t> bounded;  // by segment: the search bound was hit
};

struct MatchOptions {
    MatchRule rule = MatchRule::kChunks;
    // Steps of the search in one segment: choices tried by enumeration, cells read by branch and bound.
    std::int64_t bound = 0;
    // Choices tried one by one in a component before branch and bound takes over; the links are the same.
    std::int64_t trials = 0;
    int jobs = 1;
};

// Segments with more pairs of words than this in one stage are not searched, only matched greedily.
inline constexpr std::int64_t kMaxMatchPairs = std::int64_t{1} << 16;

// Adds links between words that are free and match. Of all link sets with the most links, the one with the
// fewest chunks (or crossings), counted over all links, then the least sum of distances, then the smallest
// sorted list.
MatchLinks match_batch(const Batch& first, const Batch& second, const EarlierLinks& earlier,
                       const MatchKeys& keys, const MatchOptions& options);

}  // namespace kilter
