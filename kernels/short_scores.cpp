#include "short_scores.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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

// A part of the permutation that is an interval of values. The values of those of its children that are no leaves
// are the top of the value stack from `base` on. No byte-sized fields: they would stall on store forwarding.
struct ShortNode {
    std::int32_t kind;
    std::int32_t children;  // 1 for a leaf and for a prime node, which have one tree each
    std::int32_t base;      // says nothing while `inner` is empty
    Word inner;             // the children of a linear node that are no leaves
    double pet;             // left-branching PETscore so far; kLeafValue for a leaf
    double pef;             // while `inner` is empty; kLeafValue for a leaf
};

// Where runs of consecutive rising or falling values continue: bit i says that element i continues
// the run of element i - 1.
struct Runs {
    Word rising = 0;
    Word falling = 0;
    std::int32_t fixed = 0;    // elements in their place
    std::int32_t squares = 0;  // of how far elements are from their places
};

// A number for each of sixteen places. Every processor has registers of this width; wider ones would be taken apart
// byte by byte before it is known what a clone of the function is for.
using Places = std::uint8_t __attribute__((vector_size(16)));
using SignedPlaces = std::int8_t __attribute__((vector_size(16)));
inline constexpr Places kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

#ifdef __SSE2__
KILTER_INLINE Places smaller(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_min_epu8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

KILTER_INLINE Places larger(Places a, Places b) {
    return reinterpret_cast<Places>(_mm_max_epu8(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}

// The places where all bits are set; elsewhere none is.
KILTER_INLINE Word as_set(Places flags) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(reinterpret_cast<__m128i>(flags)));
}

// Of signed numbers.
KILTER_INLINE std::int32_t sum_of_squares(Places numbers) {
    const __m128i bytes = reinterpret_cast<__m128i>(numbers);
    const __m128i first = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    const __m128i second = _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8);
    __m128i sums = _mm_add_epi32(_mm_madd_epi16(first, first), _mm_madd_epi16(second, second));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0x4e));
    sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, 0xb1));
    return _mm_cvtsi128_si32(sums);
}
#else
KILTER_INLINE Places smaller(Places a, Places b) { return a < b ? a : b; }

KILTER_INLINE Places larger(Places a, Places b) { return a > b ? a : b; }

KILTER_INLINE Word as_set(Places flags) {
    Word set = 0;
    for (int k = 0; k < 2; ++k) {
        Word eight;
        std::memcpy(&eight, reinterpret_cast<const char*>(&flags) + 8 * k, sizeof eight);
        if constexpr (std::endian::native == std::endian::big) {
            eight = __builtin_bswap64(eight);
        }
        set |= ((eight & 0x0101010101010101U) * 0x0102040810204080U >> 56) << (8 * k);
    }
    return set;
}

KILTER_INLINE std::int32_t sum_of_squares(Places numbers) {
    std::int32_t sum = 0;
    for (int k = 0; k < 16; ++k) {
        const auto number = static_cast<std::int8_t>(numbers[k]);
        sum += number * number;
    }
    return sum;
}
#endif

// As bytes; values are below 64, and what others lie behind the permutation nobody looks at.
KILTER_INLINE Places load_places(const std::int32_t* p) {
    std::uint8_t bytes[16];
    for (int i = 0; i < 16; ++i) {
        bytes[i] = static_cast<std::uint8_t>(p[i]);
    }
    Places places;
    std::memcpy(&places, bytes, sizeof places);
    return places;
}

// All are below 128, so that they may be compared as signed numbers, as every processor can.
KILTER_INLINE Places is_more(Places a, Places b) {
    return reinterpret_cast<Places>(reinterpret_cast<SignedPlaces>(a) > reinterpret_cast<SignedPlaces>(b));
}

KILTER_INLINE Places same_in_all(std::int32_t value) { return Places{} + static_cast<std::uint8_t>(value); }

// Whether a set holds 0 to n - 1 and nothing else; n >= 1.
KILTER_INLINE bool is_full(Word seen, int n) { return seen == ~Word{0} >> (64 - n); }

// Looks at `kWidth` pairs of neighbours at once, of which the first n - 1 count.
template <int kWidth>
KILTER_INLINE Runs find_runs(const std::int32_t* p, int n) {
    Word rising = 0;
    Word falling = 0;
    Word fixed = 0;
    std::int32_t squares = 0;
#pragma GCC unroll 4
    for (int k = 0; k < kWidth; k += 16) {
        const Places here = load_places(p + k);
        const Places step = load_places(p + k + 1) - here;
        rising |= as_set(reinterpret_cast<Places>(step == 1)) << k;
        falling |= as_set(reinterpret_cast<Places>(step == 0xff)) << k;
        const Places places = kPlaces + same_in_all(k);
        const Places shift = (here - places) & is_more(same_in_all(n), places);
        fixed |= as_set(reinterpret_cast<Places>(shift == 0)) << k;
        squares += sum_of_squares(shift);
    }
    const Word own = ~Word{0} >> (64 - n);
    return {rising << 1 & own, falling << 1 & own, std::popcount(fixed & own), squares};
}

// All bits or none.
KILTER_INLINE Word if_set(bool condition) { return ~Word{0} * condition; }

// Compilers make branches of conditions on numbers, not of masks.
KILTER_INLINE double chosen(Word mask, double yes, double no) {
    return std::bit_cast<double>((std::bit_cast<Word>(yes) & mask) | (std::bit_cast<Word>(no) & ~mask));
}

// The number where the mask is set, and 1 elsewhere; the number is at least 1.
KILTER_INLINE std::int32_t one_or(Word mask, std::int32_t number) {
    return 1 + ((number - 1) & static_cast<std::int32_t>(mask));
}

enum class Side { kLeft, kRight };

// The last element of a run with which intervals end that begin before the run.
struct RunEnd {
    Word intervals;      // where they begin
    std::int32_t start;  // of the run
};

// What a tree needs room for, apart from what is kept in registers.
template <int kWidth>
struct TreeRoom {
    explicit TreeRoom(double gamma) : run_scores{kLeafValue, 1.0, gamma} {}

    const double run_scores[3];  // of a run of leaves, by its kind
    ShortNode nodes[kWidth];     // by the place where they begin
    RunEnd ends[kWidth];
    double values[2 * kWidth];
    Places longest[kWidth / 16];  // by value, the longest rising subsequence of smaller ones so far

    // A value that is too large for the width is found out later, and asks for another until then.
    KILTER_INLINE std::int32_t longest_below(std::int32_t value) const {
        return reinterpret_cast<const unsigned char*>(longest)[value & (kWidth - 1)];
    }
};

// Finds the tree and evaluates it on the way; nothing of the tree is kept. A guess at what a permutation does next
// is wrong every other time and costs more than all that depends on it: whatever can be computed instead of decided
// is computed.
template <int kWidth>
class ShortTree {
public:
    KILTER_INLINE ShortTree(const ShortTables& tables, TreeRoom<kWidth>& room) : t_(tables), room_(room) {}

    // Returns false if it is no permutation.
    KILTER_INLINE bool run(const std::int32_t* p, int n) {
        const int ends = find_ends(p, n, find_runs<kWidth>(p, n));
        if (ends < 0) {
            return false;
        }
        for (int k = 0; k < ends; ++k) {
            std::int32_t newest = room_.ends[k].start;
            for (Word left = room_.ends[k].intervals & starts_; left != 0;) {
                const std::int32_t first = 63 - std::countl_zero(left);
                const Word bit = Word{1} << first;
                const Word joined = starts_ & ((Word{2} << newest) - bit);
                left ^= bit;
                starts_ ^= joined ^ bit;
                if (joined == (bit | Word{1} << newest)) {
                    const auto above = static_cast<std::int32_t>(p[newest] > p[first]);
                    join_two(room_.nodes[first], room_.nodes[newest], kInverted - above);
                } else {
                    join_prime(first, joined);
                }
                newest = first;
            }
        }
        pef = finish(room_.nodes[0], room_.nodes[0].children, room_.nodes[0].inner);
        pet = room_.nodes[0].pet;
        return true;
    }

    double pef = 1.0, pet = 1.0, trees = 1.0;
    std::uint64_t exact_trees = 1;
    FlatCounts flat;
    std::int32_t nodes = 0, max_operator = 2;

private:
    // Makes a node of each run and says where there is something to join. From every place on, the lowest and
    // the highest value are known up to the current element: they are as far apart as the places if all values in
    // between are there. What the other scores need is counted by runs as well. Returns -1 if it is no permutation.
    KILTER_INLINE int find_ends(const std::int32_t* p, int n, const Runs& runs) {
        Places lowest[kWidth / 16];
        Places highest[kWidth / 16];
        for (int k = 0; k < kWidth / 16; ++k) {
            lowest[k] = ~Places{};
            highest[k] = Places{};
            room_.longest[k] = Places{};
        }
        starts_ = ~(runs.rising | runs.falling) & ~Word{0} >> (64 - n);
        Word seen = 0;
        std::int32_t inversions = 0;
        std::int32_t rising = 0;
        int ends = 0;
        for (Word left = starts_; left != 0;) {
            const std::int32_t start = std::countr_zero(left);
            left &= left - 1;
            const std::int32_t last = std::min(std::countr_zero(left), n) - 1;
            static_assert(kLeaf == 0 && kMonotone == 1 && kInverted == 2);
            const auto rises = static_cast<std::int32_t>(runs.rising >> 1 >> start & 1);
            const auto falls = static_cast<std::int32_t>(runs.falling >> 1 >> start & 1);
            const std::int32_t kind = rises | falls << 1;
            const std::int32_t turn = (p[start] ^ p[last]) & -falls;
            const std::int32_t low = p[start] ^ turn;
            const std::int32_t high = p[last] ^ turn;
            const std::int32_t length = last - start + 1;
            ShortNode& node = room_.nodes[start];
            node.kind = kind;
            node.children = length;
            node.inner = 0;
            node.pet = node.pef = room_.run_scores[kind];

            inversions += length * std::popcount(seen >> high);
            seen |= (~Word{0} >> (64 - length)) << low;
            const std::int32_t chain = room_.longest_below(low) + high - p[start] + 1;  // all of a rising run
            rising = std::max(rising, chain);
            const Places chain_here = same_in_all(chain);

            const Places low_here = same_in_all(low);
            const Places high_here = same_in_all(high);
            const Places last_here = same_in_all(last);
            Word intervals = 0;
#pragma GCC unroll 4
            for (int k = 0; k < kWidth / 16; ++k) {
                const Places places = kPlaces + same_in_all(16 * k);
                const Places later = is_more(places, last_here);
                lowest[k] = smaller(lowest[k], low_here | later);
                highest[k] = larger(highest[k], high_here & ~later);
                const auto whole = reinterpret_cast<Places>(highest[k] - lowest[k] + places == last_here);
                intervals |= as_set(whole) << (16 * k);
                room_.longest[k] = larger(room_.longest[k], chain_here & is_more(places, low_here));
            }
            intervals &= starts_ & ((Word{1} << start) - 1);
            room_.ends[ends] = {intervals, start};
            ends += intervals != 0;
        }
        // Where a run turns round, a value comes again; all other runs are as many values as places.
        if ((runs.rising & runs.falling << 1) != 0 || (runs.falling & runs.rising << 1) != 0 || !is_full(seen, n)) {
            return -1;
        }
        // No two words of a falling run are in order.
        for (Word falls = runs.falling; falls != 0; falls &= falls << 1) {
            inversions += std::popcount(falls);
        }
        flat = {inversions, static_cast<double>(runs.squares), runs.fixed, rising, n - std::popcount(runs.rising)};
        return ends;
    }

    KILTER_INLINE void count_linear(std::int32_t children) {
        nodes += children - 1;
        trees *= t_.tree_counts[static_cast<std::size_t>(children)];
        exact_trees *= t_.exact_tree_counts[static_cast<std::size_t>(children)];
    }

    // A node that will not grow any more: returns its value and takes its children off the stack. The caller says
    // how many children count, and which are no leaves.
    KILTER_INLINE double finish(const ShortNode& node, std::int32_t children, Word inner) {
        count_linear(children);
        if (inner == 0) {
            return node.pef;
        }
        height_ = node.base;
        return linear_value(node, room_.run_scores[node.kind]);
    }

    KILTER_INLINE double linear_value(const ShortNode& node, double own) const {
        const double* next = room_.values + node.base;
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

    // below becomes [below, newest], or has the newest as its last child if it is of that kind already. A run of the
    // same kind, and a word, are so many leaves; what grew out of a run never is of the same kind.
    KILTER_INLINE void join_two(ShortNode& below, const ShortNode& newest, std::int32_t kind) {
        const double own = room_.run_scores[kind];
        const Word leaves = if_set(newest.kind == kind) | if_set(newest.kind == kLeaf);
        const Word grows = if_set(below.kind == kind);
        const double last = finish(newest, one_or(~leaves, newest.children), newest.inner);
        const double first = finish(below, one_or(~grows, below.children), below.inner & ~grows);
        const Word first_leaf = if_set(first == kLeafValue);

        const Word word = first_leaf & ~grows;
        const double start = chosen(word, own, below.pet);
        const double by_leaves =
            own + (start - own) * t_.power[static_cast<std::size_t>(newest.children)];
        const double mean = chosen(word, newest.pet, 0.5 * (below.pet + newest.pet));
        below.pet = chosen(leaves, by_leaves, t_.beta * own + t_.keep * mean);

        const std::int32_t children = one_or(grows, below.children);
        Word inner = below.inner & grows;
        const auto kept = static_cast<std::int32_t>(if_set(inner != 0));
        below.base = (below.base & kept) | (height_ & ~kept);
        const Word first_inner = ~(first_leaf | grows) & 1;
        const Word last_inner = ~leaves & 1;
        room_.values[height_] = first;
        height_ += static_cast<std::int32_t>(first_inner);
        room_.values[height_] = last;
        height_ += static_cast<std::int32_t>(last_inner);
        below.inner = inner | first_inner | last_inner << children;
        below.children = children + one_or(leaves, newest.children);
        below.kind = kind;
        below.pef = own;
    }

    // These nodes become the parts of one prime node, in the place of the first.
    KILTER_INLINE void join_prime(std::int32_t first, Word joined) {
        double pef_sum = 0.0;
        double pet_sum = 0.0;
        std::int32_t inner = 0;
        std::int32_t parts = 0;
        for (; joined != 0; ++parts) {
            const std::int32_t at = 63 - std::countl_zero(joined);
            joined ^= Word{1} << at;
            const ShortNode& part = room_.nodes[at];
            const double value = finish(part, part.children, part.inner);
            const Word leaf = if_set(part.kind == kLeaf);
            pef_sum += chosen(leaf, 0.0, value);
            pet_sum += chosen(leaf, 0.0, part.pet);
            inner += static_cast<std::int32_t>(~leaf & 1);
        }
        ShortNode& node = room_.nodes[first];
        node.kind = kPrime;
        node.children = 1;
        node.inner = 0;
        node.pef = inner > 0 ? t_.keep * (pef_sum / inner) : 0.0;
        node.pet = inner > 0 ? t_.keep * (pet_sum / inner) : 0.0;
        ++nodes;
        max_operator = std::max(max_operator, parts);
    }

    const ShortTables& t_;
    TreeRoom<kWidth>& room_;
    std::int32_t height_ = 0;
    Word starts_ = 0;  // where the nodes begin that are no children yet
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
    TreeRoom<kWidth> room(tables.gamma);
    ShortTree<kWidth> tree(tables, room);
    if (!tree.run(p, n)) {
        return false;
    }
    write_flat_scores(tree.flat, n, scores);
    counts[kChunks] = static_cast<std::int32_t>(tree.flat.chunks);
    if (n == 1) {
        counts[kNodes] = counts[kMaxOperator] = counts[kPrimal] = 0;
        *trees = 1;
        write_size_scores(n, 0, 0, scores);
        scores[kPetCount] = scores[kPef] = scores[kPet] = 1.0;
        return true;
    }
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

template <int kWidth>
KILTER_INLINE bool score_tree(const std::int32_t* p, int n, const ShortTables& tables, double* row) {
    TreeRoom<kWidth> room(tables.gamma);
    ShortTree<kWidth> tree(tables, room);
    if (!tree.run(p, n)) {
        return false;
    }
    row[0] = n == 1 ? 1.0 : tree.pef;
    row[1] = n == 1 ? 1.0 : tree.pet;
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
        if (n == 0) {
            row[0] = row[1] = empty;
            continue;
        }
        const std::int32_t* p = reader.at(s, n);
        const bool found = n <= kHalf ? score_tree<kHalf>(p, n, tables, row)
                                      : score_tree<kShortLength>(p, n, tables, row);
        if (!found) {
            return false;
        }
    }
    return true;
}

}  // namespace kilter
