#include "short_scores.hpp"

#include <algorithm>
#include <bit>

#include "multiversion.hpp"
#include "pef.hpp"
#include "permutation_tree.hpp"

namespace kilter {

ShortTables::ShortTables(const ScoreOptions& options)
    : beta(options.beta),
      keep(1.0 - options.beta),
      gamma(options.gamma),
      right_branching(options.right_branching),
      tree_counts(small_tree_counts()),
      exact_tree_counts{},
      half_keep{},
      leaf_weight{},
      leaf_sum{},
      power{} {
    std::copy(kilter::exact_tree_counts().begin(), kilter::exact_tree_counts().end(),
              exact_tree_counts.begin());
    leaf_weight[0] = 1.0;
    power[0] = 1.0;
    for (std::size_t x = 1; x < power.size(); ++x) {
        half_keep[x] = keep / 2.0 / static_cast<double>(x);
        leaf_sum[x] = leaf_sum[x - 1] + leaf_weight[x - 1];
        leaf_weight[x] = half_keep[x] * (leaf_sum[x] + leaf_weight[x - 1]);
        power[x] = power[x - 1] * keep;
    }
}

namespace {

using Word = std::uint64_t;

// A node on the shift-reduce stack. Its children's values are the top of the value stack from `base`
// on. No byte-sized fields: they would stall on store forwarding.
struct ShortNode {
    std::int32_t start, low, high, kind, children, inner, base;
    double pet;  // left-branching PETscore so far; kLeafValue for a leaf
    double pef;  // of a prime node
};

// Where runs of consecutive rising or falling values continue: bit i says that element i continues
// the run of element i - 1.
struct Runs {
    Word rising = 0;
    Word falling = 0;
};

// Whether a set holds 0 to n - 1 and nothing else; n >= 1.
KILTER_INLINE bool is_full(Word seen, int n) { return seen == ~Word{0} >> (64 - n); }

// `seen` becomes the set of all values.
KILTER_INLINE FlatCounts count_flat(const std::int32_t* p, int n, Runs& runs, Word& seen) {
    Word tails = 0;  // smallest tails of increasing subsequences, by value
    std::int64_t inversions = 0;
    std::int64_t squares = 0;
    std::int32_t fixed = 0;
    std::int32_t previous = -2;
    for (int i = 0; i < n; ++i) {
        const std::int32_t v = p[i];
        inversions += std::popcount(seen >> v);
        const Word bit = Word{1} << v;
        seen |= bit;
        const Word larger = tails & (~Word{0} << v);
        tails = (tails | bit) ^ (larger & (~larger + 1));
        fixed += v == i;
        const std::int64_t shift = v - i;
        squares += shift * shift;
        runs.rising |= static_cast<Word>(v == previous + 1) << i;
        runs.falling |= static_cast<Word>(v + 1 == previous) << i;
        previous = v;
    }
    return {inversions, static_cast<double>(squares), fixed, std::popcount(tails),
            n - std::popcount(runs.rising)};
}

// Builds the tree and evaluates it on the way; nothing of the tree is kept.
class ShortTree {
public:
    KILTER_INLINE ShortTree(const ShortTables& tables) : t_(tables) {}

    KILTER_INLINE void run(const std::int32_t* p, int n, const Runs& runs) {
        for (int i = 0; i < n;) {
            i = shift_and_reduce(p, i, runs);
        }
        pef = finish(stack_[0]);
        pet = stack_[0].pet;
    }

    double pef = 1.0, pet = 1.0, trees = 1.0;
    std::uint64_t exact_trees = 1;
    std::int32_t nodes = 0, max_operator = 2;

private:
    KILTER_INLINE double own_score(std::int32_t kind) const {
        return kind == kMonotone ? 1.0 : t_.gamma;
    }

    KILTER_INLINE void count_linear(std::int32_t children) {
        nodes += children - 1;
        trees *= t_.tree_counts[static_cast<std::size_t>(children)];
        exact_trees *= t_.exact_tree_counts[static_cast<std::size_t>(children)];
    }

    // A node that will not grow any more: returns its value and takes its children off the stack.
    KILTER_INLINE double finish(const ShortNode& node) {
        if (node.kind == kLeaf) {
            return kLeafValue;
        }
        if (node.kind == kPrime) {
            return node.pef;
        }
        count_linear(node.children);
        height_ = node.base;
        const double own = own_score(node.kind);
        return node.inner == 0 ? own
                               : linear_value(values_ + node.base, node.children, node.inner, own);
    }

    KILTER_INLINE double linear_value(const double* values, std::int32_t count, std::int32_t inner,
                                      double own) const {
        if (inner == 1) {
            std::int32_t c = 0;
            while (values[c] == kLeafValue) {
                ++c;
            }
            return own + (values[c] - own) * (t_.leaf_weight[static_cast<std::size_t>(c)] *
                                              t_.leaf_weight[static_cast<std::size_t>(count - 1 - c)]);
        }
        double value = 0.0;
        for (std::int32_t c = 0; c < count; ++c) {
            if (values[c] == kLeafValue) {
                continue;
            }
            const double left = flank(values + c, c, -1);
            const double right = flank(values + c, count - 1 - c, 1);
            value += (values[c] - own) * (left * right);
        }
        return own + value;
    }

    // Walks outward from a child; a run of leaves right beside it comes from the table.
    KILTER_INLINE double flank(const double* child, std::int32_t length, std::int32_t step) const {
        std::int32_t x = 1;
        while (x <= length && child[step * x] == kLeafValue) {
            ++x;
        }
        double weight = t_.leaf_weight[static_cast<std::size_t>(x) - 1];
        double sum = t_.leaf_sum[static_cast<std::size_t>(x) - 1];
        for (; x <= length; ++x) {
            sum += weight;
            const double leaf = child[step * x] == kLeafValue ? weight : 0.0;
            weight = t_.half_keep[static_cast<std::size_t>(x)] * (sum + leaf);
        }
        return weight;
    }

    KILTER_INLINE void push_leaves(std::int32_t count) {
        for (std::int32_t k = 0; k < count; ++k) {
            values_[height_ + k] = kLeafValue;
        }
        height_ += count;
    }

    // Takes the longest run from position i on as one node and reduces; returns where to go on. The
    // newest node is built in the slot above the stack, and reductions happen in place.
    KILTER_INLINE int shift_and_reduce(const std::int32_t* p, int i, const Runs& runs) {
        ShortNode* node = &stack_[top_];
        const Word rising = (runs.rising >> 1) >> i;
        const Word falling = (runs.falling >> 1) >> i;
        const std::int32_t up = std::countr_one(rising);
        const std::int32_t down = std::countr_one(falling);
        const std::int32_t length = up + down + 1;  // at most one of the two is not 0
        node->start = i;
        node->low = p[i] - down;
        node->high = p[i] + up;
        node->kind = up > 0 ? kMonotone : down > 0 ? kInverted : kLeaf;
        node->pet = up > 0 ? 1.0 : down > 0 ? t_.gamma : kLeafValue;
        node->children = length;
        node->inner = 0;
        node->base = height_;
        seen_ |= (~Word{0} >> (64 - length)) << node->low;
        const std::int32_t last = i + length - 1;
        bool fresh = true;  // the leaves of the run are not on the value stack yet
        while (top_ > 0) {
            node = &stack_[top_];
            ShortNode& below = stack_[top_ - 1];
            const std::int32_t kind = node->low == below.high + 1   ? kMonotone
                                      : node->high + 1 == below.low ? kInverted
                                                                    : kLeaf;
            if (kind != kLeaf) {
                if (fresh && (node->kind == kind || node->kind == kLeaf)) {
                    join_leaves(below, *node, kind, length);
                } else {
                    join_node(below, *node, kind, fresh);
                }
                --top_;
            } else {
                const std::int32_t index = find_prime(*node, last);
                if (index < 0) {
                    break;
                }
                join_prime(index, *node, fresh);
                top_ = index;
            }
            fresh = false;
        }
        if (fresh && length > 1) {
            push_leaves(length);
        }
        ++top_;
        return last + 1;
    }

    // below becomes [below, leaf, leaf, ...]
    KILTER_INLINE void join_leaves(ShortNode& below, const ShortNode& run, std::int32_t kind,
                                   std::int32_t length) {
        const double own = own_score(kind);
        below.low = std::min(below.low, run.low);
        below.high = std::max(below.high, run.high);
        if (below.kind == kind) {
            below.children += length;
        } else {
            const double value = finish(below);
            below.kind = kind;
            below.base = height_;
            below.children = length + 1;
            below.inner = value != kLeafValue;
            if (below.inner == 0) {
                below.pet = own;
            }
            values_[height_++] = value;
        }
        push_leaves(length);
        below.pet = own + (below.pet - own) * t_.power[static_cast<std::size_t>(length)];
    }

    // below becomes [below, node]; the node is never a leaf here.
    KILTER_INLINE void join_node(ShortNode& below, const ShortNode& node, std::int32_t kind,
                                 bool fresh) {
        const double own = own_score(kind);
        const double node_value = finish_newest(node, fresh);
        below.low = std::min(below.low, node.low);
        below.high = std::max(below.high, node.high);
        double mean = 0.5 * (below.pet + node.pet);
        if (below.kind == kind) {
            ++below.children;
            ++below.inner;
        } else {
            const double below_value = finish(below);
            if (below_value == kLeafValue) {
                mean = node.pet;
            }
            below.kind = kind;
            below.base = height_;
            below.children = 2;
            below.inner = 1 + (below_value != kLeafValue);
            values_[height_++] = below_value;
        }
        values_[height_++] = node_value;
        below.pet = t_.beta * own + t_.keep * mean;
    }

    KILTER_INLINE double finish_newest(const ShortNode& node, bool fresh) {
        if (!fresh) {
            return finish(node);
        }
        count_linear(node.children);
        return own_score(node.kind);
    }

    // The nearest node below that forms an interval with everything above it, or -1. Stops as soon
    // as a value in between has not been seen yet.
    KILTER_INLINE std::int32_t find_prime(const ShortNode& node, std::int32_t last) const {
        const Word unseen = ~seen_;
        std::int32_t low = node.low;
        std::int32_t high = node.high;
        for (std::int32_t index = top_ - 1;; --index) {
            low = std::min(low, stack_[index].low);
            high = std::max(high, stack_[index].high);
            if ((unseen >> low) << (63 - (high - low))) {
                return -1;
            }
            if (high - low == last - stack_[index].start) {
                return index;
            }
        }
    }

    // The nodes from index on become the parts of one prime node, in the place of the first.
    KILTER_INLINE void join_prime(std::int32_t index, const ShortNode& node, bool fresh) {
        std::int32_t low = node.low;
        std::int32_t high = node.high;
        double pef_sum = 0.0;
        double pet_sum = 0.0;
        std::int32_t inner = 0;
        if (node.kind != kLeaf) {
            pef_sum = finish_newest(node, fresh);
            pet_sum = node.pet;
            inner = 1;
        }
        for (std::int32_t j = top_ - 1; j >= index; --j) {
            low = std::min(low, stack_[j].low);
            high = std::max(high, stack_[j].high);
            if (stack_[j].kind != kLeaf) {
                pef_sum += finish(stack_[j]);
                pet_sum += stack_[j].pet;
                ++inner;
            }
        }
        ShortNode& joined = stack_[index];
        joined.low = low;
        joined.high = high;
        joined.kind = kPrime;
        joined.base = height_;
        joined.pef = inner > 0 ? t_.keep * (pef_sum / inner) : 0.0;
        joined.pet = inner > 0 ? t_.keep * (pet_sum / inner) : 0.0;
        ++nodes;
        max_operator = std::max(max_operator, top_ - index + 1);
    }

    const ShortTables& t_;
    ShortNode stack_[kShortLength + 1];
    double values_[2 * kShortLength];
    std::int32_t top_ = 0, height_ = 0;
    Word seen_ = 0;
};

KILTER_INLINE Runs find_runs(const std::int32_t* p, int n, Word& seen) {
    Runs runs;
    seen = Word{1} << p[0];
    for (int i = 1; i < n; ++i) {
        seen |= Word{1} << p[i];
        runs.rising |= static_cast<Word>(p[i] == p[i - 1] + 1) << i;
        runs.falling |= static_cast<Word>(p[i] + 1 == p[i - 1]) << i;
    }
    return runs;
}

KILTER_INLINE const std::int32_t* turn(const std::int32_t* p, int n, std::int32_t* turned) {
    for (int i = 0; i < n; ++i) {
        turned[i] = n - 1 - p[n - 1 - i];
    }
    return turned;
}

KILTER_INLINE bool score_short(const std::int32_t* p, int n, const ShortTables& tables,
                               double* scores, std::int32_t* counts, std::uint64_t* trees) {
    Runs runs;
    Word seen = 0;
    const FlatCounts flat = count_flat(p, n, runs, seen);
    if (!is_full(seen, n)) {
        return false;
    }
    write_flat_scores(flat, n, scores);
    counts[kChunks] = static_cast<std::int32_t>(flat.chunks);
    if (n == 1) {
        counts[kNodes] = counts[kMaxOperator] = counts[kPrimal] = 0;
        *trees = 1;
        write_size_scores(n, 0, 0, scores);
        scores[kPetCount] = scores[kPef] = scores[kPet] = 1.0;
        return true;
    }
    ShortTree tree(tables);
    tree.run(p, n, runs);
    counts[kNodes] = tree.nodes;
    counts[kMaxOperator] = tree.max_operator;
    counts[kPrimal] = tree.nodes == 1;
    *trees = tree.exact_trees;
    write_size_scores(n, tree.nodes, tree.max_operator, scores);
    const double most = tables.tree_counts[static_cast<std::size_t>(n)];
    scores[kPetCount] = n == 2 ? 1.0 : (tree.trees - 1.0) / (most - 1.0);
    scores[kPef] = tree.pef;
    scores[kPet] = tree.pet;
    return true;
}

}  // namespace

// A right-branching tree is the left-branching one of the permutation turned by 180 degrees, which
// leaves every other score alone.
KILTER_MULTIVERSION
bool score_short_block(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores,
                       std::int32_t* counts, std::uint64_t* trees) {
    std::int32_t turned[kShortLength];
    for (std::int64_t s = first; s < last; ++s) {
        const std::int32_t* p = values + offsets[s];
        const int n = static_cast<int>(offsets[s + 1] - offsets[s]);
        double* row = scores + s * kColumns;
        std::int32_t* count_row = counts + s * kCountColumns;
        if (n == 0) {
            std::fill(row, row + kColumns, empty);
            std::fill(count_row, count_row + kCountColumns, 0);
            trees[s] = 0;
            continue;
        }
        if (tables.right_branching) {
            p = turn(p, n, turned);
        }
        if (!score_short(p, n, tables, row, count_row, trees + s)) {
            return false;
        }
    }
    return true;
}

KILTER_MULTIVERSION
bool score_short_trees(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores) {
    std::int32_t turned[kShortLength];
    for (std::int64_t s = first; s < last; ++s) {
        const std::int32_t* p = values + offsets[s];
        const int n = static_cast<int>(offsets[s + 1] - offsets[s]);
        double pef = n == 0 ? empty : 1.0;
        double pet = pef;
        if (n > 0) {
            if (tables.right_branching) {
                p = turn(p, n, turned);
            }
            Word seen = 0;
            const Runs runs = find_runs(p, n, seen);
            if (!is_full(seen, n)) {
                return false;
            }
            if (n > 1) {
                ShortTree tree(tables);
                tree.run(p, n, runs);
                pef = tree.pef;
                pet = tree.pet;
            }
        }
        scores[2 * s] = pef;
        scores[2 * s + 1] = pet;
    }
    return true;
}

}  // namespace kilter
