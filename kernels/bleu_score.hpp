// BLEU of many rows of n-gram counts, in the arithmetic of sacreBLEU's compute_bleu.
#pragma once

#include <cstdint>

namespace kilter {

// What becomes of an n-gram order without a match.
enum class BleuSmoothing : std::uint32_t { kExponential = 0, kAddOne = 1, kFloor = 2, kNone = 3 };

struct BleuOptions {
    BleuSmoothing smoothing;
    bool effective;    // leave out orders longer than the text
    bool compensated;  // sum as Python does from 3.12 on: results are to equal those of a program in it
};

// A row holds the lengths of the hypothesis and of the closest reference, `order` counts of matches and
// `order` counts of n-grams. Scores lie between 0 and 1.
void bleu_scores(const double* rows, std::int64_t count, int order, const BleuOptions& options,
                 double* scores);

}  // namespace kilter
