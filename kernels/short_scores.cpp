#include "short_scores.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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

// A node on the shift-reduce stack. The values of those of its children that are no leaves are the top of the
// value stack from `base` on. No byte-sized fields: they would stall on store forwarding.
struct ShortNode {
    std::int32_t start, low, high, kind, children, base;
    Word inner;  // the children that are no leaves
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

// Bytes of 0 and 1 as a set of places.
template <int kWidth>
KILTER_INLINE Word as_set(const std::uint8_t (&flags)[kWidth]) {
    Word set = 0;
    for (int k = 0; k < kWidth / 8; ++k) {
        Word eight;
        std::memcpy(&eight, flags + 8 * k, sizeof eight);
        if constexpr (std::endian::native == std::endian::big) {
            eight = __builtin_bswap64(eight);
        }
        set |= (eight * 0x0102040810204080U >> 56) << (8 * k);
    }
    return set;
}

// Looks at `kWidth` pairs of neighbours at once, of which the first n - 1 count.
template <int kWidth>
KILTER_INLINE Runs find_runs(const std::int32_t* p, int n) {
    alignas(kWidth) std::uint8_t rising[kWidth];
    alignas(kWidth) std::uint8_t falling[kWidth];
    for (int i = 0; i < kWidth; ++i) {
        rising[i] = p[i + 1] - p[i] == 1;
    }
    for (int i = 0; i < kWidth; ++i) {
        falling[i] = p[i] - p[i + 1] == 1;
    }
    const Word own = (~Word{0} >> (64 - n)) & ~Word{1};
    return {as_set(rising) << 1 & own, as_set(falling) << 1 & own};
}

// `seen` becomes the set of all values.
template <int kWidth>
KILTER_INLINE FlatCounts count_flat(const std::int32_t* p, int n, const Runs& runs, Word& seen) {
    std::int32_t squares = 0;
    std::int32_t fixed = n - kWidth;  // what lies behind the permutation counts as being in its place
    for (int i = 0; i < kWidth; ++i) {
        const std::int32_t shift = i < n ? p[i] - i : 0;
        squares += shift * shift;
        fixed += shift == 0;
    }
    Word tails = 0;  // smallest tails of increasing subsequences, by value
    std::int64_t inversions = 0;
    for (int i = 0; i < n; ++i) {
        const std::int32_t v = p[i];
        inversions += std::popcount(seen >> v);
        const Word bit = Word{1} << v;
        seen |= bit;
        const Word larger = tails & (~Word{0} << v);
        tails = (tails | bit) ^ (larger & (~larger + 1));
    }
    return {inversions, static_cast<double>(squares), fixed, std::popcount(tails),
            n - std::popcount(runs.rising)};
}

enum class Side { kLeft, kRight };

// Builds the tree and evaluates it on the way; nothing of the tree is kept.
class ShortTree {
public:
    KILTER_INLINE ShortTree(const ShortTables& tables)
        : t_(tables), run_pets_{kLeafValue, 1.0, tables.gamma} {}

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
    // Which of the two a node is, or neither: without a branch, which would be guessed wrong too often.
    static KILTER_INLINE std::int32_t kind_of(bool monotone, bool inverted) {
        static_assert(kLeaf == 0 && kMonotone == 1 && kInverted == 2);
        return static_cast<std::int32_t>(monotone) | static_cast<std::int32_t>(inverted) << 1;
    }

    KILTER_INLINE double own_score(std::int32_t kind) const {
        return run_pets_[kind];
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
        return node.inner == 0 ? own : linear_value(node, own);
    }

    KILTER_INLINE double linear_value(const ShortNode& node, double own) const {
        const double* next = values_ + node.base;
        Word rest = node.inner;
        if ((rest & (rest - 1)) == 0) {
            const std::int32_t c = std::countr_zero(rest);
            return own + (*next - own) *
                             (t_.leaf_weight[static_cast<std::size_t>(c)] *
                              t_.leaf_weight[static_cast<std::size_t>(node.children - 1 - c)]);
        }
        double value = 0.0;
        for (; rest != 0; rest &= rest - 1, ++next) {
            const std::int32_t c = std::countr_zero(rest);
            const double left = flank<Side::kLeft>((node.inner << 1) << (63 - c), c);
            const double right = flank<Side::kRight>((node.inner >> 1) >> c, node.children - 1 - c);
            value += (*next - own) * (left * right);
        }
        return own + value;
    }

    // Walks outward from a child past `length` siblings, of which those in `inner` are no leaves: the nearest is the
    // highest bit on the left, the lowest on the right.
    template <Side kSide>
    KILTER_INLINE double flank(Word inner, std::int32_t length) const {
        const auto leaves = kSide == Side::kLeft ? std::countl_zero(inner) : std::countr_zero(inner);
        std::int32_t x = std::min(leaves, length);
        double weight = t_.leaf_weight[static_cast<std::size_t>(x)];
        double sum = t_.leaf_sum[static_cast<std::size_t>(x)];
        for (; x < length; ++x) {
            sum += weight;
            const Word here = kSide == Side::kLeft ? inner << x >> 63 : inner >> x & 1;
            const double leaf = here != 0 ? 0.0 : weight;
            weight = t_.half_keep[static_cast<std::size_t>(x) + 1] * (sum + leaf);
        }
        return weight;
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
        node->kind = kind_of(up > 0, down > 0);
        node->pet = run_pets_[node->kind];
        node->children = length;
        node->inner = 0;
        node->base = height_;
        seen_ |= (~Word{0} >> (64 - length)) << node->low;
        const std::int32_t last = i + length - 1;
        bool fresh = true;  // the leaves of the run are not on the value stack yet
        while (top_ > 0) {
            node = &stack_[top_];
            ShortNode& below = stack_[top_ - 1];
            const std::int32_t kind =
                kind_of(node->low == below.high + 1, node->high + 1 == below.low);
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
            below.pet = below.inner == 0 ? own : below.pet;
            push(value);
        }
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
            below.inner |= Word{1} << below.children;
            ++below.children;
        } else {
            const double below_value = finish(below);
            if (below_value == kLeafValue) {
                mean = node.pet;
            }
            below.kind = kind;
            below.base = height_;
            below.children = 2;
            below.inner = Word{2} | static_cast<Word>(below_value != kLeafValue);
            push(below_value);
        }
        values_[height_++] = node_value;
        below.pet = t_.beta * own + t_.keep * mean;
    }

    // A child that is a leaf has no value.
    KILTER_INLINE void push(double value) {
        values_[height_] = value;
        height_ += value != kLeafValue;
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
    const double run_pets_[3];  // of a run of leaves, by its kind
    ShortNode stack_[kShortLength + 1];
    double values_[2 * kShortLength];
    std::int32_t top_ = 0, height_ = 0;
    Word seen_ = 0;
};

KILTER_INLINE const std::int32_t* turn(const std::int32_t* p, int n, std::int32_t* turned) {
    for (int i = 0; i < n; ++i) {
        turned[i] = n - 1 - p[n - 1 - i];
    }
    return turned;
}

template <int kWidth>
KILTER_INLINE bool score_short(const std::int32_t* p, int n, const ShortTables& tables,
                               double* scores, std::int32_t* counts, std::uint64_t* trees) {
    const Runs runs = find_runs<kWidth>(p, n);
    Word seen = 0;
    const FlatCounts flat = count_flat<kWidth>(p, n, runs, seen);
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

// The permutations of a block, each with room to read a fixed number of elements from where it begins.
class ShortReader {
    static constexpr std::int64_t kRoom = kShortLength + 1;

public:
    KILTER_INLINE ShortReader(const std::int32_t* values, const std::int64_t* offsets,
                              std::int64_t last, bool turned)
        : values_(values), offsets_(offsets), end_(offsets[last]), turned_(turned), copy_{} {}

    KILTER_INLINE int length(std::int64_t s) const {
        return static_cast<int>(offsets_[s + 1] - offsets_[s]);
    }

    KILTER_INLINE const std::int32_t* at(std::int64_t s, int n) {
        const std::int32_t* p = values_ + offsets_[s];
        if (turned_) {
            return turn(p, n, copy_);
        }
        if (offsets_[s] + kRoom <= end_) {
            return p;
        }
        std::copy(p, p + n, copy_);
        return copy_;
    }

private:
    const std::int32_t* values_;
    const std::int64_t* offsets_;
    std::int64_t end_;
    bool turned_;
    std::int32_t copy_[kRoom];
};

// Most sentences take half of the longest width.
constexpr int kHalf = kShortLength / 2;

}  // namespace

// A right-branching tree is the left-branching one of the permutation turned by 180 degrees, which
// leaves every other score alone.
KILTER_MULTIVERSION
bool score_short_block(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores,
                       std::int32_t* counts, std::uint64_t* trees) {
    ShortReader reader(values, offsets, last, tables.right_branching);
    for (std::int64_t s = first; s < last; ++s) {
        const int n = reader.length(s);
        double* row = scores + s * kColumns;
        std::int32_t* count_row = counts + s * kCountColumns;
        if (n == 0) {
            std::fill(row, row + kColumns, empty);
            std::fill(count_row, count_row + kCountColumns, 0);
            trees[s] = 0;
            continue;
        }
        const std::int32_t* p = reader.at(s, n);
        const bool found =
            n <= kHalf ? score_short<kHalf>(p, n, tables, row, count_row, trees + s)
                       : score_short<kShortLength>(p, n, tables, row, count_row, trees + s);
        if (!found) {
            return false;
        }
    }
    return true;
}

KILTER_MULTIVERSION
bool score_short_trees(const std::int32_t* values, const std::int64_t* offsets, std::int64_t first,
                       std::int64_t last, const ShortTables& tables, double empty, double* scores) {
    ShortReader reader(values, offsets, last, tables.right_branching);
    for (std::int64_t s = first; s < last; ++s) {
        const int n = reader.length(s);
        double* row = scores + 2 * s;
        row[0] = row[1] = n == 0 ? empty : 1.0;
        if (n == 0) {
            continue;
        }
        const std::int32_t* p = reader.at(s, n);
        Word seen = 0;
        for (int i = 0; i < n; ++i) {
            seen |= Word{1} << p[i];
        }
        if (!is_full(seen, n)) {
            return false;
        }
        if (n > 1) {
            ShortTree tree(tables);
            tree.run(p, n, n <= kHalf ? find_runs<kHalf>(p, n) : find_runs<kShortLength>(p, n));
            row[0] = tree.pef;
            row[1] = tree.pet;
        }
    }
    return true;
}

}  // namespace kilter
