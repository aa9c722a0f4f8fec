#include "resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "multiversion.hpp"
#include "threads.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Segments that are drawn at a time, so that they stay in the cache until they are counted.
constexpr std::int64_t kDrawn = std::int64_t{1} << 13;
static_assert(kDrawn % kDrawnTogether == 0);

// Moves the indices that lie in a block to the front, counted from its first segment; returns how many.
KILTER_MULTIVERSION std::int64_t keep_inside(std::uint32_t* indices, std::int64_t count, Range block) {
    const auto first = static_cast<std::uint32_t>(block.first);
    const auto size = static_cast<std::uint32_t>(block.size);
    std::int64_t kept = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::uint32_t index = indices[k] - first;
        indices[kept] = index;
        kept += index < size;
    }
    return kept;
}

// Returns whether some count has passed 255 and begun at 0 again.
KILTER_MULTIVERSION bool count_indices(const std::uint32_t* indices, std::int64_t count, std::uint8_t* counts) {
    bool passed = false;
    for (std::int64_t k = 0; k < count; ++k) {
        passed |= ++counts[indices[k]] == 0;
    }
    return passed;
}

// Counts the draws of resamples, one after another; every thread has its own.
class Counter {
public:
    Counter(const Resamples& resamples, Range block) : resamples_(resamples), block_(block) {
        if (resamples.stream == Stream::kIndices) {
            indices_.resize(static_cast<std::size_t>(std::min(kDrawn, resamples.segments)));
        } else {
            coins_.resize(static_cast<std::size_t>(resamples.segments));
        }
    }

    void count(std::uint32_t resample, std::uint8_t* counts) {
        if (resamples_.stream == Stream::kIndices) {
            count_drawn(resample, counts);
        } else {
            check_stop();
            draw_coins(resamples_.seed, resamples_.stream, resample, resamples_.segments, coins_.data());
            std::copy_n(coins_.begin() + block_.first, block_.size, counts);
        }
    }

private:
    void count_drawn(std::uint32_t resample, std::uint8_t* counts) {
        std::fill_n(counts, block_.size, std::uint8_t{0});
        for (std::int64_t start = 0; start < resamples_.segments; start += kDrawn) {
            check_stop();
            std::int64_t count = std::min(kDrawn, resamples_.segments - start);
            draw_indices(resamples_.seed, resample, resamples_.segments, start, count, indices_.data());
            if (block_.size < resamples_.segments) {
                count = keep_inside(indices_.data(), count, block_);
            }
            if (count_indices(indices_.data(), count, counts)) {
                throw std::overflow_error("a resample draws a segment more than 255 times");
            }
        }
    }

    Resamples resamples_;
    Range block_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint8_t> coins_;
};

// The scale is a power of two, so that only the rounding changes the value.
std::int64_t fixed(double value, double scale) { return std::llrint(value * scale); }

// |value| <= largest < 2^k and count < 2^bits give a sum below 2^(exponent + k + bits).
int exponent_for(double largest, int count) {
    constexpr int kLargestExponent = 40;
    constexpr int kSumBits = 62;
    int k = 0;
    std::frexp(largest, &k);
    return std::min(kLargestExponent, kSumBits - k - static_cast<int>(std::bit_width(static_cast<unsigned>(count))));
}

}  // namespace

void count_draws(const Resamples& resamples, Range block, Range some, int jobs, std::uint8_t* counts) {
    const std::vector<std::int64_t> even(static_cast<std::size_t>(some.size) + 1, 0);
    for_each_block(even.data(), some.size, jobs, [&](std::int64_t first, std::int64_t last) {
        Counter counter(resamples, block);
        for (std::int64_t k = first; k < last; ++k) {
            counter.count(static_cast<std::uint32_t>(some.first + k), counts + k * block.size);
        }
    });
}

std::int64_t count_sign_flips(const double* differences, int count) {
    double largest = 0.0;
    for (int k = 0; k < count; ++k) {
        largest = std::max(largest, std::abs(differences[k]));
    }
    const double scale = std::ldexp(1.0, exponent_for(largest, count));
    std::array<std::int64_t, kMostFlips> steps{};
    std::int64_t sum = 0;
    for (int k = 0; k < count; ++k) {
        const std::int64_t difference = fixed(differences[k], scale);
        sum += difference;
        steps[static_cast<std::size_t>(k)] = -2 * difference;
    }
    const std::int64_t bound = std::abs(sum) - count;
    std::int64_t far = 0;
    // Gray code: every way differs from the one before by one sign.
    for (std::uint64_t way = 1;; ++way) {
        far += std::abs(sum) >= bound;
        if ((way & 0xfffff) == 0) {
            check_stop();
        }
        if (way == std::uint64_t{1} << count) {
            return far;
        }
        std::int64_t& step = steps[static_cast<std::size_t>(std::countr_zero(way))];
        sum += step;
        step = -step;
    }
}

}  // namespace kilter
