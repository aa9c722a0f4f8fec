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
#include "watch.hpp"

namespace kilter {
namespace {

constexpr int kLargestExponent = 40;
constexpr int kSumBits = 62;
constexpr int kStepColumns = 4;  // widths of tiles are multiples of it
constexpr int kMostColumns = 16;
// Drawn places are kept for a few resamples, so that a tile is read into the cache once for them all.
constexpr std::int64_t kPlacesKept = 1 << 15;

// Vectors spelled out, so that the totals stay in registers. A vector type takes a machine's registers
// only if the very function that declares it is compiled for them; hence one definition for each.
#define KILTER_SUM_COLUMNS(name, attribute, vector_bytes)                                        \
    template <int kColumns>                                                                       \
    attribute void name(const std::int64_t* rows, const std::uint32_t* places,                    \
                        std::int64_t count, std::int64_t* sums) {                                 \
        typedef std::int64_t Vector __attribute__((vector_size(vector_bytes)));                   \
        constexpr int kPlaces = vector_bytes / sizeof(std::int64_t);                              \
        constexpr int kVectors = kColumns / kPlaces;                                              \
        Vector total[kVectors] = {};                                                              \
        for (std::int64_t k = 0; k < count; ++k) {                                                \
            const std::int64_t* row = rows + std::size_t{places[k]} * kColumns;                   \
            for (int vector = 0; vector < kVectors; ++vector) {                                   \
                Vector next;                                                                      \
                std::memcpy(&next, row + vector * kPlaces, sizeof next);                          \
                total[vector] += next;                                                            \
            }                                                                                     \
        }                                                                                         \
        std::memcpy(sums, total, sizeof total);                                                   \
    }

KILTER_SUM_COLUMNS(sum_columns_anywhere, , 16)
#if defined(__x86_64__)
KILTER_SUM_COLUMNS(sum_columns_avx2, __attribute__((target("avx2"))), 32)
const bool kHasAvx2 = __builtin_cpu_supports("avx2");
#endif
#undef KILTER_SUM_COLUMNS

template <int kColumns>
void sum_columns(const std::int64_t* rows, const std::uint32_t* places, std::int64_t count,
                 std::int64_t* sums) {
#if defined(__x86_64__)
    if (kHasAvx2) {
        return sum_columns_avx2<kColumns>(rows, places, count, sums);
    }
#endif
    sum_columns_anywhere<kColumns>(rows, places, count, sums);
}

void sum_rows(const std::int64_t* rows, int width, const std::uint32_t* places, std::int64_t count,
              std::int64_t* sums) {
    switch (width) {
        case 4: return sum_columns<4>(rows, places, count, sums);
        case 8: return sum_columns<8>(rows, places, count, sums);
        case 12: return sum_columns<12>(rows, places, count, sums);
        default: return sum_columns<kMostColumns>(rows, places, count, sums);
    }
}

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
      small_(statistics.segments) {
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

    std::vector<Column> wide;
    Column found{0, std::vector<std::int64_t>(static_cast<std::size_t>(segments_))};
    for (std::int64_t source = 0; source < systems_ * columns_ && segments_ > 0; ++source) {
        const std::int64_t column = source % columns_;
        const double scale = scales[static_cast<std::size_t>(column)];
        const double* from = statistics.values + source / columns_ * segments_ * columns_ + column;
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
        const int shift = std::countr_zero(bits);
        if (SmallColumns::fits(largest_value >> shift, segments_)) {
            small_.add(found.values, shift);
            small_columns_.push_back({source, shift});
        } else {
            found.source = source;
            wide.push_back(found);
        }
    }
    add_tiles(wide);
}

void FixedStatistics::add_tiles(const std::vector<Column>& columns) {
    for (std::size_t start = 0; start < columns.size(); start += kMostColumns) {
        const std::size_t filled = std::min<std::size_t>(kMostColumns, columns.size() - start);
        const std::size_t width = (filled + kStepColumns - 1) / kStepColumns * kStepColumns;
        Tile tile{static_cast<int>(width), {}, {}};
        tile.rows.resize(static_cast<std::size_t>(segments_) * width);
        for (std::size_t place = 0; place < filled; ++place) {
            const Column& column = columns[start + place];
            tile.sources.push_back(column.source);
            for (std::size_t segment = 0; segment < column.values.size(); ++segment) {
                tile.rows.data()[segment * width + place] = column.values[segment];
            }
        }
        tiles_.push_back(std::move(tile));
    }
}

void FixedStatistics::totals(std::int64_t* totals) const {
    std::fill_n(totals, systems_ * columns_, 0);
    std::vector<std::uint32_t> all(static_cast<std::size_t>(segments_));
    std::iota(all.begin(), all.end(), 0u);
    DrawCounts drawn(segments_);
    sum_batch({all.data(), &segments_, 0, 1, 1, totals}, drawn);
}

std::int64_t& FixedStatistics::target(const Batch& batch, std::int64_t source,
                                      std::int64_t resample) const {
    const std::int64_t system = source / columns_;
    return batch.sums[(system * batch.resamples + resample) * columns_ + source % columns_];
}

void FixedStatistics::sum_batch(const Batch& batch, DrawCounts& drawn) const {
    sum_small(batch, drawn);
    for (const Tile& tile : tiles_) {
        for (std::int64_t resample = batch.first; resample < batch.last; ++resample) {
            check_stop();
            std::int64_t row[kMostColumns];
            sum_rows(tile.rows.data(), tile.width,
                     batch.places + (resample - batch.first) * segments_,
                     batch.counts[resample - batch.first], row);
            for (std::size_t place = 0; place < tile.sources.size(); ++place) {
                target(batch, tile.sources[place], resample) = row[place];
            }
        }
    }
    for (const Constant& constant : constants_) {
        for (std::int64_t resample = batch.first; resample < batch.last; ++resample) {
            target(batch, constant.source, resample) =
                constant.value * batch.counts[resample - batch.first];
        }
    }
}

void FixedStatistics::sum_small(const Batch& batch, DrawCounts& drawn) const {
    if (small_columns_.empty()) {
        return;
    }
    std::vector<std::int32_t> sums(small_columns_.size() * DrawCounts::kResamples);
    for (std::int64_t start = batch.first; start < batch.last; start += DrawCounts::kResamples) {
        const std::int64_t end = std::min(start + DrawCounts::kResamples, batch.last);
        drawn.clear();
        for (std::int64_t resample = start; resample < end; ++resample) {
            drawn.add(static_cast<int>(resample - start),
                      batch.places + (resample - batch.first) * segments_,
                      batch.counts[resample - batch.first]);
        }
        small_.sum(drawn, sums.data());
        const std::int32_t* sum = sums.data();
        for (std::int64_t resample = start; resample < end; ++resample) {
            for (const SmallColumn& column : small_columns_) {
                target(batch, column.source, resample) = *sum++ * (std::int64_t{1} << column.shift);
            }
        }
    }
}

template <class Draw>
void FixedStatistics::resample(std::int64_t resamples, int jobs, std::int64_t* sums,
                               Draw draw) const {
    constexpr std::int64_t kTogether = DrawCounts::kResamples;
    const std::int64_t kept = kPlacesKept / std::max<std::int64_t>(segments_, 1);
    const std::int64_t size = std::max(kept / kTogether, std::int64_t{1}) * kTogether;
    const std::vector<std::int64_t> even(static_cast<std::size_t>(resamples) + 1, 0);
    for_each_block(even.data(), resamples, jobs, [&](std::int64_t first, std::int64_t last) {
        std::vector<std::uint32_t> places(static_cast<std::size_t>(size * segments_));
        std::vector<std::int64_t> counts(static_cast<std::size_t>(size));
        DrawCounts drawn(segments_);
        for (std::int64_t start = first; start < last; start += size) {
            const std::int64_t end = std::min(start + size, last);
            for (std::int64_t resample = start; resample < end; ++resample) {
                check_stop();
                counts[static_cast<std::size_t>(resample - start)] =
                    draw(static_cast<std::uint32_t>(resample),
                         places.data() + (resample - start) * segments_);
            }
            sum_batch({places.data(), counts.data(), start, end, resamples, sums}, drawn);
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
