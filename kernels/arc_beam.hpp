// The same transition parser with a beam: several derivations beside one another, and the best of them in the
// end [Zhang and Clark 2008]; learned with early update [Collins and Roark 2004].
#pragma once

#include <cstdint>
#include <vector>

#include "perceptron.hpp"

namespace kilter {

struct BeamSettings {
    int width;   // derivations that are kept after each move
    int labels;  // labels of an arc that are tried, the best first
};

// A tree and the score of its best derivation: the sum of its moves' scores, less what each of its labels
// scores below the best label of that arc.
struct ScoredTree {
    std::int64_t score;
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> names;
};

// Returns different trees, the best first, `most` at most. The greedy one and that of one label an arc are among
// those to choose from, so that a wider search never ends with a worse tree.
std::vector<ScoredTree> beam_trees(const PerceptronTable& moves, const PerceptronTable& labels,
                                   const WordRows& words, const std::int32_t* tags, BeamSettings settings,
                                   std::size_t most);

// Searches until the true derivation falls out of the beam, and learns that its moves are better than those
// of the best one; then learns the labels of the true arcs.
void learn_beam(LearningTable& moves, LearningTable& labels, const WordRows& words, const std::int32_t* tags,
                const std::int32_t* heads, const std::int32_t* names, int width);

}  // namespace kilter
