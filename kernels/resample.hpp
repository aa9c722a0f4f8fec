// Sums of statistics over resampled segments: exact, and the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "philox.hpp"
#include "small_sums.hpp"

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

    // totals[system * columns + column]: the sums over all segments, once each.
    void totals(std::int64_t* totals) const;

    // sums[(system * resamples + resample) * columns + column] over segments drawn with replacement.
    void bootstrap(std::uint64_t seed, std::int64_t resamples, int jobs, std::int64_t* sums) const;

    // The same layout, over the segments that a fair coin of `stream` chooses in each resample.
    void subsets(std::uint64_t seed, Stream stream, std::int64_t resamples, int jobs,
                 std::int64_t* sums) const;

private:
    // Rows that start with a cache line touch as few of them as they can.
    class Rows {
    public:
        void resize(std::size_t size) { lines_.resize((size + kPerLine - 1) / kPerLine); }
        std::int64_t* data() { return lines_.data()->values; }
        const std::int64_t* data() const { return lines_.data()->values; }

    private:
        static constexpr std::size_t kPerLine = 64 / sizeof(std::int64_t);
        struct alignas(64) Line {
            std::int64_t values[kPerLine];
        };
        std::vector<Line> lines_;
    };
    // Up to 128 bytes of columns, row by row, so that one row is a few vectors and the whole tile stays
    // in a core's cache.
    struct Tile {
        int width;
        std::vector<std::int64_t> sources;  // system * columns + column of each filled place
        Rows rows;                          // segments x width
    };
    struct Column {
        std::int64_t source;
        std::vector<std::int64_t> values;
    };
    // Where the sums of a small column go, and how many zero bits at their end are left out.
    struct SmallColumn {
        std::int64_t source;
        int shift;
    };
    // A column with one value throughout needs no gathering; segment counts are like that.
    struct Constant {
        std::int64_t source;
        std::int64_t value;
    };

    // The segments that resamples first to last draw, and where sums go.
    struct Batch {
        const std::uint32_t* places;  // [(resample - first) * segments + k]
        const std::int64_t* counts;   // of places by resample
        std::int64_t first;
        std::int64_t last;
        std::int64_t resamples;
        std::int64_t* sums;
    };

    void add_tiles(const std::vector<Column>& columns);
    template <class Draw>
    void resample(std::int64_t resamples, int jobs, std::int64_t* sums, Draw draw) const;
    void sum_batch(const Batch& batch, DrawCounts& drawn) const;
    void sum_small(const Batch& batch, DrawCounts& drawn) const;
    std::int64_t& target(const Batch& batch, std::int64_t source, std::int64_t resample) const;

    std::int64_t systems_;
    std::int64_t segments_;
    std::int64_t columns_;
    std::vector<std::int32_t> exponents_;
    SmallColumns small_;
    std::vector<SmallColumn> small_columns_;
    std::vector<Tile> tiles_;
    std::vector<Constant> constants_;
};

constexpr int kMostFlips = 30;

// Of the 2^count ways to flip the signs of the differences, those whose sum is at least as far from 0
// as the sum without flips. Differences become multiples of a power of two as above, and sums that
// differ by no more than `count` such units, their rounding, are equally far. count <= kMostFlips.
std::int64_t count_sign_flips(const double* differences, int count);

}  // namespace kilter
