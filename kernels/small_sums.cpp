#include "small_sums.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace kilter {
namespace {

constexpr int kResamples = DrawCounts::kResamples;

#if defined(__x86_64__)
const bool kHasAvx2 = __builtin_cpu_supports("avx2");
const bool kHasVnni = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vnni");
#endif

}  // namespace

DrawCounts::DrawCounts(std::int64_t segments)
    : counts_(static_cast<std::size_t>((segments + 1) / 2 * 2 * kResamples)) {}

void DrawCounts::clear() {
    std::fill(counts_.begin(), counts_.end(), std::int16_t{0});
    extras_.clear();
}

void DrawCounts::add(int resample, const std::uint32_t* places, std::int64_t count) {
    std::int16_t* const own = counts_.data() + 2 * resample;
    for (std::int64_t k = 0; k < count; ++k) {
        const std::size_t place = places[k];
        std::int16_t& drawn = own[place / 2 * (2 * kResamples) + place % 2];
        if (drawn == kMostCounted) [[unlikely]] {
            extras_.push_back({resample, places[k]});
        } else {
            ++drawn;
        }
    }
}

bool SmallColumns::fits(std::int64_t largest, std::int64_t segments) {
    return largest <= INT16_MAX && largest <= INT32_MAX / std::max<std::int64_t>(segments, 1);
}

void SmallColumns::add(const std::vector<std::int64_t>& values, int shift) {
    if (size_ % kColumns == 0) {
        tiles_.emplace_back(static_cast<std::size_t>((segments_ + 1) / 2));
    }
    Tile& tile = tiles_.back();
    const auto column = static_cast<std::size_t>(size_++ % kColumns);
    for (std::size_t place = 0; place < values.size(); ++place) {
        tile[place / 2].values[column * 2 + place % 2] = static_cast<std::int16_t>(values[place] >> shift);
    }
}

void SmallColumns::product_anywhere(const Tile& tile, const DrawCounts& counts, std::int32_t* sums) {
    std::fill_n(sums, kResamples * kColumns, 0);
    const std::int16_t* count = counts.counts_.data();
    for (const Line& line : tile) {
        for (int resample = 0; resample < kResamples; ++resample, count += 2) {
            std::int32_t* sum = sums + resample * kColumns;
            for (int column = 0; column < kColumns; ++column) {
                sum[column] += line.values[2 * column] * count[0] + line.values[2 * column + 1] * count[1];
            }
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void SmallColumns::product_avx2(const Tile& tile,
                                                                const DrawCounts& counts,
                                                                std::int32_t* sums) {
    __m256i low[kResamples];
    __m256i high[kResamples];
    for (int resample = 0; resample < kResamples; ++resample) {
        low[resample] = high[resample] = _mm256_setzero_si256();
    }
    const std::int16_t* count = counts.counts_.data();
    for (const Line& line : tile) {
        const __m256i first = _mm256_load_si256(reinterpret_cast<const __m256i*>(line.values));
        const __m256i second =
            _mm256_load_si256(reinterpret_cast<const __m256i*>(line.values + kColumns));
#pragma GCC unroll 6
        for (int resample = 0; resample < kResamples; ++resample, count += 2) {
            std::int32_t both;
            std::memcpy(&both, count, sizeof both);
            const __m256i drawn = _mm256_set1_epi32(both);
            low[resample] = _mm256_add_epi32(low[resample], _mm256_madd_epi16(first, drawn));
            high[resample] = _mm256_add_epi32(high[resample], _mm256_madd_epi16(second, drawn));
        }
    }
    for (int resample = 0; resample < kResamples; ++resample) {
        auto* sum = reinterpret_cast<__m256i*>(sums + resample * kColumns);
        _mm256_storeu_si256(sum, low[resample]);
        _mm256_storeu_si256(sum + 1, high[resample]);
    }
}

// A line is one register, and multiplying and adding one instruction. Totals by name: those of an array are
// moved from register to register.
__attribute__((target("avx512f,avx512bw,avx512vnni"))) void SmallColumns::product_vnni(
    const Tile& tile, const DrawCounts& counts, std::int32_t* sums) {
    static_assert(kResamples == 6);
    __m512i a, b, c, d, e, f;
    a = b = c = d = e = f = _mm512_setzero_si512();
    const std::int16_t* count = counts.counts_.data();
    const auto drawn = [&count](int resample) __attribute__((target("avx512f"), always_inline)) {
        std::int32_t both;
        std::memcpy(&both, count + 2 * resample, sizeof both);
        return _mm512_set1_epi32(both);
    };
    for (const Line& line : tile) {
        const __m512i values = _mm512_load_si512(line.values);
        a = _mm512_dpwssd_epi32(a, values, drawn(0));
        b = _mm512_dpwssd_epi32(b, values, drawn(1));
        c = _mm512_dpwssd_epi32(c, values, drawn(2));
        d = _mm512_dpwssd_epi32(d, values, drawn(3));
        e = _mm512_dpwssd_epi32(e, values, drawn(4));
        f = _mm512_dpwssd_epi32(f, values, drawn(5));
        count += 2 * kResamples;
    }
    for (const __m512i total : {a, b, c, d, e, f}) {
        _mm512_storeu_si512(sums, total);
        sums += kColumns;
    }
}
#endif

void SmallColumns::sum(const DrawCounts& counts, std::int32_t* sums) const {
    std::int64_t start = 0;
    for (const Tile& tile : tiles_) {
        std::int32_t found[kResamples * kColumns];
#if defined(__x86_64__)
        if (kHasVnni) {
            product_vnni(tile, counts, found);
        } else if (kHasAvx2) {
            product_avx2(tile, counts, found);
        } else {
            product_anywhere(tile, counts, found);
        }
#else
        product_anywhere(tile, counts, found);
#endif
        for (const DrawCounts::Extra& extra : counts.extras_) {
            const Line& line = tile[extra.place / 2];
            for (int column = 0; column < kColumns; ++column) {
                found[extra.resample * kColumns + column] += line.values[2 * column + static_cast<int>(extra.place % 2)];
            }
        }
        const std::int64_t filled = std::min<std::int64_t>(kColumns, size_ - start);
        for (int resample = 0; resample < kResamples; ++resample) {
            std::copy_n(found + resample * kColumns, filled, sums + resample * size_ + start);
        }
        start += kColumns;
    }
}

}  // namespace kilter
