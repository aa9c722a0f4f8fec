// How like its likest counterpart each reference word is, by characters.
#pragma once

#include <cstdint>

#include "batch.hpp"

namespace kilter {

// The likeness of two words: what their 2-grams and 3-grams of characters have in common, as bags, over the
// geometric mean of their numbers; a mark stands before and behind each word. 1 for equal words, 0 for words
// without a common n-gram.
//
// `words` holds the characters of each word by number, at most 0x10ffff each. Writes the greatest likeness of each
// reference word with a word of the hypothesis of its segment; 0 where the hypothesis is empty.
void word_likeness(const Batch& hypothesis, const Batch& reference, const Batch& words,
                   int jobs, double* likeness);

}  // namespace kilter
