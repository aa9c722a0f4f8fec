#include "resample.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

#include "threads.hpp"

namespace kilter {
namespace {

constexpr int kLargestExponent = 40;
constexpr int kSumBits = 62;
constexpr int kStepBytes = 32;  // widths of tiles are multiples of it
constexpr int kTileBytes = 128;
constexpr int kMostColumns = kTileBytes / sizeof(std::int32_t);
// Drawn places are kept for a few resamples, so that a tile is read into the cache once for them all.
constexpr std::int64_t kPlacesKept = 1 << 15;

// Vectors spelled out, so that the totals stay in registers. A vector type takes a machine's registers
// only if the very function that declares it is compiled for them; hence one definition for each.
#define KILTER_SUM_BYTES(name, attribute, vector_bytes)                                          \
    template <int kBytes, class T>                                                                \
    attribute void name(const T* rows, const std::uint32_t* places, std::int64_t count,           \
                        std::int64_t* sums) {                                                     \
        typedef T Vector __attribute__((vector_size(vector_bytes)));                              \
        constexpr int kVectors = kBytes / vector_bytes;                                           \
        constexpr int kPlaces = vector_bytes / sizeof(T);                                         \
        Vector total[kVectors] = {};                                                              \
        for (std::int64_t k = 0; k < count; ++k) {                                                \
            const T* row = rows + std::size_t{places[k]} * (kVectors * kPlaces);                  \
            for (int vector = 0; vector < kVectors; ++vector) {                                   \
                Vector next;                                                                      \
                std::memcpy(&next, row + vector * kPlaces, sizeof next);                          \
                total[vector] += next;                                                            \
            }                                                                                     \
        }                                                                                         \
        for (int vector = 0; vector < kVectors; ++vector) {                                       \
            const Vector last = total[vector];                                                    \
            for (int place = 0; place < kPlaces; ++place) {                                       \
                *sums++ = last[place];                                                            \
            }                                                                                     \
        }                                                                                         \
    }

KILTER_SUM_BYTES(sum_bytes_anywhere, , 16)
#if defined(__x86_64__)
KILTER_SUM_BYTES(sum_bytes_avx2, __attribute__((target("avx2"))), 32)
const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif
#undef KILTER_SUM_BYTES

template <int kBytes, class T>
void sum_bytes(const T* rows, const std::uint32_t* places, std::int64_t count, std::int64_t* sums) {
#if defined(__x86_64__)
    if (kHasAvx2) {
        return sum_bytes_avx2<kBytes>(rows, places, count, sums);
    }
#endif
    sum_bytes_anywhere<kBytes>(rows, places, count, sums);
}

template <class T>
void sum_rows(const T* rows, int width, const std::uint32_t* places, std::int64_t count,
              std::int64_t* sums) {
    switch (width * static_cast<int>(sizeof(T))) {
        case 32: return sum_bytes<32>(rows, places, count, sums);
        case 64: return sum_bytes<64>(rows, places, count, sums);
        case 96: return sum_bytes<96>(rows, places, count, sums);
        default: return sum_bytes<kTileBytes>(rows, places, count, sums);
    }
}

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

    std::vector<Column> narrow;
    std::vector<Column> wide;
    for (std::int64_t source = 0; source < systems_ * columns_ && segments_ > 0; ++source) {
        const std::int64_t column = source % columns_;
        const double scale = scales[static_cast<std::size_t>(column)];
        const double* from = statistics.values + source / columns_ * segments_ * columns_ + column;
        Column found{source, 0, std::vector<std::int64_t>(static_cast<std::size_t>(segments_))};
        std::uint64_t bits = 0;
        std::int64_t largest_value = 0;
        bool constant = true;
        for (std::int64_t segment = 0; segment < segments_; ++segment) {
            const std::int64_t here = fixed(from[segment * columns_], scale);
            found.values[static_cast<std::size_t>(segment)] = here;
            bits |= static_cast<std::uint64_t>(here);
            largest_value = std::max(largest_value, std::abs(here));
            constant = constant && here == found.values[0];
        }
        if (constant) {
            constants_.push_back({source, found.values[0]});
            continue;
        }
        found.shift = std::countr_zero(bits);
        const bool fits = (largest_value >> found.shift) <= (std::int64_t{1} << 30) / segments_;
        (fits ? narrow : wide).push_back(std::move(found));
    }
    add_tiles(narrow, &Tile::narrow);
    add_tiles(wide, &Tile::wide);
}

template <class T>
void FixedStatistics::add_tiles(const std::vector<Column>& columns, Rows<T> Tile::* rows) {
    constexpr std::size_t kStep = kStepBytes / sizeof(T);
    constexpr std::size_t kMost = kTileBytes / sizeof(T);
    for (std::size_t start = 0; start < columns.size(); start += kMost) {
        const std::size_t filled = std::min(kMost, columns.size() - start);
        const std::size_t width = (filled + kStep - 1) / kStep * kStep;
        Tile tile{static_cast<int>(width), {}, {}, {}, {}};
        (tile.*rows).resize(static_cast<std::size_t>(segments_) * width);
        T* values = (tile.*rows).data();
        for (std::size_t place = 0; place < filled; ++place) {
            const Column& column = columns[start + place];
            tile.sources.push_back(column.source);
            tile.shifts.push_back(column.shift);
            for (std::size_t segment = 0; segment < column.values.size(); ++segment) {
                values[segment * width + place] = static_cast<T>(column.values[segment] >> column.shift);
            }
        }
        tiles_.push_back(std::move(tile));
    }
}

void FixedStatistics::totals(std::int64_t* totals) const {
    std::fill_n(totals, systems_ * columns_, 0);
    std::vector<std::uint32_t> all(static_cast<std::size_t>(segments_));
    std::iota(all.begin(), all.end(), 0u);
    sum_batch(all.data(), &segments_, 0, 1, 1, totals);
}

void FixedStatistics::sum_batch(const std::uint32_t* places, const std::int64_t* counts,
                                std::int64_t first, std::int64_t last, std::int64_t resamples,
                                std::int64_t* sums) const {
    const auto target = [&](std::int64_t source, std::int64_t resample) -> std::int64_t& {
        const std::int64_t system = source / columns_;
        return sums[(system * resamples + resample) * columns_ + source % columns_];
    };
    for (const Tile& tile : tiles_) {
        for (std::int64_t resample = first; resample < last; ++resample) {
            const std::uint32_t* drawn = places + (resample - first) * segments_;
            const std::int64_t count = counts[resample - first];
            std::int64_t row[kMostColumns];
            if (tile.wide.empty()) {
                sum_rows(tile.narrow.data(), tile.width, drawn, count, row);
            } else {
                sum_rows(tile.wide.data(), tile.width, drawn, count, row);
            }
            for (std::size_t place = 0; place < tile.sources.size(); ++place) {
                target(tile.sources[place], resample) = row[place] * (std::int64_t{1} << tile.shifts[place]);
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
