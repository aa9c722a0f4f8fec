// Random numbers that are a function of (seed, stream, resample, attempt, place): Philox4x64-10.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2, 3 (SC 2011).
// Nothing is carried from one number to the next, so any thread can draw any part of them.
#pragma once

#include <array>
#include <cstdint>

namespace kilter {

using Word4 = std::array<std::uint64_t, 4>;

// What the numbers are for; one seed serves all purposes without their sharing a number.
enum class Stream : std::uint32_t { kIndices = 0, kSwaps = 1, kFlips = 2 };

// The generator with the key (seed, 0).
Word4 philox(Word4 counter, std::uint64_t seed);

// Places of one counter.
inline constexpr int kDrawnTogether = 8;

// Fills out[0..count) with places first, first + 1, ... of the numbers 0..segments-1 that a resample draws with
// replacement, all equally likely. `first` is a multiple of kDrawnTogether.
//
// Place p takes 32 bits, half p % 2 (low half first) of word p / 2 % 4 of the counter
// (p / 8, resample, attempt, stream), maps them by multiplication, and draws again with the next
// attempt in the rare case that would favour some numbers (D. Lemire, Fast random integer generation
// in an interval, 2019). segments, first + count < 2^31.
void draw_indices(std::uint64_t seed, std::uint32_t resample, std::int64_t segments, std::int64_t first,
                  std::int64_t count, std::uint32_t* out);

// Writes 1 for each of 0..segments-1 that a fair coin chose and 0 for the others; returns how many it chose.
//
// The coin of place p is bit p % 64 of word p / 64 % 4 of the counter (p / 256, resample, 0, stream).
std::int64_t draw_coins(std::uint64_t seed, Stream stream, std::uint32_t resample, std::int64_t segments,
                        std::uint8_t* out);

}  // namespace kilter
