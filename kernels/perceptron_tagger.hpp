// A tagger that goes from left to right and looks at its last two tags.
#pragma once

#include <cstdint>

#include "perceptron.hpp"

namespace kilter {

void tag_words(const PerceptronTable& table, const WordRows& words, std::int32_t* tags);

// Tags a sentence and learns from every mistake; the tags that follow see what was guessed.
void learn_tags(LearningTable& table, const WordRows& words, const std::int32_t* gold);

}  // namespace kilter
