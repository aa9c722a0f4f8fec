// The smallest set of block moves that sorts a permutation: exchanges of two neighbouring blocks, the
// "transpositions" of genome rearrangement.
#pragma once

#include <cstdint>

#include "batch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Elements [start, middle) and [middle, end) change places.
struct BlockMove {
    std::int32_t start, middle, end;
};

struct BlockMoves {
    PlainVector<std::int32_t> moves;    // three numbers each, in the order in which they are made
    PlainVector<std::int64_t> offsets;  // where each segment's moves begin, counted in moves
    PlainVector<std::int32_t> lower;    // no set is smaller than this; equal to their number if proved
};

// One smallest set for each permutation. Of several it takes the one that moves the fewest elements (of
// the two blocks the smaller is the one that moves), then over the shortest way, then the leftmost.
// `effort` bounds the search of a permutation, counted in moves that are followed up; beyond it, and beyond
// kMostStrips runs of neighbours, moves are found greedily and may be more than necessary.
BlockMoves find_block_moves(const Batch& batch, std::int64_t effort, int jobs);

}  // namespace kilter
