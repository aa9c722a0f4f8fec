// A transition parser that always ends in a projective tree with one root [Kuhlmann et al. 2011], and the
// oracle that tells it what each mistake costs [Goldberg and Nivre 2013].
#pragma once

#include <cstdint>
#include <vector>

#include "perceptron.hpp"

namespace kilter {

// Heads are zero-based, -1 for the root. Tags and labels are numbers of classes.
void parse_words(const PerceptronTable& moves, const PerceptronTable& labels, const WordRows& words,
                 const std::int32_t* tags, std::int32_t* heads, std::int32_t* names);

// Parses a sentence and learns from every mistake. With `explore` it goes on from where its guesses lead.
void learn_tree(LearningTable& moves, LearningTable& labels, const WordRows& words,
                const std::int32_t* tags, const std::int32_t* heads, const std::int32_t* names,
                bool explore);

}  // namespace kilter
