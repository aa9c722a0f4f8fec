// Sums of statistics over resampled segments: exact, and the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <optional>
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

// How chance is drawn: resamples are numbered, and threads share them.
struct Resamples {
    std::uint64_t seed;
    std::int64_t count;
    int jobs;
};

// Consecutive segments of a corpus with their statistics as whole multiples of 2^-exponent, so that sums are exact
// in any order. Columns are added one after another: all of a system, then those of the next.
class FixedBlock {
public:
    // Segments first, first + 1, ..., first + size - 1 of `segments`, with so many columns of every system.
    FixedBlock(std::int64_t segments, std::int64_t first, std::int64_t size, std::int64_t columns);

    // Appends the column values[0], values[step], ..., each rounded to the nearest multiple, halves to even. Returns
    // its sum.
    std::int64_t add(const double* values, std::int64_t step, int exponent);
    std::int64_t size() const { return size_; }
    std::int64_t sources() const { return sources_; }

    // Adds to sums[(system * resamples + resample) * columns + column] the sums over those of these segments that a
    // resample of the corpus draws with replacement.
    void bootstrap(const Resamples& resamples, std::int64_t* sums) const;
    // The same over the segments that a fair coin of `stream` chooses, of a block that is the corpus.
    void subsets(const Resamples& resamples, Stream stream, std::int64_t* sums) const;

private:
    // A column with one value throughout needs no product; segment counts are like that.
    struct Constant {
        std::int64_t source;
        std::int64_t value;
    };

    template <class Draw>
    void resample(const Resamples& resamples, std::int64_t* sums, Draw draw) const;
    // Of a column by its source, system * columns + column: where its sum in resample 0 goes.
    std::int64_t place(std::int64_t source, std::int64_t resamples) const {
        return source / columns_ * resamples * columns_ + source % columns_;
    }

    std::int64_t segments_;
    std::int64_t first_;
    std::int64_t size_;
    std::int64_t columns_;
    std::int64_t sources_ = 0;
    DigitColumns digits_;
    std::vector<std::int64_t> varied_;  // the sources of digits_' columns
    std::vector<Constant> constants_;
};

// Statistics of a corpus in memory: one block.
//
// A column has one exponent for all systems: the largest, at most 40, with which no sum of
// `segments` values can pass 2^62.
class FixedStatistics {
public:
    explicit FixedStatistics(const StatisticsView& statistics);

    const std::vector<std::int32_t>& exponents() const { return exponents_; }

    // The sums over all segments, once each, by system * columns + column.
    const std::vector<std::int64_t>& totals() const { return totals_; }

    // sums[(system * resamples + resample) * columns + column] over segments drawn with replacement.
    void bootstrap(const Resamples& resamples, std::int64_t* sums) const;

    // The same layout, over the segments that a fair coin of `stream` chooses in each resample.
    void subsets(const Resamples& resamples, Stream stream, std::int64_t* sums) const;

private:
    std::vector<std::int32_t> exponents_;
    std::vector<std::int64_t> totals_;
    FixedBlock block_;
};

// What FixedStatistics::bootstrap gives of a corpus that comes block by block, of which no more than a block is held.
class ResampledBlocks {
public:
    // No value of a column is farther from 0 than `largest` says.
    ResampledBlocks(std::int64_t segments, std::int64_t systems, const std::vector<double>& largest,
                    const Resamples& resamples);

    // Appends a column to the block of the segments that come next, all of a system before those of another.
    void add(const double* values, std::int64_t size);
    // Ends the block: all columns of all systems have been added.
    void draw();

    std::int64_t left() const { return segments_ - first_; }  // segments that are in no block yet
    std::int64_t columns() const { return static_cast<std::int64_t>(exponents_.size()); }
    std::int64_t sources() const { return static_cast<std::int64_t>(totals_.size()); }
    // The block that has not ended.
    const std::optional<FixedBlock>& block() const { return block_; }

    // As those of FixedStatistics, over the blocks that have ended; totals have columns that were added since, too.
    const std::vector<std::int64_t>& sums() const { return sums_; }
    const std::vector<std::int64_t>& totals() const { return totals_; }
    const std::vector<std::int32_t>& exponents() const { return exponents_; }

private:
    std::int64_t segments_;
    Resamples resamples_;
    std::vector<std::int32_t> exponents_;
    std::vector<std::int64_t> sums_;
    std::vector<std::int64_t> totals_;
    std::int64_t first_ = 0;
    std::optional<FixedBlock> block_;
};

constexpr int kMostFlips = 30;

// Of the 2^count ways to flip the signs of the differences, those whose sum is at least as far from 0
// as the sum without flips. Differences become multiples of a power of two as above, and sums that
// differ by no more than `count` such units, their rounding, are equally far. count <= kMostFlips.
std::int64_t count_sign_flips(const double* differences, int count);

}  // namespace kilter
