#include <algorithm>

#include "permutation_tree.hpp"
#include "short_together.hpp"

namespace kilter {

// No value of a run lies between those of another, so that runs are compared instead of words: each with all runs
// before it, in sixteen permutations at once.
KILTER_MULTIVERSION
void count_order(ShortGroup& group) {
    Places kind[64];
    Places rising[64];  // the longest rising subsequence that ends with a run
    for (std::int32_t first = 0; first < group.segments; first += kTogether) {
        const SegmentsTogether& segments = group.together[first / kTogether];
        Places fixed{};
        SquareSums squares;
        for (std::int32_t at = 0; at < segments.longest; at += 16) {
            Places words[16];
            load_words(group, segments, at, words);
#pragma GCC unroll 4
            for (int k = 0; k < 16; ++k) {
                const Places shift = words[k] - same_in_all(at + k);
                fixed -= is_same(shift, Places{});
                squares.add(shift);
            }
        }

        for (std::int32_t at = 0; at < segments.most_runs; at += 16) {
            load_runs(group.kind, segments, at, kLeaf, kind + at);
        }
        const Places* const low = segments.low;
        const Places* const length = segments.length;
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
            // No two words of a falling run are in order.
            const Places others = (length[i] - same_in_all(1)) & is_same(kind[i], same_in_all(kInverted));
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
        for (std::int32_t lane = 0; lane < segments.count; ++lane) {
            const ShortSegment& segment = segments.segment[lane];
            group.inversions[segment.row] = pairs[lane] + falling_pairs[lane] / 2;
            group.rising[segment.row] = tops[lane];
            group.fixed[segment.row] = fixed_words[lane] - (more - segment.length);
            group.squares[segment.row] = sums[lane];
        }
    }
}

}  // namespace kilter
