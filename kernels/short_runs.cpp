#include <algorithm>
#include <bit>
#include <cstring>

#include "permutation_tree.hpp"
#include "places.hpp"
#include "short_group.hpp"

namespace kilter {
namespace {

constexpr int kSets = ShortGroup::kWords / 64;

// Sets of words of the group, and how many of them stand before a word.
struct WordSet {
    Word sets[kSets + 1];
    std::int32_t before[kSets + 1];

    KILTER_INLINE void count() {
        std::int32_t sum = 0;
        for (int k = 0; k <= kSets; ++k) {
            before[k] = sum;
            sum += std::popcount(sets[k]);
        }
    }
    KILTER_INLINE std::int32_t rank(std::int32_t word) const {
        return before[word / 64] + std::popcount(sets[word / 64] & ((Word{1} << word % 64) - 1));
    }
};

// Compares all neighbours of the group; those of different segments continue nothing. Returns false where a run turns
// round, since a value comes again there.
KILTER_INLINE bool find_neighbours(const ShortGroup& group, WordSet& starts, WordSet& rising) {
    Word first[kSets + 1] = {};
    for (std::int32_t s = 0; s < group.segments; ++s) {
        const std::int32_t at = group.segment[s].at;
        first[at / 64] |= Word{1} << at % 64;
    }
    Word turns = 0;
    Word upward = 0;  // the last of the words before
    Word downward = 0;
    const int sets = (group.words + 63) / 64;
    for (int k = 0; k < sets; ++k) {
        Word up = 0;
        Word down = 0;
#pragma GCC unroll 4
        for (int part = 0; part < 64; part += 16) {
            const std::uint8_t* const p = group.values + ShortGroup::kBefore + 64 * k + part;
            const Places step = load_places(p) - load_places(p - 1);
            up |= as_set(is_same(step, same_in_all(1))) << part;
            down |= as_set(is_same(step, same_in_all(0xff))) << part;
        }
        const Word here = ~Word{0} >> (64 - std::min(group.words - 64 * k, 64));
        up &= ~first[k] & here;
        down &= ~first[k] & here;
        turns |= (up & (down << 1 | downward)) | (down & (up << 1 | upward));
        upward = up >> 63;
        downward = down >> 63;
        rising.sets[k] = up;
        starts.sets[k] = ~(up | down) & here;
    }
    for (int k = sets; k <= kSets; ++k) {
        starts.sets[k] = rising.sets[k] = 0;
    }
    return turns == 0;
}

// For every byte the places of its bits.
struct BitPlaces {
    constexpr BitPlaces() : places{} {
        for (int byte = 0; byte < 256; ++byte) {
            int count = 0;
            for (int k = 0; k < 8; ++k) {
                if ((byte >> k & 1) != 0) {
                    places[byte][count++] = static_cast<std::uint16_t>(k);
                }
            }
        }
    }
    alignas(16) std::uint16_t places[256][8];
};
constexpr BitPlaces kBitPlaces;

// Eight words at a time: what is written too much is overwritten by the next ones.
KILTER_INLINE void list_starts(ShortGroup& group, const WordSet& starts) {
    std::uint16_t* out = group.start;
    for (std::int32_t at = 0; at < group.words; at += 8) {
        const std::uint64_t byte = starts.sets[at / 64] >> at % 64 & 0xff;
        WidePlaces places;
        std::memcpy(&places, kBitPlaces.places[byte], sizeof places);
        places += static_cast<std::uint16_t>(at);
        std::memcpy(out, &places, sizeof places);
        out += std::popcount(byte);
    }
    *out = static_cast<std::uint16_t>(group.words);
    group.runs = static_cast<std::int32_t>(out - group.start);
}

// A run is a node of leaves.
KILTER_INLINE void make_nodes(ShortGroup& group) {
    const std::uint8_t* const values = group.values + ShortGroup::kBefore;
    const std::int64_t runs = group.runs;
    for (std::int64_t run = 0; run <= runs; ++run) {
        std::memcpy(group.edges[run], values + group.start[run] - 1, 2);
    }
    static_assert(kLeaf == 0 && kMonotone == 1 && kInverted == 2);
    for (std::int64_t run = 0; run < runs; run += 16) {
        const Places begin = odd_places(load_places(group.edges[run]), load_places(group.edges[run + 8]));
        const Places end = even_places(load_places(group.edges[run + 1]), load_places(group.edges[run + 9]));
        store_places(narrow_difference(group.start + run + 1, group.start + run), group.children + run);
        store_places(smaller(begin, end), group.low + run);
        const Places kind = (is_more(end, begin) & same_in_all(kMonotone)) | (is_more(begin, end) & same_in_all(kInverted));
        store_places(kind, group.kind + run);
    }
    std::fill_n(group.inner, runs, Word{0});
    Word sum = 0;
    for (std::int64_t run = 0; run < runs; ++run) {
        group.values_before[run] = sum;
        sum += (~Word{0} >> (64 - group.children[run])) << group.low[run];
        const double score = group.run_scores[group.kind[run]];
        group.node[run].pet = group.node[run].pef = score;
    }
    group.values_before[runs] = sum;
}

// n different powers of 2, of which none is above 2^(n - 1), are the only n of them whose sum is 2^n - 1.
KILTER_INLINE bool is_permutation(const ShortGroup& group, const ShortSegment& segment) {
    const Word sum = group.values_before[segment.first_run + segment.runs] - group.values_before[segment.first_run];
    return sum == ~Word{0} >> (64 - segment.length);
}

}  // namespace

KILTER_MULTIVERSION
bool find_runs(ShortGroup& group) {
    WordSet starts;
    WordSet rising;
    bool good = find_neighbours(group, starts, rising);
    starts.count();
    rising.count();
    list_starts(group, starts);
    make_nodes(group);
    std::int32_t run = 0;
    std::int32_t risen = 0;
    std::int32_t most = 0;
    for (std::int32_t s = 0; s < group.segments; ++s) {
        ShortSegment& segment = group.segment[s];
        segment.first_run = run;
        const std::int32_t next = starts.rank(segment.at + segment.length);
        segment.runs = next - run;
        good &= is_permutation(group, segment);
        most = std::max(most, segment.runs);
        run = next;
        const std::int32_t now = rising.rank(segment.at + segment.length);
        group.chunks[segment.row] = segment.length - (now - risen);
        risen = now;
    }
    group.most_runs = most;
    return good;
}

}  // namespace kilter
