#include <algorithm>

#include "permutation_tree.hpp"
#include "places.hpp"
#include "short_group.hpp"

namespace kilter {
namespace {

constexpr std::int32_t kTogether = 16;

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

// Some segments of a group, side by side; the last one stands for all that are missing.
class SegmentsTogether {
public:
    KILTER_INLINE SegmentsTogether(const ShortGroup& group, std::int32_t first) : group_(group), first_(first) {
        for (std::int32_t s = 0; s < kTogether; ++s) {
            longest = std::max(longest, segment(s).length);
            most_runs = std::max(most_runs, segment(s).runs);
        }
    }

    // Sixteen words of each, from place `at` on. Shorter ones go on with words that are in their places.
    KILTER_INLINE void load_words(std::int32_t at, Places* words) const {
        const Places places = kPlaces + same_in_all(at);
        for (std::int32_t s = 0; s < kTogether; ++s) {
            const Places own = is_more(same_in_all(segment(s).length), places);
            const std::uint8_t* const values = group_.values + ShortGroup::kBefore + segment(s).at + at;
            words[s] = (load_places(values) & own) | (places & ~own);
        }
        turn_square(words);
    }

    // Sixteen runs of each. Those with fewer runs go on with higher ones that have no words.
    KILTER_INLINE void load_runs(std::int32_t at, Places* low, Places* length, Places* falls) const {
        const Places places = kPlaces + same_in_all(at);
        for (std::int32_t s = 0; s < kTogether; ++s) {
            const Places own = is_more(same_in_all(segment(s).runs), places);
            const std::int32_t run = segment(s).first_run + at;
            low[s] = (load_places(group_.low + run) & own) | (same_in_all(127) & ~own);
            length[s] = load_places(group_.children + run) & own;
            falls[s] = is_same(load_places(group_.kind + run), same_in_all(kInverted)) & own;
        }
        turn_square(low);
        turn_square(length);
        turn_square(falls);
    }

    std::int32_t longest = 0;
    std::int32_t most_runs = 0;

private:
    KILTER_INLINE const ShortSegment& segment(std::int32_t s) const {
        return group_.segment[std::min(first_ + s, group_.segments - 1)];
    }

    const ShortGroup& group_;
    std::int32_t first_;
};

}  // namespace

// No value of a run lies between those of another, so that runs are compared instead of words: each with all runs
// before it, in sixteen permutations at once.
KILTER_MULTIVERSION
void count_order(ShortGroup& group) {
    Places low[64];
    Places length[64];
    Places falls[64];   // all bits of falling runs
    Places rising[64];  // the longest rising subsequence that ends with a run
    for (std::int32_t first = 0; first < group.segments; first += kTogether) {
        const SegmentsTogether segments(group, first);
        Places fixed{};
        SquareSums squares;
        for (std::int32_t at = 0; at < segments.longest; at += 16) {
            Places words[16];
            segments.load_words(at, words);
#pragma GCC unroll 4
            for (int k = 0; k < 16; ++k) {
                const Places shift = words[k] - same_in_all(at + k);
                fixed -= is_same(shift, Places{});
                squares.add(shift);
            }
        }

        for (std::int32_t at = 0; at < segments.most_runs; at += 16) {
            segments.load_runs(at, low + at, length + at, falls + at);
        }
        Places top{};
        ProductSums inversions;
        ProductSums twice;  // those of falling runs
        for (std::int32_t i = 0; i < segments.most_runs; ++i) {
            Places before{};
            Places larger_words{};
            for (std::int32_t j = 0; j < i; ++j) {
                const Places is_smaller = is_more(low[i], low[j]);
                before = larger(before, rising[j] & is_smaller);
                larger_words += length[j] & ~is_smaller;
            }
            inversions.add(larger_words, length[i]);
            const Places others = (length[i] - same_in_all(1)) & falls[i];  // no two words of a falling run are in order
            twice.add(length[i], others);
            rising[i] = before + length[i] - others;
            top = larger(top, rising[i]);
        }

        std::uint8_t fixed_words[kTogether];
        std::uint8_t tops[kTogether];
        std::int32_t sums[kTogether];
        std::uint16_t pairs[kTogether];
        std::uint16_t falling_pairs[kTogether];
        store_places(fixed, fixed_words);
        store_places(top, tops);
        squares.store(sums);
        inversions.store(pairs);
        twice.store(falling_pairs);
        const std::int32_t more = (segments.longest + 15) / 16 * 16;
        for (std::int32_t s = first; s < std::min(first + kTogether, group.segments); ++s) {
            const ShortSegment& segment = group.segment[s];
            const std::int32_t lane = s - first;
            group.inversions[segment.row] = pairs[lane] + falling_pairs[lane] / 2;
            group.rising[segment.row] = tops[lane];
            group.fixed[segment.row] = fixed_words[lane] - (more - segment.length);
            group.squares[segment.row] = sums[lane];
        }
    }
}

}  // namespace kilter
