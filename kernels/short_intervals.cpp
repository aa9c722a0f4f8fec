#include <algorithm>
#include <bit>

#include "short_together.hpp"

namespace kilter {
namespace {

// Bytes of one set are in different vectors.
template <int kBytes>
KILTER_INLINE Word set_of(const Places* bytes, std::int32_t lane) {
    const auto* const at = reinterpret_cast<const std::uint8_t*>(bytes) + lane;
    Word set = 0;
#pragma GCC unroll 8
    for (int k = 0; k < kBytes; ++k) {
        set |= Word{at[16 * k]} << (8 * k);
    }
    return set;
}

// From every run on, the lowest and the highest value are known up to the current run: they are as far apart as the
// places if all values in between are there. A permutation has 8 kBytes runs at most. Returns where the list of what
// is to be joined ends.
template <int kBytes>
KILTER_INLINE ShortJoins* list_joins(const SegmentsTogether& segments, ShortJoins* joined) {
    constexpr int kRuns = 8 * kBytes;
    Places lowest[kRuns];
    Places highest[kRuns];
    Places before[kRuns];  // words
    Places words{};
    Places firsts[kRuns][kBytes];
    Places open[kRuns][kBytes];
    Places still_open[kBytes] = {};
    Word ends[kRuns / 4] = {};  // for four runs each, the permutations in which something ends with them
    const Word lanes = ~Word{0} >> (64 - segments.count);
    for (std::int32_t i = 0; i < segments.most_runs; ++i) {
        lowest[i] = segments.low[i];
        highest[i] = segments.low[i] + segments.length[i] - same_in_all(1);
        before[i] = words;
        words += segments.length[i];
        const Places last = words - same_in_all(1);
        const Places here = is_more(segments.length[i], Places{});
        Places none = same_in_all(0xff);
#pragma GCC unroll 8
        for (std::int32_t byte = 0; byte < kBytes; ++byte) {
            Places whole{};
            Places bit = here & same_in_all(1);
            for (std::int32_t j = 8 * byte; j < std::min(i, 8 * byte + 8); ++j) {
                lowest[j] = smaller(lowest[j], lowest[i]);
                highest[j] = larger(highest[j], highest[i]);
                whole |= is_same(highest[j] - lowest[j] + before[j], last) & bit;
                bit += bit;
            }
            const Places own = byte == i / 8 ? same_in_all(1 << i % 8) : Places{};
            const Places found = whole & still_open[byte];
            const Places nearest = found & -found;
            firsts[i][byte] = found;
            open[i][byte] = still_open[byte] | own;
            still_open[byte] = open[i][byte] & none & (nearest + nearest - same_in_all(1));
            none &= is_same(found, Places{});
        }
        ends[i / 4] |= (as_set(~none) & lanes) << (16 * (i % 4));
    }
    for (std::int32_t four = 0; 4 * four < segments.most_runs; ++four) {
        for (Word left = ends[four]; left != 0; left &= left - 1) {
            const std::int32_t place = std::countr_zero(left);
            const std::int32_t run = 4 * four + place / kTogether;
            const std::int32_t lane = place % kTogether;
            *joined++ = {set_of<kBytes>(firsts[run], lane), set_of<kBytes>(open[run], lane),
                         segments.segment[lane].first_run, run + 1};
        }
    }
    return joined;
}

// Puts those segments together that have about as many runs: the fewest come first.
KILTER_INLINE void order_segments(ShortGroup& group) {
    std::uint8_t places[66] = {};
    for (std::int32_t s = 0; s < group.segments; ++s) {
        ++places[group.segment[s].runs + 1];
    }
    for (std::int32_t runs = 1; runs <= group.most_runs; ++runs) {
        places[runs + 1] = static_cast<std::uint8_t>(places[runs + 1] + places[runs]);
    }
    for (std::int32_t s = 0; s < group.segments; ++s) {
        const std::int32_t place = places[group.segment[s].runs]++;
        group.together[place / kTogether].segment[place % kTogether] = group.segment[s];
    }
    for (std::int32_t first = 0; first < group.segments; first += kTogether) {
        SegmentsTogether& some = group.together[first / kTogether];
        some.count = std::min(group.segments - first, kTogether);
        std::fill(some.segment + some.count, some.segment + kTogether, some.segment[some.count - 1]);
        some.most_runs = some.segment[kTogether - 1].runs;
        some.longest = 0;
        for (const ShortSegment& segment : some.segment) {
            some.longest = std::max(some.longest, segment.length);
        }
    }
}

}  // namespace

KILTER_MULTIVERSION
void find_joins(ShortGroup& group) {
    order_segments(group);
    ShortJoins* joined = group.joined;
    for (std::int32_t first = 0; first < group.segments; first += kTogether) {
        SegmentsTogether& segments = group.together[first / kTogether];
        for (std::int32_t at = 0; at < segments.most_runs; at += 16) {
            load_runs(group.low, segments, at, 127, segments.low + at);
            load_runs(group.children, segments, at, 0, segments.length + at);
        }
        if (segments.most_runs <= 16) {
            joined = list_joins<2>(segments, joined);
        } else if (segments.most_runs <= 32) {
            joined = list_joins<4>(segments, joined);
        } else {
            joined = list_joins<8>(segments, joined);
        }
    }
    group.joins = static_cast<std::int32_t>(joined - group.joined);
}

}  // namespace kilter
