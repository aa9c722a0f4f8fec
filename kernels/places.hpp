// Sixteen bytes side by side, as every processor has them. Wider vectors would be taken apart byte by byte before it
// is known what a clone of a function is for.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "multiversion.hpp"

namespace kilter {

using Places = std::uint8_t __attribute__((vector_size(16)));
using SignedPlaces = std::int8_t __attribute__((vector_size(16)));
using WidePlaces = std::uint16_t __attribute__((vector_size(16)));
inline constexpr Places kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

KILTER_INLINE Places load_places(const std::uint8_t* bytes) {
    Places places;
    std::memcpy(&places, bytes, sizeof places);
    return places;
}

KILTER_INLINE void store_places(Places places, std::uint8_t* bytes) { std::memcpy(bytes, &places, sizeof places); }

KILTER_INLINE Places same_in_all(std::int32_t value) { return Places{} + static_cast<std::uint8_t>(value); }

// All numbers are below 128, so that they may be compared as signed ones, as every processor can.
KILTER_INLINE Places is_more(Places a, Places b) {
    return reinterpret_cast<Places>(reinterpret_cast<SignedPlaces>(a) > reinterpret_cast<SignedPlaces>(b));
}

KILTER_INLINE Places is_same(Places a, Places b) { return reinterpret_cast<Places>(a == b); }

#ifdef __SSE2__
KILTER_INLINE Places smaller(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_min_epu8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

KILTER_INLINE Places larger(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_max_epu8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

// The places where all bits are set; elsewhere none is.
KILTER_INLINE std::uint64_t as_set(Places flags) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
}

// The first and the second half of two, in turns.
KILTER_INLINE Places first_halves(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_unpacklo_epi8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

KILTER_INLINE Places second_halves(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_unpackhi_epi8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

// Of two together, one after another, every other place: from the first or from the second on.
KILTER_INLINE Places even_places(Places a, Places b) {
    const __m128i bytes = _mm_set1_epi16(0xff);
    return reinterpret_cast<Places>(_mm_packus_epi16(_mm_and_si128(reinterpret_cast<__m128i>(a), bytes),
                                                     _mm_and_si128(reinterpret_cast<__m128i>(b), bytes)));
}

KILTER_INLINE Places odd_places(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_packus_epi16(_mm_srli_epi16(reinterpret_cast<__m128i>(a), 8),
                                                     _mm_srli_epi16(reinterpret_cast<__m128i>(b), 8)));
}

// Sixteen numbers less others, of which none is above 255.
KILTER_INLINE Places narrow_difference(const std::uint16_t* numbers, const std::uint16_t* others) {
    WidePlaces a[2];
    WidePlaces b[2];
    std::memcpy(a, numbers, sizeof a);
    std::memcpy(b, others, sizeof b);
    return even_places(reinterpret_cast<Places>(a[0] - b[0]), reinterpret_cast<Places>(a[1] - b[1]));
}

// Sums of squares of signed numbers, by place.
class SquareSums {
public:
    KILTER_INLINE void add(Places numbers) {
        const __m128i bytes = reinterpret_cast<__m128i>(numbers);
        add_half(_mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8), sums_);
        add_half(_mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8), sums_ + 2);
    }
    KILTER_INLINE void store(std::int32_t* sums) const { std::memcpy(sums, sums_, sizeof sums_); }

private:
    KILTER_INLINE static void add_half(__m128i numbers, __m128i* sums) {
        const __m128i squares = _mm_mullo_epi16(numbers, numbers);
        const __m128i none = _mm_setzero_si128();
        sums[0] = _mm_add_epi32(sums[0], _mm_unpacklo_epi16(squares, none));
        sums[1] = _mm_add_epi32(sums[1], _mm_unpackhi_epi16(squares, none));
    }

    __m128i sums_[4] = {};
};

// Sums of products, by place; none is above 65535.
class ProductSums {
public:
    KILTER_INLINE void add(Places a, Places b) {
        const __m128i none = _mm_setzero_si128();
        const __m128i first = reinterpret_cast<__m128i>(a);
        const __m128i second = reinterpret_cast<__m128i>(b);
        sums_[0] = _mm_add_epi16(sums_[0], _mm_mullo_epi16(_mm_unpacklo_epi8(first, none), _mm_unpacklo_epi8(second, none)));
        sums_[1] = _mm_add_epi16(sums_[1], _mm_mullo_epi16(_mm_unpackhi_epi8(first, none), _mm_unpackhi_epi8(second, none)));
    }
    KILTER_INLINE void store(std::uint16_t* sums) const { std::memcpy(sums, sums_, sizeof sums_); }

private:
    __m128i sums_[2] = {};
};
#else
KILTER_INLINE Places smaller(Places a, Places b) { return a < b ? a : b; }

KILTER_INLINE Places larger(Places a, Places b) { return a > b ? a : b; }

KILTER_INLINE std::uint64_t as_set(Places flags) {
    std::uint64_t set = 0;
    for (int k = 0; k < 2; ++k) {
        std::uint64_t eight;
        std::memcpy(&eight, reinterpret_cast<const char*>(&flags) + 8 * k, sizeof eight);
        if constexpr (std::endian::native == std::endian::big) {
            eight = __builtin_bswap64(eight);
        }
        set |= ((eight & 0x0101010101010101U) * 0x0102040810204080U >> 56) << (8 * k);
    }
    return set;
}

KILTER_INLINE Places first_halves(Places a, Places b) {
    Places turns;
    for (int k = 0; k < 16; ++k) {
        turns[k] = k % 2 == 0 ? a[k / 2] : b[k / 2];
    }
    return turns;
}

KILTER_INLINE Places second_halves(Places a, Places b) {
    Places turns;
    for (int k = 0; k < 16; ++k) {
        turns[k] = k % 2 == 0 ? a[8 + k / 2] : b[8 + k / 2];
    }
    return turns;
}

KILTER_INLINE Places even_places(Places a, Places b) {
    Places chosen;
    for (int k = 0; k < 8; ++k) {
        chosen[k] = a[2 * k];
        chosen[k + 8] = b[2 * k];
    }
    return chosen;
}

KILTER_INLINE Places odd_places(Places a, Places b) {
    Places chosen;
    for (int k = 0; k < 8; ++k) {
        chosen[k] = a[2 * k + 1];
        chosen[k + 8] = b[2 * k + 1];
    }
    return chosen;
}

KILTER_INLINE Places narrow_difference(const std::uint16_t* numbers, const std::uint16_t* others) {
    Places difference;
    for (int k = 0; k < 16; ++k) {
        difference[k] = static_cast<std::uint8_t>(numbers[k] - others[k]);
    }
    return difference;
}

class SquareSums {
public:
    KILTER_INLINE void add(Places numbers) {
        for (int k = 0; k < 16; ++k) {
            const auto number = static_cast<std::int8_t>(numbers[k]);
            sums_[k] += number * number;
        }
    }
    KILTER_INLINE void store(std::int32_t* sums) const { std::memcpy(sums, sums_, sizeof sums_); }

private:
    std::int32_t sums_[16] = {};
};

class ProductSums {
public:
    KILTER_INLINE void add(Places a, Places b) {
        for (int k = 0; k < 16; ++k) {
            sums_[k] = static_cast<std::uint16_t>(sums_[k] + a[k] * b[k]);
        }
    }
    KILTER_INLINE void store(std::uint16_t* sums) const { std::memcpy(sums, sums_, sizeof sums_); }

private:
    std::uint16_t sums_[16] = {};
};
#endif

}  // namespace kilter
