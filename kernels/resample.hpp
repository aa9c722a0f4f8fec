// How often resamples draw each segment, and permutation tests by counting: the same for any number of threads.
#pragma once

#include <cstdint>

#include "philox.hpp"

namespace kilter {

// Resamples of a corpus of fewer than 2^31 segments. Stream kIndices draws as many segments as there are, with
// replacement; the other streams choose each segment with probability 1/2.
struct Resamples {
    std::uint64_t seed;
    Stream stream;
    std::int64_t segments;
};

// Consecutive numbers: segments of a corpus, or resamples.
struct Range {
    std::int64_t first;
    std::int64_t size;
};

// Writes counts[(resample - some.first) * block.size + segment - block.first]: how often each of some resamples draws
// each segment of a block. A segment is drawn once on average; std::overflow_error if one is drawn more than 255 times.
void count_draws(const Resamples& resamples, Range block, Range some, int jobs, std::uint8_t* counts);

constexpr int kMostFlips = 30;

// Of the 2^count ways to flip the signs of the differences, those whose sum is at least as far from 0
// as the sum without flips. Differences become multiples of a power of two, so that sums are exact in any order,
// and sums that differ by no more than `count` such units, their rounding, are equally far. count <= kMostFlips.
std::int64_t count_sign_flips(const double* differences, int count);

}  // namespace kilter
