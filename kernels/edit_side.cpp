// Instead of costs, what is saved beyond deleting the first tree and inserting the second is added up and made
// as large as can be: joining two words saves their deletion and insertion, minus the rename. Nothing is saved
// by an empty forest, so that tables need no margins.
#include "edit_side.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "multiversion.hpp"
#include "row_stack.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Columns of a row that are enough for one pass over the first tree: rows stay in the cache.
constexpr std::size_t kEnoughColumns = 2048;

template <class Cost>
KILTER_INLINE Cost most(Cost a, Cost b) {
    return a < b ? b : a;
}

// Either value in each lane; lanes of the mask are all ones or all zeros.
template <class Cost>
KILTER_INLINE Cost either(Cost mask, Cost yes, Cost no) {
    return (mask & yes) | (~mask & no);
}

// Columns of a row: forests of keyroots of the second tree, one keyroot after another.
template <class Cost>
struct Columns {
    PlainVector<std::int32_t> places;  // the last word, counted from the first one that any column has
    PlainVector<std::int32_t> backs;   // the column without that word's subtree
    WorkVector<Cost> keep;             // zero where a keyroot begins: its empty forest
    WorkVector<Cost> spine;            // ones where the forest is a tree
    std::int32_t low = 0, high = 0;    // places of the tree that columns have words of

    void clear(std::int32_t begin) {
        places.clear();
        backs.clear();
        keep.clear();
        spine.clear();
        low = high = begin;
    }
    std::size_t count() const { return places.size(); }

    // All forests that begin where the subtree of a keyroot does, the empty one first.
    void add(const Postorder& order, std::int32_t keyroot) {
        const std::int32_t begin = order.leftmost(keyroot);
        if (count() == 0) {
            low = begin;
        } else if (begin < low) {
            for (std::int32_t& place : places) {
                place += low - begin;
            }
            low = begin;
        }
        high = keyroot;
        const auto empty = static_cast<std::int32_t>(count());
        places.push_back(order.size() - low);  // past all words: nothing is saved there
        backs.push_back(empty);
        keep.push_back(Cost{});
        spine.push_back(Cost{});
        for (std::int32_t place = begin; place <= keyroot; ++place) {
            places.push_back(place - low);
            backs.push_back(empty + order.leftmost(place) - begin);
            keep.push_back(~Cost{});
            spine.push_back(order.leftmost(place) == begin ? ~Cost{} : Cost{});
        }
    }
};

// A row of forests that end with a word whose subtree is not the whole forest: `base` is the row before that
// subtree, `trees` what the subtree saves beside others.
template <class Cost>
KILTER_INLINE void fill_row(const Columns<Cost>& columns, const Cost* above, const Cost* base, const Cost* trees,
                            Cost* row) {
    const std::int32_t* const places = columns.places.data();
    const std::int32_t* const backs = columns.backs.data();
    const Cost* const keep = columns.keep.data();
    const std::size_t count = columns.count();
    Cost left = Cost{};
    for (std::size_t c = 0; c < count; ++c) {
        left = most(most(above[c], base[backs[c]] + trees[places[c]]), left & keep[c]);
        row[c] = left;
    }
}

// A row of forests that are trees: before them there is nothing, and where the other forest is a tree as well,
// the roots may be joined, and what is saved is kept.
template <class Cost>
KILTER_INLINE void fill_tree_row(const Columns<Cost>& columns, const Cost* above, const Cost* joins, Cost* trees,
                                 Cost* row) {
    const std::int32_t* const places = columns.places.data();
    const Cost* const keep = columns.keep.data();
    const Cost* const spine = columns.spine.data();
    const std::size_t count = columns.count();
    Cost left = Cost{};
    Cost corner = Cost{};
    for (std::size_t c = 0; c < count; ++c) {
        const Cost known = trees[places[c]];
        const Cost joined = either(spine[c], corner + joins[places[c]], known);
        corner = above[c];
        left = most(most(corner, joined), left & keep[c]);
        trees[places[c]] = either(spine[c], left, known);
        row[c] = left;
    }
}

KILTER_MULTIVERSION void write_row(const Columns<EditLanes>& columns, const EditLanes* above, const EditLanes* base,
                                   const EditLanes* trees, EditLanes* row) {
    fill_row(columns, above, base, trees, row);
}
void write_row(const Columns<std::int64_t>& columns, const std::int64_t* above, const std::int64_t* base,
               const std::int64_t* trees, std::int64_t* row) {
    fill_row(columns, above, base, trees, row);
}
KILTER_MULTIVERSION void write_tree_row(const Columns<EditLanes>& columns, const EditLanes* above,
                                        const EditLanes* joins, EditLanes* trees, EditLanes* row) {
    fill_tree_row(columns, above, joins, trees, row);
}
void write_tree_row(const Columns<std::int64_t>& columns, const std::int64_t* above, const std::int64_t* joins,
                    std::int64_t* trees, std::int64_t* row) {
    fill_tree_row(columns, above, joins, trees, row);
}

// Compares two trees under all models at once, or under a single one.
template <class Cost>
class SideSolver {
public:
    SideSolver(const Postorder& first, const Postorder& second, const SegmentLinks& links)
        : first_(first),
          second_(second),
          links_(links),
          stride_(static_cast<std::size_t>(second.size()) + 1),
          saved_(static_cast<std::size_t>(first.size()) * stride_) {}

    Cost run(const CostTable<Cost>& costs) {
        costs_ = &costs;
        std::fill(saved_.begin(), saved_.end(), Cost{});
        compare_leaves();
        for (const std::int32_t keyroot : first_.inner_keyroots()) {
            compare(keyroot);
        }
        return everything() - saved_[static_cast<std::size_t>(first_.size()) * stride_ - 2];
    }

private:
    Cost* saved(std::int32_t first) { return saved_.data() + static_cast<std::size_t>(first) * stride_; }

    // What it costs to delete the first tree and to insert the second.
    Cost everything() const {
        Cost sum = Cost{};
        for (std::int32_t i = 0; i < first_.size(); ++i) {
            sum = sum + (*costs_)[links_.first_linked(first_.word(i)) ? kOneLinked : kUnlinked];
        }
        for (std::int32_t j = 0; j < second_.size(); ++j) {
            sum = sum + (*costs_)[links_.second_linked(second_.word(j)) ? kOneLinked : kUnlinked];
        }
        return sum;
    }

    // What joining a word of the first tree to words of the second saves: places low to high.
    void join(std::int32_t place, std::int32_t low, std::int32_t high, Cost* row) const {
        const CostTable<Cost>& costs = *costs_;
        const std::int32_t word = first_.word(place);
        const bool linked = links_.first_linked(word);
        const Cost both = costs[kOneLinked] + costs[kOneLinked] - costs[kMismatch];
        for (std::int32_t j = low; j <= high; ++j) {
            // Where one word has no link, its deletion or insertion is saved.
            row[j - low] = linked && links_.second_linked(second_.word(j)) ? both : costs[kUnlinked];
        }
        for (const std::int32_t* partner = links_.begin(word); partner != links_.end(word); ++partner) {
            const std::int32_t j = second_.place(*partner);
            if (j >= low && j <= high) {
                row[j - low] = costs[kOneLinked] + costs[kOneLinked] - costs[kPartners];
            }
        }
    }

    // A leaf is joined to one word of a subtree, the one that saves most.
    void compare_leaves() {
        joins_.resize(stride_);
        std::vector<std::int32_t> leaves;
        for (std::int32_t j = 0; j < second_.size(); ++j) {
            if (second_.leftmost(j) == j) {
                leaves.push_back(j);
            }
        }
        for (std::int32_t i = 0; i < first_.size(); ++i) {
            pace_.work(4 * std::int64_t{second_.size()});
            join(i, 0, second_.size() - 1, joins_.data());
            Cost* const row = saved(i);
            if (first_.leftmost(i) == i) {
                for (std::int32_t j = 0; j < second_.size(); ++j) {
                    row[j] = most(row[j], joins_[j]);
                    if (second_.parent(j) >= 0) {
                        row[second_.parent(j)] = most(row[second_.parent(j)], row[j]);
                    }
                }
            }
            for (const std::int32_t j : leaves) {
                row[j] = most(row[j], joins_[j]);
                if (first_.parent(i) >= 0) {
                    Cost& above = saved(first_.parent(i))[j];
                    above = most(above, row[j]);
                }
            }
        }
    }

    // The subtree of a keyroot of the first tree against all subtrees of the second.
    void compare(std::int32_t keyroot) {
        columns_.clear(0);
        for (const std::int32_t other : second_.inner_keyroots()) {
            columns_.add(second_, other);
            if (columns_.count() >= kEnoughColumns) {
                compare_columns(keyroot);
                columns_.clear(other + 1);
            }
        }
        if (columns_.count() > 0) {
            compare_columns(keyroot);
        }
    }

    void compare_columns(std::int32_t keyroot) {
        const std::int32_t begin = first_.leftmost(keyroot);
        const std::int32_t low = columns_.low;
        joins_.resize(static_cast<std::size_t>(second_.size() - low) + 1);
        joins_[second_.size() - low] = Cost{};
        rows_.start(columns_.count());
        for (std::int32_t place = begin; place <= keyroot; ++place) {
            pace_.work(static_cast<std::int64_t>(columns_.count()));
            const bool leaf = first_.leftmost(place) == place;
            Cost* const trees = saved(place) + low;
            const Cost* const above = rows_.current();
            const Cost* const base = rows_.before(leaf);
            Cost* const row = rows_.fresh();
            if (first_.leftmost(place) == begin) {
                join(place, low, columns_.high, joins_.data());
                write_tree_row(columns_, above, joins_.data(), trees, row);
            } else {
                write_row(columns_, above, base, trees, row);
            }
            rows_.done(leaf, place == keyroot || first_.leftmost(first_.parent(place)) != first_.leftmost(place));
        }
    }

    const Postorder& first_;
    const Postorder& second_;
    const SegmentLinks& links_;
    const CostTable<Cost>* costs_ = nullptr;
    std::size_t stride_;      // one more than words of the second tree: a pair of no words saves nothing
    WorkVector<Cost> saved_;  // by subtrees of both trees
    WorkVector<Cost> joins_;
    Columns<Cost> columns_;
    RowStack<Cost> rows_;
    Pace pace_;
};

}  // namespace

void side_distances(const Postorder& first, const Postorder& second, const SegmentLinks& links, std::int64_t* row) {
    if (std::int64_t{first.size()} + second.size() < kNarrowWords) {
        const EditLanes costs = SideSolver<EditLanes>(first, second, links).run(lane_costs());
        write_edit_row({costs[0], costs[1], costs[2], costs[3]}, kNarrowShift, row);
        return;
    }
    SideSolver<std::int64_t> solver(first, second, links);
    std::array<std::int64_t, kEditModels> costs{};
    for (int model = 0; model < kEditModels; ++model) {
        costs[static_cast<std::size_t>(model)] =
            solver.run(model_costs<std::int64_t>(static_cast<EditModel>(model), kWideShift));
    }
    write_edit_row(costs, kWideShift, row);
}

}  // namespace kilter
