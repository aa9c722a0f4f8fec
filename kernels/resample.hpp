// Sums of statistics over resampled segments: exact, and the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "digit_sums.hpp"
#include "philox.hpp"

namespace kilter {

// Statistics of several systems on the same segments: values[(system * segments + segment) * columns
// + column], finite. Fewer than 2^31 segments.
struct StatisticsView {
    const double* values;
    std::int64_t systems;
    std::int64_t segments;
    std::int64_t columns;
};

// Statistics as whole multiples of 2^-exponent[column], so that sums are exact in any order.
//
// A column has one exponent for all systems: the largest, at most 40, with which no sum of
// `segments` values can pass 2^62. Values are rounded to the nearest multiple, halves to even.
class FixedStatistics {
public:
    explicit FixedStatistics(const StatisticsView& statistics);

    const std::vector<std::int32_t>& exponents() const { return exponents_; }

    // The sums over all segments, once each, by system * columns + column.
    const std::vector<std::int64_t>& totals() const { return totals_; }

    // sums[(system * resamples + resample) * columns + column] over segments drawn with replacement.
    void bootstrap(std::uint64_t seed, std::int64_t resamples, int jobs, std::int64_t* sums) const;

    // The same layout, over the segments that a fair coin of `stream` chooses in each resample.
    void subsets(std::uint64_t seed, Stream stream, std::int64_t resamples, int jobs,
                 std::int64_t* sums) const;

private:
    // A column with one value throughout needs no product; segment counts are like that.
    struct Constant {
        std::int64_t source;
        std::int64_t value;
    };

    template <class Draw>
    void resample(std::int64_t resamples, int jobs, std::int64_t* sums, Draw draw) const;
    // Of a column by its source, system * columns + column: where its sum in resample 0 goes.
    std::int64_t place(std::int64_t source, std::int64_t resamples) const {
        return source / columns_ * resamples * columns_ + source % columns_;
    }

    std::int64_t systems_;
    std::int64_t segments_;
    std::int64_t columns_;
    std::vector<std::int32_t> exponents_;
    std::vector<std::int64_t> totals_;
    DigitColumns digits_;
    std::vector<std::int64_t> sources_;  // of digits_' columns
    std::vector<Constant> constants_;
};

constexpr int kMostFlips = 30;

// Of the 2^count ways to flip the signs of the differences, those whose sum is at least as far from 0
// as the sum without flips. Differences become multiples of a power of two as above, and sums that
// differ by no more than `count` such units, their rounding, are equally far. count <= kMostFlips.
std::int64_t count_sign_flips(const double* differences, int count);

}  // namespace kilter
