// Sixteen permutations of a group side by side: the same place of each in one vector.
#pragma once

#include "places.hpp"
#include "short_group.hpp"

namespace kilter {

// Rows become columns: each round doubles how many numbers of a column stand together.
KILTER_INLINE void turn_square(Places* square) {
    Places other[16];
#pragma GCC unroll 2
    for (int round = 0; round < 2; ++round) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            other[2 * k] = first_halves(square[k], square[k + 8]);
            other[2 * k + 1] = second_halves(square[k], square[k + 8]);
        }
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) {
            square[2 * k] = first_halves(other[k], other[k + 8]);
            square[2 * k + 1] = second_halves(other[k], other[k + 8]);
        }
    }
}

// Sixteen words of each, from place `at` on. Shorter ones go on with words that are in their places.
KILTER_INLINE void load_words(const ShortGroup& group, const SegmentsTogether& segments, std::int32_t at,
                              Places* words) {
    const Places places = kPlaces + same_in_all(at);
    for (std::int32_t s = 0; s < kTogether; ++s) {
        const ShortSegment& segment = segments.segment[s];
        const Places own = is_more(same_in_all(segment.length), places);
        const std::uint8_t* const values = group.values + ShortGroup::kBefore + segment.at + at;
        words[s] = (load_places(values) & own) | (places & ~own);
    }
    turn_square(words);
}

// A number of sixteen runs of each, from place `at` on, and `other` where there are no more runs.
KILTER_INLINE void load_runs(const std::uint8_t* numbers, const SegmentsTogether& segments, std::int32_t at,
                             std::int32_t other, Places* runs) {
    const Places places = kPlaces + same_in_all(at);
    for (std::int32_t s = 0; s < kTogether; ++s) {
        const ShortSegment& segment = segments.segment[s];
        const Places own = is_more(same_in_all(segment.runs), places);
        runs[s] = (load_places(numbers + segment.first_run + at) & own) | (same_in_all(other) & ~own);
    }
    turn_square(runs);
}

}  // namespace kilter
