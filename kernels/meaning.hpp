// What word vectors say about pairs of sentences: best cosines of words, and the order of soft links.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kilter {

struct MeaningOptions {
    double context;      // weight of the neighbours' cosines in the similarity of two words
    double position;     // weight of the distance of their relative places
    double temperature;  // what a similarity is divided by before exp: the smaller, the sharper the links
    double floor;        // the similarity around which links fade
};

// Vectors of the words of sentences, in rows of so many columns; sentence s has rows offsets[s] to
// offsets[s + 1].
struct SentenceVectors {
    const float* values;
    std::size_t columns;
    const std::int64_t* offsets;
    std::int64_t sentences;

    std::int64_t length(std::int64_t sentence) const { return offsets[sentence + 1] - offsets[sentence]; }
    const float* rows(std::int64_t sentence) const {
        return values + static_cast<std::size_t>(offsets[sentence]) * columns;
    }
};

// Pairs of sentences; the words of pair p have rows first_rows[p] and second_rows[p] of the results.
struct SentencePairs {
    const std::int64_t* firsts;
    const std::int64_t* seconds;
    const std::int64_t* first_rows;
    const std::int64_t* second_rows;
    std::int64_t count;
};

// Columns of a first word: its best cosine, and its links' mass, concordant and discordant pairs.
enum FirstColumn : std::size_t { kPrecision, kFirstLinked, kFirstConcordant, kFirstDiscordant, kFirstColumns };
// Columns of a second word: its best cosine, that of the bigram it begins (0, if it is the last), its links' mass.
enum SecondColumn : std::size_t { kRecall, kBigram, kSecondLinked, kSecondColumns };
// Columns of a pair.
enum TotalColumn : std::size_t { kConcordant, kDiscordant, kLinked, kSquared, kTotalColumns };

// The most cells of a table of words by words; a cell takes 20 bytes.
inline constexpr std::int64_t kMostMeaningCells = std::int64_t{1} << 27;

// Fills a row for each first word, each second word and each pair.
//
// c is the cosine of two words, s = c - position |i / n - j / m| + context / 2 (c[i - 1][j - 1] +
// c[i + 1][j + 1]), e = exp((s - 1) / temperature), and the mass of a soft link
// q = e^2 / ((sum of e in its row + e0) (sum of e in its column + e0)), with e0 = exp((floor - 1) / temperature).
// Two links i < k, j < l are concordant, i < k, j > l discordant; each pair counts q times q.
// Sums go in the order of words: what is computed for a pair depends on its vectors alone.
void meanings(const SentenceVectors& vectors, const SentencePairs& pairs, const MeaningOptions& options, int jobs,
              float* first_words, float* second_words, double* totals);

}  // namespace kilter
