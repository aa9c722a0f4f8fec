// Pairs of free words that stand for one another in many sentence pairs: specification, section 1.9.
#pragma once

#include <cstdint>

#include "free_words.hpp"

namespace kilter {

struct LearnedOptions {
    int iterations = 3;
    double neighbour = 5.0;   // how many times as likely a pair is beside each link of its neighbours
    double distance = 5.0;    // how fast likelihood falls with the distance of relative positions
    double alone = 0.1;       // the weight of standing for no word
    double threshold = 0.15;  // least strength of a pair in its place
    double evidence = 1.0;    // least number of times that two words are taken to have stood for one another
    int jobs = 1;
};

// Segments with more pairs of free words than this neither teach nor are linked.
inline constexpr std::int64_t kMaxLearnedPairs = std::int64_t{1} << 16;

// Words are numbers below `words`. The strength of a pair is its association, times `neighbour` for each
// link of its neighbours. Two words have an association if they were free together in segments that differ
// on both sides. The result depends neither on the order of the segments nor on jobs, and is turned round
// where the sides are.
WordCells learned_cells(const Batch& first, const Batch& second, const EarlierLinks& links,
                        std::int64_t words, const LearnedOptions& options);

}  // namespace kilter
