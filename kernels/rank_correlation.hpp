// Spearman's rho of two columns whose segments are resampled: ranks change with every resample.
#pragma once

#include <cstdint>

namespace kilter {

// A column in the order of its values: the group of value k, counted from the smallest; equal values
// share one.
struct RankedColumn {
    const std::int32_t* group;
    std::int64_t groups;
};

// Up to here sums of squared ranks stay within 63 bits, whatever is drawn.
constexpr std::int64_t kMostRanked = 2'000'000;

// rho[resample] over values that count as often as their segment is drawn, NaN where a side is constant.
//
// The segments of a resample are those of the bootstrap with the same seed. Sums are whole numbers, so
// that the result is the same for every number of threads. At most kMostRanked values may be drawn in one
// resample.
void resample_spearman(const RankedColumn& first, const RankedColumn& second,
                       const std::int32_t* segment, std::int64_t values, std::int64_t segments,
                       std::uint64_t seed, std::int64_t resamples, int jobs, double* rho);

}  // namespace kilter
