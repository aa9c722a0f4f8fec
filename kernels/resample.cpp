#include "resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "multiversion.hpp"
#include "threads.hpp"

namespace kilter {
namespace {

constexpr int kLargestExponent = 40;
constexpr int kSumBits = 62;
constexpr int kTile = 16;
constexpr int kVector = 4;
// Drawn places are kept for a few resamples, so that a tile is read into the cache once for them all.
constexpr std::int64_t kPlacesKept = 1 << 15;

template <int kWidth>
KILTER_INLINE void sum_rows(const std::int64_t* rows, const std::uint32_t* places,
                            std::int64_t count, std::int64_t* sums) {
    std::int64_t total[kWidth] = {};
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int64_t* row = rows + std::size_t{places[k]} * kWidth;
        for (int column = 0; column < kWidth; ++column) {
            total[column] += row[column];
        }
    }
    std::copy_n(total, kWidth, sums);
}

KILTER_MULTIVERSION
void sum_rows_4(const std::int64_t* rows, const std::uint32_t* places, std::int64_t count,
                std::int64_t* sums) {
    sum_rows<4>(rows, places, count, sums);
}

KILTER_MULTIVERSION
void sum_rows_8(const std::int64_t* rows, const std::uint32_t* places, std::int64_t count,
                std::int64_t* sums) {
    sum_rows<8>(rows, places, count, sums);
}

KILTER_MULTIVERSION
void sum_rows_12(const std::int64_t* rows, const std::uint32_t* places, std::int64_t count,
                 std::int64_t* sums) {
    sum_rows<12>(rows, places, count, sums);
}

KILTER_MULTIVERSION
void sum_rows_16(const std::int64_t* rows, const std::uint32_t* places, std::int64_t count,
                 std::int64_t* sums) {
    sum_rows<16>(rows, places, count, sums);
}

constexpr std::array kSumRows{sum_rows_4, sum_rows_8, sum_rows_12, sum_rows_16};
static_assert(kSumRows.size() * kVector == kTile);

// |value| <= largest < 2^k and segments < 2^bits give a sum below 2^(exponent + k + bits).
int exponent_for(double largest, std::int64_t segments) {
    int k = 0;
    std::frexp(largest, &k);
    const int bits = std::bit_width(static_cast<std::uint64_t>(segments));
    return std::min(kLargestExponent, kSumBits - k - bits);
}

// The scale is a power of two, so that only the rounding changes the value.
std::int64_t fixed(double value, double scale) { return std::llrint(value * scale); }

}  // namespace

FixedStatistics::FixedStatistics(const StatisticsView& statistics)
    : systems_(statistics.systems),
      segments_(statistics.segments),
      columns_(statistics.columns),
      exponents_(static_cast<std::size_t>(statistics.columns)) {
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

    std::vector<std::int64_t> live;
    for (std::int64_t source = 0; source < systems_ * columns_; ++source) {
        const std::int64_t column = source % columns_;
        const double* first = statistics.values + source / columns_ * segments_ * columns_ + column;
        bool constant = true;
        for (std::int64_t segment = 1; segment < segments_ && constant; ++segment) {
            constant = first[segment * columns_] == first[0];
        }
        if (!constant) {
            live.push_back(source);
        } else if (segments_ > 0) {
            constants_.push_back({source, fixed(*first, scales[static_cast<std::size_t>(column)])});
        }
    }

    for (std::size_t start = 0; start < live.size(); start += kTile) {
        const std::size_t filled = std::min<std::size_t>(kTile, live.size() - start);
        const int width = static_cast<int>((filled + kVector - 1) / kVector * kVector);
        Tile tile{width, {live.begin() + static_cast<std::ptrdiff_t>(start),
                          live.begin() + static_cast<std::ptrdiff_t>(start + filled)}, {}};
        tile.rows.resize(static_cast<std::size_t>(segments_ * width));
        for (std::size_t place = 0; place < filled; ++place) {
            const std::int64_t column = tile.sources[place] % columns_;
            const double scale = scales[static_cast<std::size_t>(column)];
            const double* from =
                statistics.values + tile.sources[place] / columns_ * segments_ * columns_ + column;
            std::int64_t* to = tile.rows.data() + place;
            for (std::int64_t segment = 0; segment < segments_; ++segment) {
                to[segment * width] = fixed(from[segment * columns_], scale);
            }
        }
        tiles_.push_back(std::move(tile));
    }
}

void FixedStatistics::totals(std::int64_t* totals) const {
    std::fill_n(totals, systems_ * columns_, 0);
    for (const Constant& constant : constants_) {
        totals[constant.source] = constant.value * segments_;
    }
    for (const Tile& tile : tiles_) {
        for (std::size_t place = 0; place < tile.sources.size(); ++place) {
            std::int64_t& total = totals[tile.sources[place]];
            for (std::int64_t segment = 0; segment < segments_; ++segment) {
                total += tile.rows[static_cast<std::size_t>(segment * tile.width) + place];
            }
        }
    }
}

void FixedStatistics::sum_batch(const std::uint32_t* places, const std::int64_t* counts,
                                std::int64_t first, std::int64_t last, std::int64_t resamples,
                                std::int64_t* sums) const {
    const auto target = [&](std::int64_t source, std::int64_t resample) -> std::int64_t& {
        const std::int64_t system = source / columns_;
        return sums[(system * resamples + resample) * columns_ + source % columns_];
    };
    for (const Tile& tile : tiles_) {
        const auto sum = kSumRows[static_cast<std::size_t>(tile.width / kVector - 1)];
        for (std::int64_t resample = first; resample < last; ++resample) {
            std::int64_t row[kTile];
            sum(tile.rows.data(), places + (resample - first) * segments_, counts[resample - first],
                row);
            for (std::size_t place = 0; place < tile.sources.size(); ++place) {
                target(tile.sources[place], resample) = row[place];
            }
        }
    }
    for (const Constant& constant : constants_) {
        for (std::int64_t resample = first; resample < last; ++resample) {
            target(constant.source, resample) = constant.value * counts[resample - first];
        }
    }
}

template <class Draw>
void FixedStatistics::resample(std::int64_t resamples, int jobs, std::int64_t* sums,
                               Draw draw) const {
    const std::int64_t batch = std::max<std::int64_t>(1, kPlacesKept / std::max<std::int64_t>(segments_, 1));
    const std::vector<std::int64_t> even(static_cast<std::size_t>(resamples) + 1, 0);
    for_each_block(even.data(), resamples, jobs, [&](std::int64_t first, std::int64_t last) {
        std::vector<std::uint32_t> places(static_cast<std::size_t>(batch * segments_));
        std::vector<std::int64_t> counts(static_cast<std::size_t>(batch));
        for (std::int64_t start = first; start < last; start += batch) {
            const std::int64_t end = std::min(start + batch, last);
            for (std::int64_t resample = start; resample < end; ++resample) {
                counts[static_cast<std::size_t>(resample - start)] =
                    draw(static_cast<std::uint32_t>(resample),
                         places.data() + (resample - start) * segments_);
            }
            sum_batch(places.data(), counts.data(), start, end, resamples, sums);
        }
    });
}

void FixedStatistics::bootstrap(std::uint64_t seed, std::int64_t resamples, int jobs,
                                std::int64_t* sums) const {
    resample(resamples, jobs, sums, [&](std::uint32_t number, std::uint32_t* places) {
        draw_indices(seed, number, segments_, segments_, places);
        return segments_;
    });
}

void FixedStatistics::subsets(std::uint64_t seed, Stream stream, std::int64_t resamples, int jobs,
                              std::int64_t* sums) const {
    resample(resamples, jobs, sums, [&](std::uint32_t number, std::uint32_t* places) {
        return draw_subset(seed, stream, number, segments_, places);
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
        if (way == std::uint64_t{1} << count) {
            return far;
        }
        std::int64_t& step = steps[static_cast<std::size_t>(std::countr_zero(way))];
        sum += step;
        step = -step;
    }
}

}  // namespace kilter
