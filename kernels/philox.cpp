#include "philox.hpp"

#include <algorithm>
#include <bit>

#include "multiversion.hpp"

#if defined(__x86_64__)
// g++ 12 warns of what its own header leaves open on purpose.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif

namespace kilter {
namespace {

using Wide = unsigned __int128;

constexpr std::uint64_t kMultiplier0 = 0xD2E7470EE14C6C93;
constexpr std::uint64_t kMultiplier1 = 0xCA5A826395121157;
constexpr std::uint64_t kWeyl0 = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kWeyl1 = 0xBB67AE8584CAA73B;
constexpr int kRounds = 10;
constexpr int kCoinsPerBlock = 256;

KILTER_INLINE Word4 mix(const Word4& counter, std::uint64_t seed) {
    auto [x0, x1, x2, x3] = counter;
    std::uint64_t key0 = seed;
    std::uint64_t key1 = 0;
#pragma GCC unroll 10
    for (int round = 0; round < kRounds; ++round) {
        const Wide product0 = Wide{kMultiplier0} * x0;
        const Wide product1 = Wide{kMultiplier1} * x2;
        x0 = static_cast<std::uint64_t>(product1 >> 64) ^ x1 ^ key0;
        x1 = static_cast<std::uint64_t>(product1);
        x2 = static_cast<std::uint64_t>(product0 >> 64) ^ x3 ^ key1;
        x3 = static_cast<std::uint64_t>(product0);
        key0 += kWeyl0;
        key1 += kWeyl1;
    }
    return {x0, x1, x2, x3};
}

// 32 random bits times the size: the place in the upper half; the lower half says whether to keep it.
KILTER_INLINE std::uint64_t spread(const Word4& words, int k, std::uint32_t size) {
    return (words[static_cast<std::size_t>(k / 2)] >> (k % 2 * 32) & 0xFFFFFFFF) * size;
}

std::uint32_t redraw(std::uint64_t seed, std::uint32_t resample, std::uint32_t place,
                     std::uint32_t size, std::uint32_t threshold) {
    for (std::uint64_t attempt = 1;; ++attempt) {
        const Word4 words = philox({place / kDrawnTogether, resample, attempt,
                                    static_cast<std::uint64_t>(Stream::kIndices)},
                                   seed);
        const std::uint64_t product = spread(words, place % kDrawnTogether, size);
        if (static_cast<std::uint32_t>(product) >= threshold) {
            return static_cast<std::uint32_t>(product >> 32);
        }
    }
}

// What is drawn: places first, first + 1, ... of a resample, where first is a multiple of kDrawnTogether.
struct Draws {
    std::uint64_t seed;
    std::uint32_t resample;
    std::uint32_t size;       // of segments, at least 1
    std::uint32_t threshold;  // products whose lower half is less are drawn again
};

KILTER_MULTIVERSION
void draw_plainly(const Draws& draws, std::uint32_t first, std::uint32_t count, std::uint32_t* out) {
    const auto [seed, resample, size, threshold] = draws;
    for (std::uint32_t done = 0; done < count; done += kDrawnTogether) {
        const std::uint32_t start = first + done;
        const Word4 words = mix({start / kDrawnTogether, resample, 0,
                                 static_cast<std::uint64_t>(Stream::kIndices)},
                                seed);
        std::array<std::uint32_t, kDrawnTogether> places;
        std::uint32_t least = ~0u;
        for (int k = 0; k < kDrawnTogether; ++k) {
            const std::uint64_t product = spread(words, k, size);
            places[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(product >> 32);
            least = std::min(least, static_cast<std::uint32_t>(product));
        }
        if (least < threshold) [[unlikely]] {
            for (int k = 0; k < kDrawnTogether; ++k) {
                if (static_cast<std::uint32_t>(spread(words, k, size)) < threshold) {
                    places[static_cast<std::size_t>(k)] =
                        redraw(seed, resample, start + static_cast<std::uint32_t>(k), size, threshold);
                }
            }
        }
        if (count - done >= kDrawnTogether) [[likely]] {
            std::copy_n(places.data(), kDrawnTogether, out + done);
        } else {
            std::copy_n(places.data(), count - done, out + done);
        }
    }
}

#if defined(__x86_64__)

#define KILTER_LANES __attribute__((target("avx512f,avx512dq,avx512ifma")))

constexpr int kCounters = 8;  // of a register
constexpr std::uint32_t kPlacesOfRegister = kCounters * kDrawnTogether;

struct WideLanes {
    __m512i high;
    __m512i low;
};

KILTER_LANES KILTER_INLINE __m512i repeated(std::uint64_t value) {
    return _mm512_set1_epi64(static_cast<long long>(value));
}

KILTER_LANES KILTER_INLINE __m512i exclusive(__m512i a, __m512i b, __m512i c) {
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

// Products of 128 bits. The instructions multiply the lower 52 bits of both factors and add the lower or upper 52
// bits of that: factors are a + b * 2^52, and the product is parts[0] + parts[1] * 2^52 + parts[2] * 2^104.
KILTER_LANES KILTER_INLINE WideLanes times(__m512i x, std::uint64_t multiplier) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low = repeated(multiplier);
    const __m512i high = repeated(multiplier >> 52);
    const __m512i upper = _mm512_srli_epi64(x, 52);
    const __m512i part0 = _mm512_madd52lo_epu64(zero, x, low);
    __m512i part1 = _mm512_madd52hi_epu64(zero, x, low);
    part1 = _mm512_madd52lo_epu64(part1, x, high);
    part1 = _mm512_madd52lo_epu64(part1, upper, low);
    __m512i part2 = _mm512_madd52hi_epu64(zero, x, high);
    part2 = _mm512_madd52lo_epu64(part2, upper, high);
    part2 = _mm512_madd52hi_epu64(part2, upper, low);
    return {_mm512_add_epi64(_mm512_srli_epi64(part1, 12), _mm512_slli_epi64(part2, 40)),
            _mm512_or_si512(part0, _mm512_slli_epi64(part1, 52))};
}

// The four words of eight counters.
struct Counters {
    __m512i x0, x1, x2, x3;
};

// Counters (block, resample, 0, 0) of eight blocks after two rounds, in which two products are of zeros and one is
// the same for all blocks.
KILTER_LANES KILTER_INLINE Counters first_rounds(const Draws& draws, std::uint64_t block) {
    const Wide shared = Wide{kMultiplier0} * (draws.resample ^ draws.seed);
    const __m512i blocks = _mm512_add_epi64(repeated(block), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
    const WideLanes first = times(blocks, kMultiplier0);
    const WideLanes second = times(first.high, kMultiplier1);
    return {_mm512_xor_si512(second.high, repeated(draws.seed + kWeyl0)), second.low,
            _mm512_xor_si512(first.low, repeated(static_cast<std::uint64_t>(shared >> 64) ^ kWeyl1)),
            repeated(static_cast<std::uint64_t>(shared))};
}

KILTER_LANES KILTER_INLINE Counters next_round(const Counters& x, std::uint64_t key0, std::uint64_t key1) {
    const WideLanes product0 = times(x.x0, kMultiplier0);
    const WideLanes product1 = times(x.x2, kMultiplier1);
    return {exclusive(product1.high, x.x1, repeated(key0)), product1.low,
            exclusive(product0.high, x.x3, repeated(key1)), product0.low};
}

// Both halves of eight words times the size: the upper halves of the products, and the least of their lower halves.
KILTER_LANES KILTER_INLINE __m512i spread_lanes(__m512i words, __m512i size, __m512i& least) {
    constexpr __mmask16 kUpper = 0xaaaa;
    const __m512i even = _mm512_mul_epu32(words, size);
    const __m512i odd = _mm512_mul_epu32(_mm512_srli_epi64(words, 32), size);
    least = _mm512_min_epu32(least, _mm512_mask_blend_epi32(kUpper, even, _mm512_slli_epi64(odd, 32)));
    return _mm512_mask_blend_epi32(kUpper, _mm512_srli_epi64(even, 32), odd);
}

// Writes the places of eight counters, one counter after another.
KILTER_LANES KILTER_INLINE void write_places(const Counters& x, __m512i size, __m512i& least, std::uint32_t* out) {
    const __m512i word0 = spread_lanes(x.x0, size, least), word1 = spread_lanes(x.x1, size, least);
    const __m512i word2 = spread_lanes(x.x2, size, least), word3 = spread_lanes(x.x3, size, least);
    const __m512i even01 = _mm512_unpacklo_epi64(word0, word1), odd01 = _mm512_unpackhi_epi64(word0, word1);
    const __m512i even23 = _mm512_unpacklo_epi64(word2, word3), odd23 = _mm512_unpackhi_epi64(word2, word3);
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512i blocks02 = _mm512_permutex2var_epi64(even01, low, even23);
    const __m512i blocks46 = _mm512_permutex2var_epi64(even01, high, even23);
    const __m512i blocks13 = _mm512_permutex2var_epi64(odd01, low, odd23);
    const __m512i blocks57 = _mm512_permutex2var_epi64(odd01, high, odd23);
    _mm512_storeu_si512(out, _mm512_shuffle_i64x2(blocks02, blocks13, 0x44));
    _mm512_storeu_si512(out + 16, _mm512_shuffle_i64x2(blocks02, blocks13, 0xee));
    _mm512_storeu_si512(out + 32, _mm512_shuffle_i64x2(blocks46, blocks57, 0x44));
    _mm512_storeu_si512(out + 48, _mm512_shuffle_i64x2(blocks46, blocks57, 0xee));
}

// Two registers of counters at once: while one waits for its products, the other is computed.
KILTER_LANES void draw_lanes(const Draws& draws, std::uint32_t first, std::uint32_t count, std::uint32_t* out) {
    constexpr std::uint32_t kTogether = 2 * kPlacesOfRegister;
    constexpr std::uint32_t kFew = kTogether / 4;  // are drawn faster by themselves
    const __m512i size = repeated(draws.size);
    const __m512i threshold = _mm512_set1_epi32(static_cast<int>(draws.threshold));
    for (std::uint32_t start = 0; start < count; start += kTogether) {
        const std::uint32_t wanted = std::min(kTogether, count - start);
        if (wanted <= kFew) {
            return draw_plainly(draws, first + start, wanted, out + start);
        }
        const std::uint32_t block = (first + start) / kDrawnTogether;
        Counters one = first_rounds(draws, block);
        Counters other = first_rounds(draws, block + kCounters);
        std::uint64_t key0 = draws.seed + kWeyl0;
        std::uint64_t key1 = kWeyl1;
#pragma GCC unroll 8
        for (int round = 2; round < kRounds; ++round) {
            key0 += kWeyl0;
            key1 += kWeyl1;
            one = next_round(one, key0, key1);
            other = next_round(other, key0, key1);
        }
        __m512i least = _mm512_set1_epi32(-1);
        std::array<std::uint32_t, kTogether> few;
        std::uint32_t* const places = wanted == kTogether ? out + start : few.data();
        write_places(one, size, least, places);
        write_places(other, size, least, places + kPlacesOfRegister);
        if (_mm512_cmplt_epu32_mask(least, threshold) != 0) [[unlikely]] {
            draw_plainly(draws, first + start, wanted, out + start);
        } else if (wanted < kTogether) {
            std::copy_n(few.data(), wanted, out + start);
        }
    }
}

#endif

}  // namespace

Word4 philox(Word4 counter, std::uint64_t seed) { return mix(counter, seed); }

const std::vector<DrawWay>& draw_ways() {
    // Never destroyed: daemon threads may draw while the process ends.
    static const std::vector<DrawWay>& ways = *new std::vector<DrawWay>([] {
        std::vector<DrawWay> found{DrawWay::kPlain};
#if defined(__x86_64__)
        __builtin_cpu_init();
        if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512ifma")) {
            found.push_back(DrawWay::kLanes);
        }
#endif
        return found;
    }());
    return ways;
}

void draw_indices(std::uint64_t seed, std::uint32_t resample, std::int64_t segments, std::int64_t first,
                  std::int64_t count, std::uint32_t* out, DrawWay way) {
    const auto size = static_cast<std::uint32_t>(segments);
    if (size == 0) {
        return;
    }
    const Draws draws{seed, resample, size, (0u - size) % size};
    const auto start = static_cast<std::uint32_t>(first);
    const auto wanted = static_cast<std::uint32_t>(count);
#if defined(__x86_64__)
    if (way == DrawWay::kLanes) {
        return draw_lanes(draws, start, wanted, out);
    }
#endif
    static_cast<void>(way);
    draw_plainly(draws, start, wanted, out);
}

KILTER_MULTIVERSION
std::int64_t draw_coins(std::uint64_t seed, Stream stream, std::uint32_t resample,
                        std::int64_t segments, std::uint8_t* out) {
    std::int64_t chosen = 0;
    for (std::int64_t start = 0; start < segments; start += kCoinsPerBlock) {
        const Word4 words = mix({static_cast<std::uint64_t>(start / kCoinsPerBlock), resample, 0,
                                 static_cast<std::uint64_t>(stream)},
                                seed);
        for (int word = 0; word < 4; ++word) {
            const std::int64_t first = start + 64 * word;
            const std::int64_t left = std::clamp<std::int64_t>(segments - first, 0, 64);
            std::uint64_t coins = words[static_cast<std::size_t>(word)];
            std::uint8_t single[64];
            for (int k = 0; k < 64; ++k) {
                single[k] = static_cast<std::uint8_t>(coins >> k & 1);
            }
            if (left < 64) {
                coins &= (std::uint64_t{1} << left) - 1;
                std::copy_n(single, left, out + first);
            } else {
                std::copy_n(single, 64, out + first);
            }
            chosen += std::popcount(coins);
        }
    }
    return chosen;
}

}  // namespace kilter
