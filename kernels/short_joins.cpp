#include <algorithm>
#include <bit>
#include <cstring>

#include "multiversion.hpp"
#include "permutation_tree.hpp"
#include "places.hpp"
#include "short_group.hpp"
#include "short_scores.hpp"

namespace kilter {
namespace {

// All bits or none. A compiler that knew that it is one or the other would make a branch of it.
KILTER_INLINE Word if_set(bool condition) {
    Word mask = -Word{condition};
    asm("" : "+r"(mask));
    return mask;
}

KILTER_INLINE std::int64_t picked(Word mask, std::int64_t yes, std::int64_t no) {
    return no ^ ((yes ^ no) & static_cast<std::int64_t>(mask));
}

// Two numbers side by side, and masks of them.
using Pair = double __attribute__((vector_size(16)));
using PairMask = Word __attribute__((vector_size(16)));

KILTER_INLINE Pair load_pair(const double* numbers) {
    Pair pair;
    std::memcpy(&pair, numbers, sizeof pair);
    return pair;
}

KILTER_INLINE void store_pair(Pair pair, double* numbers) { std::memcpy(numbers, &pair, sizeof pair); }

KILTER_INLINE Pair picked(PairMask mask, Pair yes, Pair no) {
    return reinterpret_cast<Pair>((reinterpret_cast<PairMask>(yes) & mask) | (reinterpret_cast<PairMask>(no) & ~mask));
}

// The number where the mask is set, and 0 elsewhere.
KILTER_INLINE std::int64_t none_or(Word mask, std::int64_t number) { return number & static_cast<std::int64_t>(mask); }

// The number where the mask is set, and 1 elsewhere; the number is at least 1.
KILTER_INLINE std::int64_t one_or(Word mask, std::int64_t number) {
    return 1 + ((number - 1) & static_cast<std::int64_t>(mask));
}

// What is asked about the number of trees: nothing, or numbers that a double holds exactly, or larger ones, too.
enum class Trees { kNone, kExact, kAll };
inline constexpr std::int32_t kExactLength = 31;  // Catalan(30) is below 2^53

enum class Side { kLeft, kRight };

// Walks outward from a child past `length` siblings, of which those in `inner` are no leaves: the nearest is the
// highest bit on the left, the lowest on the right.
template <Side kSide>
double flank(const ShortTables& t, Word inner, std::int32_t length) {
    const auto leaves = kSide == Side::kLeft ? std::countl_zero(inner) : std::countr_zero(inner);
    std::int32_t x = std::min(leaves, length);
    double weight = t.flanks[0][static_cast<std::size_t>(x)];
    double sum = t.leaf_sum[static_cast<std::size_t>(x)];
    for (; x < length; ++x) {
        sum += weight;
        const Word here = kSide == Side::kLeft ? inner << x >> 63 : inner >> x & 1;
        const double leaf = here != 0 ? 0.0 : weight;
        weight = t.half_keep[static_cast<std::size_t>(x) + 1] * (sum + leaf);
    }
    return weight;
}

// A linear node with any number of children that are no leaves, of which all but the first are among those that were
// added. Few have more than two.
__attribute__((noinline)) double linear_value(const ShortGroup& group, const ShortTables& tables, std::int64_t node,
                                              double own) {
    double values[64];
    const Word inner = group.inner[node];
    auto count = static_cast<std::size_t>(std::popcount(inner));
    values[0] = group.node[node].first;
    for (std::int32_t child = group.last_added[node]; count > 1; child = group.added_before[child]) {
        values[--count] = group.node[child].pef;
    }
    const double* next = values;
    double value = 0.0;
    for (Word rest = inner; rest != 0; rest &= rest - 1, ++next) {
        const std::int32_t c = std::countr_zero(rest);
        const double left = flank<Side::kLeft>(tables, (inner << 1) << (63 - c), c);
        const double right = flank<Side::kRight>(tables, (inner >> 1) >> c, group.children[node] - 1 - c);
        value += (*next - own) * (left * right);
    }
    return own + value;
}

// Kept in registers for a while.
struct TreeCount {
    KILTER_INLINE explicit TreeCount(const TreeTally& tally) : trees(tally.trees), exact_trees(tally.exact_trees) {}
    KILTER_INLINE void store(TreeTally& tally) const {
        tally.trees = trees;
        tally.exact_trees = exact_trees;
    }

    double trees;
    std::uint64_t exact_trees;
};

// Joins nodes in waves, many of them at a time. What a permutation does next is wrongly guessed every other time, and
// that costs more than all that depends on it: whatever can be computed instead of decided is computed.
template <Trees kTrees>
class Joiner {
public:
    KILTER_INLINE Joiner(ShortGroup& group, const ShortTables& tables) : group_(group), t_(tables) {}

    KILTER_INLINE void run() {
        for (std::int32_t wave = 0; wave + 1 < group_.most_runs; ++wave) {
            const ShortJoin* const* const ends = group_.wave_ends[wave];
            for (const ShortJoin* join = group_.waves[wave][1]; join < ends[1]; ++join) {
                join_two(group_.tally[join->first_run], join->below, join->newest);
            }
            for (const ShortJoin* join = group_.waves[wave][0]; join < ends[0]; ++join) {
                join_prime(group_.tally[join->first_run], join->first_run, join->joined);
            }
        }
    }

    // A node that will not grow any more has so many trees.
    KILTER_INLINE void count_trees(TreeCount& count, std::int64_t children) const {
        if constexpr (kTrees == Trees::kAll) {
            count.trees *= t_.tree_counts[static_cast<std::size_t>(children)];
        }
        if constexpr (kTrees != Trees::kNone) {
            count.exact_trees *= t_.exact_tree_counts[static_cast<std::size_t>(children)];
        }
    }

private:
    // below becomes [below, newest], or has the newest as its last child if it is of that kind already. A run of the
    // same kind, and a word, are so many leaves; what grew out of a run never is of the same kind. Two nodes of leaves
    // alone, of which one could continue the other, would be one run: somebody here is no leaf.
    KILTER_INLINE void join_two(TreeTally& tally, std::int64_t below, std::int64_t newest) {
        ShortNode& node = group_.node[below];
        const ShortNode& added = group_.node[newest];
        const bool falls = group_.low[newest] < group_.low[below];
        const JoinCase& join = t_.cases[(group_.kind[below] * 4U + group_.kind[newest]) * 2U + falls];
        const double own = join.own;
        const std::int64_t children_below = group_.children[below];
        const std::int64_t children_newest = group_.children[newest];
        TreeCount trees(tally);
        count_trees(trees, none_or(~join.leaves, children_newest));
        count_trees(trees, none_or(~join.grows, children_below));
        trees.store(tally);

        const Pair values = picked(PairMask{join.starts, join.adds}, load_pair(&added.pet), load_pair(&node.pet));
        const double start = values[0];
        const double pets[2] = {own + (start - own) * t_.power[static_cast<std::size_t>(children_newest)],
                                join.beta_own + t_.keep * (0.5 * (start + added.pet))};
        const double pet = pets[join.inner_newest];

        const std::int64_t before = one_or(join.grows, children_below);
        const Word kept = group_.inner[below] & join.grows;
        const Word inner = kept | join.inner_below | join.inner_newest << before;
        const std::int64_t children = before + one_or(join.leaves, children_newest);
        const Pair ends = picked(PairMask{if_set(kept != 0), join.leaves}, load_pair(&node.first),
                                 Pair{values[1], added.pef});
        store_pair(ends, &node.first);
        const std::int32_t last = group_.last_added[below];
        group_.added_before[newest] = last;
        group_.last_added[below] = static_cast<std::int32_t>(picked(join.leaves, last, newest));
        group_.inner[below] = inner;
        group_.children[below] = static_cast<std::uint8_t>(children);
        group_.kind[below] = static_cast<std::uint8_t>(join.kind);

        const Word others = inner & (inner - 1);
        if ((others & (others - 1)) != 0) [[unlikely]] {
            node.pet = pet;
            node.pef = linear_value(group_, t_, below, own);
            return;
        }
        if (inner == 0) {
            __builtin_unreachable();
        }
        const std::int64_t left = std::countr_zero(inner);
        const std::int64_t place = 63 - std::countl_zero(inner);
        const std::int64_t right = children - 1 - place;
        const double* const alone = t_.flanks[0].data();
        const double* const between = alone + 64 * (place - left);
        const Pair flanks = Pair{alone[left], between[left]} * Pair{between[right], alone[right]};
        const Pair shares = picked(PairMask{~Word{0}, if_set(others != 0)}, (ends - Pair{own, own}) * flanks, Pair{});
        store_pair(Pair{pet, own + (shares[0] + shares[1])}, &node.pet);
    }

    // These nodes become the parts of one prime node, in the place of the first.
    KILTER_INLINE void join_prime(TreeTally& tally, std::int64_t run, Word joined) {
        double pef = 0.0;
        double pet = 0.0;
        const auto parts = static_cast<std::int32_t>(std::popcount(joined));
        const std::int64_t below = run + std::countr_zero(joined);
        TreeCount trees(tally);
        Word left = joined & ~leaves_from(run);
        const std::int32_t divider = std::max(std::popcount(left), 1);  // leaves alone add up to 0
        while (left != 0) {
            const std::int64_t at = 63 - std::countl_zero(left);
            left ^= Word{1} << at;
            count_trees(trees, group_.children[run + at]);
            pef += group_.node[run + at].pef;
            pet += group_.node[run + at].pet;
        }
        trees.store(tally);
        pef = t_.keep * (pef / divider);
        pet = t_.keep * (pet / divider);
        group_.node[below] = {pet, pef, pef, pef};
        group_.inner[below] = 0;
        group_.kind[below] = kPrime;
        group_.children[below] = 1;
        tally.saved += parts - 2;
        tally.max_operator = std::max(tally.max_operator, parts);
    }

    // Which nodes of a segment are leaves; they add nothing to a prime node.
    KILTER_INLINE Word leaves_from(std::int64_t run) const {
        Word leaves = 0;
        for (std::int32_t at = 0; at < group_.most_runs; at += 16) {
            leaves |= as_set(is_same(load_places(group_.kind + run + at), same_in_all(kLeaf))) << at;
        }
        return leaves;
    }

    ShortGroup& group_;
    const ShortTables& t_;
};

// Gives every join its wave. The nearest joins of all runs come first, then those that are next.
KILTER_INLINE void order_joins(ShortGroup& group) {
    for (std::int32_t wave = 0; wave + 1 < group.most_runs; ++wave) {
        group.wave_ends[wave][0] = group.waves[wave][0];
        group.wave_ends[wave][1] = group.waves[wave][1];
    }
    ShortJoins* const begin = group.joined;
    ShortJoins* end = begin + group.joins;
    while (begin < end) {
        ShortJoins* left = begin;
        for (const ShortJoins* next = begin; next < end; ++next) {
            const ShortJoins run = *next;
            const std::int32_t first = 63 - std::countl_zero(run.firsts);
            const std::int32_t newest = 63 - std::countl_zero(run.open);
            const Word bit = Word{1} << first;
            const Word joined = run.open & -bit;
            const Word others = joined ^ bit;
            const bool two = (others & (others - 1)) == 0;
            const std::int32_t wave = run.place - std::popcount(run.open);
            *group.wave_ends[wave][two]++ = {joined, static_cast<std::uint32_t>(run.first_run),
                                             static_cast<std::uint16_t>(run.first_run + first),
                                             static_cast<std::uint16_t>(run.first_run + newest)};
            const Word firsts = run.firsts ^ bit;
            *left = {firsts, run.open & ((bit << 1) - 1), run.first_run, run.place};
            left += firsts != 0;
        }
        end = left;
    }
}

template <Trees kTrees>
KILTER_INLINE void join_all(ShortGroup& group, const ShortTables& tables) {
    for (std::int32_t s = 0; s < group.segments; ++s) {
        group.tally[group.segment[s].first_run] = {1.0, 1, 0, 2};
    }
    order_joins(group);
    Joiner<kTrees> joiner(group, tables);
    joiner.run();
    for (std::int32_t s = 0; s < group.segments; ++s) {
        const ShortSegment& segment = group.segment[s];
        const ShortNode& root = group.node[segment.first_run];
        const bool word = segment.length == 1;
        const std::int32_t row = segment.row;
        group.pef[row] = word ? 1.0 : root.pef;
        group.pet[row] = word ? 1.0 : root.pet;
        if constexpr (kTrees != Trees::kNone) {
            const TreeTally& tally = group.tally[segment.first_run];
            TreeCount count(tally);
            joiner.count_trees(count, group.children[segment.first_run]);
            const std::uint64_t exact = count.exact_trees;
            group.exact_trees[row] = exact;
            group.trees[row] = kTrees == Trees::kAll ? count.trees : static_cast<double>(static_cast<std::int64_t>(exact));
            group.most_trees[row] = tables.tree_counts[static_cast<std::size_t>(segment.length)];
            group.nodes[row] = segment.length - 1 - tally.saved;
            group.max_operator[row] = tally.max_operator;
        }
    }
}

}  // namespace

KILTER_MULTIVERSION
void join_nodes(ShortGroup& group, const ShortTables& tables, bool counts) {
    if (!counts) {
        join_all<Trees::kNone>(group, tables);
    } else if (group.longest <= kExactLength) {
        join_all<Trees::kExact>(group, tables);
    } else {
        join_all<Trees::kAll>(group, tables);
    }
}

}  // namespace kilter
