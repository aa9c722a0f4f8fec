#include "resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "threads.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

constexpr int kLargestExponent = 40;
constexpr int kSumBits = 62;

// |value| <= largest < 2^k and segments < 2^bits give a sum below 2^(exponent + k + bits).
int exponent_for(double largest, std::int64_t segments) {
    int k = 0;
    std::frexp(largest, &k);
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(segments)));
    return std::min(kLargestExponent, kSumBits - k - bits);
}

// The scale is a power of two, so that only the rounding changes the value.
std::int64_t fixed(double value, double scale) { return std::llrint(value * scale); }

}  // namespace

FixedStatistics::FixedStatistics(const StatisticsView& statistics)
    : systems_(statistics.systems),
      segments_(statistics.segments),
      columns_(statistics.columns),
      exponents_(static_cast<std::size_t>(statistics.columns)),
      totals_(static_cast<std::size_t>(statistics.systems * statistics.columns), 0),
      digits_(statistics.segments) {
    std::vector<double> largest(static_cast<std::size_t>(columns_), 0.0);
    const double* value = statistics.values;
    for (std::int64_t row = 0; row < systems_ * segments_; ++row) {
        for (double& column : largest) {
            column = std::max(column, std::abs(*value++));
        }
    }
    std::vector<double> scales;
    for (std::size_t column = 0; column < exponents_.size(); ++column) {
        exponents_[column] = exponent_for(largest[column], segments_);
        scales.push_back(std::ldexp(1.0, exponents_[column]));
    }

    std::vector<std::int64_t> found(static_cast<std::size_t>(segments_));
    for (std::int64_t source = 0; source < systems_ * columns_ && segments_ > 0; ++source) {
        const std::int64_t column = source % columns_;
        const double scale = scales[static_cast<std::size_t>(column)];
        const double* from = statistics.values + source / columns_ * segments_ * columns_ + column;
        std::uint64_t bits = 0;
        std::uint64_t changes = 0;
        std::int64_t total = 0;
        for (std::int64_t& here : found) {
            here = fixed(*from, scale);
            from += columns_;
            bits |= static_cast<std::uint64_t>(here);
            changes |= static_cast<std::uint64_t>(here ^ found[0]);
            total += here;
        }
        totals_[static_cast<std::size_t>(source)] = total;
        if (changes == 0) {
            constants_.push_back({source, found[0]});
        } else {
            digits_.add(found, std::countr_zero(bits));
            sources_.push_back(source);
        }
    }
}

template <class Draw>
void FixedStatistics::resample(std::int64_t resamples, int jobs, std::int64_t* sums,
                               Draw draw) const {
    std::vector<std::int64_t> places;
    for (const std::int64_t source : sources_) {
        places.push_back(place(source, resamples));
    }
    const std::vector<std::int64_t> even(static_cast<std::size_t>(resamples) + 1, 0);
    for_each_block(even.data(), resamples, jobs, [&](std::int64_t first, std::int64_t last) {
        Draw own = draw;  // with working space of its own
        DrawCounts counts(segments_);
        std::vector<std::int64_t> found(static_cast<std::size_t>(counts.rows()) * sources_.size());
        for (std::int64_t start = first; start < last; start += counts.rows()) {
            const std::int64_t rows = std::min(counts.rows(), last - start);
            for (std::int64_t row = 0; row < rows; ++row) {
                check_stop();
                const std::int64_t resample = start + row;
                const std::int64_t count = own(static_cast<std::uint32_t>(resample), counts, row);
                for (const Constant& constant : constants_) {
                    sums[place(constant.source, resamples) + resample * columns_] = constant.value * count;
                }
            }
            digits_.sum(counts, rows, found.data());
            const std::int64_t* sum = found.data();
            for (std::int64_t resample = start; resample < start + rows; ++resample) {
                for (const std::int64_t place : places) {
                    sums[place + resample * columns_] = *sum++;
                }
            }
        }
    });
}

void FixedStatistics::bootstrap(std::uint64_t seed, std::int64_t resamples, int jobs,
                                std::int64_t* sums) const {
    std::vector<std::uint32_t> all(static_cast<std::size_t>(segments_));
    resample(resamples, jobs, sums, [this, seed, places = std::move(all)](
                                        std::uint32_t number, DrawCounts& counts, std::int64_t row) mutable {
        draw_indices(seed, number, segments_, segments_, places.data());
        counts.count(row, places.data(), segments_);
        return segments_;
    });
}

void FixedStatistics::subsets(std::uint64_t seed, Stream stream, std::int64_t resamples, int jobs,
                              std::int64_t* sums) const {
    resample(resamples, jobs, sums, [&](std::uint32_t number, DrawCounts& counts, std::int64_t row) {
        return draw_coins(seed, stream, number, segments_, counts.open(row));
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
