// A part of a sentence pair whose links have to be chosen together.
#pragma once

#include <cstdint>

#include "work_vector.hpp"

namespace kilter {

enum class MatchRule { kChunks, kCrossings };

// Rows and columns are numbered in the order of their words. Costs are kept doubled, so that a bound may
// split an adjacency between its two links: a link costs twice its distance, less 2 * unit for each link
// of earlier stages or other parts that it is adjacent to (or plus 2 * unit for each that it crosses);
// two adjacent links of the component save 2 * unit, two that cross cost 2 * unit. unit is larger than
// any sum of distances, so the least cost is the fewest chunks (or crossings), then the least distance.
struct MatchComponent {
    struct Pair {
        std::int32_t row;
        std::int32_t col;
        std::int32_t before;  // the pair of the previous words, or -1
        std::int32_t after;   // the pair of the next words, or -1
        std::int64_t cost;
    };
    struct Group {
        std::int32_t rows;
        std::int32_t cols;
        bool complete;
    };

    MatchRule rule = MatchRule::kChunks;
    std::int64_t unit = 1;
    std::int32_t cols = 0;
    PlainVector<Pair> pairs;               // by row, then column
    PlainVector<std::int32_t> first_pair;  // of each row, and the end
    PlainVector<std::int32_t> row_group;
    PlainVector<Group> groups;

    std::int32_t rows() const { return static_cast<std::int32_t>(row_group.size()); }
    const Pair& at(std::int32_t pair) const { return pairs[pair]; }
    std::int32_t begin(std::int32_t row) const { return first_pair[row]; }
    std::int32_t end(std::int32_t row) const {
        return first_pair[static_cast<std::size_t>(row) + 1];
    }
};

// The chosen pair of each row, or -1.
using MatchChoice = PlainVector<std::int32_t>;

}  // namespace kilter
