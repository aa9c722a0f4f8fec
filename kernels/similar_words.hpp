// Pairs of free words that share most of their characters: specification, section 1.8.
#pragma once

#include <cstdint>

#include "free_words.hpp"

namespace kilter {

// What of each word is compared: its letters, and a number that two words must share (equal first letters
// and digits); a negative number for words that are like no other.
struct WordForms {
    const std::int32_t* letters;
    const std::int64_t* offsets;  // by word
    const std::int32_t* heads;    // by word
    std::int64_t words;
};

// The Dice coefficient of the letters of two words, each with the one before and the one after it, the margins
// being a letter of their own. Only pairs above the threshold that share at least so many, or are equal.
WordCells similar_cells(const Batch& first, const Batch& second, const EarlierLinks& links,
                        const WordForms& forms, double threshold, std::int64_t least, int jobs);

}  // namespace kilter
