#include "resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "multiversion.hpp"
#include "threads.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

constexpr int kLargestExponent = 40;
constexpr int kSumBits = 62;
// Segments that are drawn at a time, so that they stay in the cache until they are counted.
constexpr std::int64_t kDrawn = std::int64_t{1} << 13;
static_assert(kDrawn % kDrawnTogether == 0);

// |value| <= largest < 2^k and segments < 2^bits give a sum below 2^(exponent + k + bits).
int exponent_for(double largest, std::int64_t segments) {
    int k = 0;
    std::frexp(largest, &k);
    const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(segments)));
    return std::min(kLargestExponent, kSumBits - k - bits);
}

// The scale is a power of two, so that only the rounding changes the value.
std::int64_t fixed(double value, double scale) { return std::llrint(value * scale); }

std::vector<std::int32_t> exponents_for(const std::vector<double>& largest, std::int64_t segments) {
    std::vector<std::int32_t> exponents;
    for (const double each : largest) {
        exponents.push_back(exponent_for(each, segments));
    }
    return exponents;
}

std::vector<double> largest_of(const StatisticsView& statistics) {
    std::vector<double> largest(static_cast<std::size_t>(statistics.columns), 0.0);
    const double* value = statistics.values;
    for (std::int64_t row = 0; row < statistics.systems * statistics.segments; ++row) {
        for (double& column : largest) {
            column = std::max(column, std::abs(*value++));
        }
    }
    return largest;
}

// Moves those of the places that lie in a block to the front, counted from its first segment; returns how many.
KILTER_MULTIVERSION std::int64_t keep_inside(std::uint32_t* places, std::int64_t count, std::uint32_t first,
                                             std::uint32_t size) {
    std::int64_t kept = 0;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::uint32_t place = places[k] - first;
        places[kept] = place;
        kept += place < size;
    }
    return kept;
}

}  // namespace

FixedBlock::FixedBlock(std::int64_t segments, std::int64_t first, std::int64_t size, std::int64_t columns)
    : segments_(segments), first_(first), size_(size), columns_(columns), digits_(size) {}

std::int64_t FixedBlock::add(const double* values, std::int64_t step, int exponent) {
    const std::int64_t source = sources_++;
    if (size_ == 0) {
        return 0;
    }
    const double scale = std::ldexp(1.0, exponent);
    std::vector<std::int64_t> found(static_cast<std::size_t>(size_));
    std::uint64_t bits = 0;
    std::uint64_t changes = 0;
    std::int64_t total = 0;
    for (std::int64_t& here : found) {
        here = fixed(*values, scale);
        values += step;
        bits |= static_cast<std::uint64_t>(here);
        changes |= static_cast<std::uint64_t>(here ^ found[0]);
        total += here;
    }
    if (changes == 0) {
        constants_.push_back({source, found[0]});
    } else {
        digits_.add(found, std::countr_zero(bits));
        varied_.push_back(source);
    }
    return total;
}

template <class Draw>
void FixedBlock::resample(const Resamples& resamples, std::int64_t* sums, Draw draw) const {
    std::vector<std::int64_t> places;
    for (const std::int64_t source : varied_) {
        places.push_back(place(source, resamples.count));
    }
    const std::vector<std::int64_t> even(static_cast<std::size_t>(resamples.count) + 1, 0);
    for_each_block(even.data(), resamples.count, resamples.jobs, [&](std::int64_t first, std::int64_t last) {
        Draw own = draw;  // with working space of its own
        DrawCounts counts(size_);
        std::vector<std::int64_t> found(static_cast<std::size_t>(counts.rows()) * varied_.size());
        for (std::int64_t start = first; start < last; start += counts.rows()) {
            const std::int64_t rows = std::min(counts.rows(), last - start);
            for (std::int64_t row = 0; row < rows; ++row) {
                const std::int64_t resample = start + row;
                const std::int64_t count = own(static_cast<std::uint32_t>(resample), counts, row);
                for (const Constant& constant : constants_) {
                    sums[place(constant.source, resamples.count) + resample * columns_] += constant.value * count;
                }
            }
            digits_.sum(counts, rows, found.data());
            const std::int64_t* sum = found.data();
            for (std::int64_t resample = start; resample < start + rows; ++resample) {
                for (const std::int64_t place : places) {
                    sums[place + resample * columns_] += *sum++;
                }
            }
        }
    });
}

void FixedBlock::bootstrap(const Resamples& resamples, std::int64_t* sums) const {
    std::vector<std::uint32_t> some(static_cast<std::size_t>(std::min(kDrawn, segments_)));
    resample(resamples, sums, [this, seed = resamples.seed, places = std::move(some)](
                                  std::uint32_t number, DrawCounts& counts, std::int64_t row) mutable {
        return counts.count(row, [&](auto take) {
            for (std::int64_t start = 0; start < segments_; start += kDrawn) {
                check_stop();
                const std::int64_t count = std::min(kDrawn, segments_ - start);
                draw_indices(seed, number, segments_, start, count, places.data());
                take(places.data(), size_ == segments_ ? count
                                                       : keep_inside(places.data(), count,
                                                                     static_cast<std::uint32_t>(first_),
                                                                     static_cast<std::uint32_t>(size_)));
            }
        });
    });
}

void FixedBlock::subsets(const Resamples& resamples, Stream stream, std::int64_t* sums) const {
    resample(resamples, sums, [&](std::uint32_t number, DrawCounts& counts, std::int64_t row) {
        check_stop();
        return draw_coins(resamples.seed, stream, number, segments_, counts.open(row));
    });
}

FixedStatistics::FixedStatistics(const StatisticsView& statistics)
    : exponents_(exponents_for(largest_of(statistics), statistics.segments)),
      block_(statistics.segments, 0, statistics.segments, statistics.columns) {
    const double* system = statistics.values;
    for (std::int64_t k = 0; k < statistics.systems; ++k, system += statistics.segments * statistics.columns) {
        for (std::int64_t column = 0; column < statistics.columns; ++column) {
            const int exponent = exponents_[static_cast<std::size_t>(column)];
            // Nothing may be added to the address of no segments, which can be null.
            const double* first = statistics.segments == 0 ? system : system + column;
            totals_.push_back(block_.add(first, statistics.columns, exponent));
        }
    }
}

void FixedStatistics::bootstrap(const Resamples& resamples, std::int64_t* sums) const {
    std::fill_n(sums, block_.sources() * resamples.count, 0);
    block_.bootstrap(resamples, sums);
}

void FixedStatistics::subsets(const Resamples& resamples, Stream stream, std::int64_t* sums) const {
    std::fill_n(sums, block_.sources() * resamples.count, 0);
    block_.subsets(resamples, stream, sums);
}

ResampledBlocks::ResampledBlocks(std::int64_t segments, std::int64_t systems, const std::vector<double>& largest,
                                 const Resamples& resamples)
    : segments_(segments),
      resamples_(resamples),
      exponents_(exponents_for(largest, segments)),
      sums_(static_cast<std::size_t>(systems * resamples.count) * largest.size(), 0),
      totals_(static_cast<std::size_t>(systems) * largest.size(), 0) {}

void ResampledBlocks::add(const double* values, std::int64_t size) {
    if (!block_) {
        block_.emplace(segments_, first_, size, columns());
        first_ += size;
    }
    const auto source = static_cast<std::size_t>(block_->sources());
    totals_[source] += block_->add(values, 1, exponents_[source % exponents_.size()]);
}

void ResampledBlocks::draw() {
    if (block_) {
        block_->bootstrap(resamples_, sums_.data());
        block_.reset();
    }
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
