// Word translation probabilities p(target word | source word) of the pairs that occur together.
#pragma once

#include <cstdint>

#include "batch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Sentence s of `source` is a translation of sentence s of `target`. Words are numbered per side.
struct Bitext {
    Batch source;
    Batch target;
    std::int32_t source_words;
    std::int32_t target_words;
};

// Sparse rows as in a CSR matrix. Row 0 belongs to the NULL word and holds every target word, so
// that the entry of (NULL, word) is `word`; row 1 + word belongs to a source word.
struct TableView {
    const std::int64_t* offsets;  // source_words + 2 of them
    const std::int32_t* targets;  // ascending within a row
    const double* probabilities;
    std::int32_t source_words;
    std::int32_t target_words;

    // The entry of a pair, or -1 for a pair that the table does not hold (unknown words are -1).
    std::int64_t find(std::int32_t source, std::int32_t target) const;
};

class LexicalTable {
public:
    // Every pair that occurs together in a sentence pair, and NULL with every target word, each with
    // probability 1 / target_words.
    LexicalTable(const Bitext& bitext, int jobs);

    TableView view() const;
    std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }

    // Replaces the probabilities of each row by its counts, normalised, and clears the counts.
    void normalize(int jobs);

    WorkVector<std::int64_t> offsets;
    WorkVector<std::int32_t> targets;
    WorkVector<double> probabilities;
    WorkVector<double> counts;

private:
    std::int32_t target_words_;
};

}  // namespace kilter
