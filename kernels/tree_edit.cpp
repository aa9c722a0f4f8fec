#include "tree_edit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "edit_cost.hpp"
#include "edit_lanes.hpp"
#include "postorder.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Working space of one pair of long sentences.
template <class Cost>
struct Tables {
    WorkVector<Cost> trees;    // distances of subtrees: trees[i * second + j]
    WorkVector<Cost> forests;  // distances of forests below one pair of keyroots
    WorkVector<Cost> renames;  // of one word to those of a subtree
    WorkVector<Cost> deletes, deleted, inserts, inserted, least_below;
    std::array<WorkVector<Cost>, 2> rename_bases;  // renames of a word without link, and with one

    // Values of earlier pairs may be read before they are overwritten, and then not used: they must
    // be numbers that can be added, which fresh memory is not.
    void grow(WorkVector<Cost>& table, std::size_t size) {
        if (table.size() < size) {
            table.assign(size, Cost{});
        }
    }
};

// One pair of trees under one cost model: what long sentences take.
template <class Cost>
class Solver {
public:
    Solver(const Postorder& first, const Postorder& second, const SegmentLinks& links,
           const CostTable<Cost>& costs, Tables<Cost>& tables)
        : a_(first), b_(second), links_(links), costs_(costs), t_(tables) {}

    Cost run() {
        prepare();
        for (const std::int32_t x : a_.leaf_keyroots()) {
            compare_first_leaf(x);
        }
        for (const std::int32_t y : b_.leaf_keyroots()) {
            compare_second_leaf(y);
        }
        for (const std::int32_t x : a_.inner_keyroots()) {
            for (const std::int32_t y : b_.inner_keyroots()) {
                compare(x, y);
            }
        }
        return t_.trees[cells() - 1];
    }

    std::size_t cells() const {
        return static_cast<std::size_t>(a_.size()) * static_cast<std::size_t>(b_.size());
    }

    void prepare() {
        const auto rows = static_cast<std::size_t>(a_.size());
        const auto columns = static_cast<std::size_t>(b_.size());
        t_.grow(t_.trees, rows * columns);
        t_.grow(t_.forests, (rows + 1) * (columns + 1));
        t_.renames.resize(columns);
        t_.deletes.resize(rows);
        t_.deleted.resize(rows);
        t_.inserts.resize(columns);
        t_.inserted.resize(columns + 1);
        t_.least_below.resize(std::max(rows, columns));
        for (std::int32_t i = 0; i < a_.size(); ++i) {
            t_.deletes[i] = costs_[links_.first_linked(a_.word(i)) ? kOneLinked : kUnlinked];
        }
        t_.rename_bases[0].resize(columns);
        t_.rename_bases[1].resize(columns);
        t_.inserted[0] = Cost{};
        for (std::int32_t j = 0; j < b_.size(); ++j) {
            const bool linked = links_.second_linked(b_.word(j));
            t_.inserts[j] = costs_[linked ? kOneLinked : kUnlinked];
            t_.inserted[j + 1] = t_.inserted[j] + t_.inserts[j];
            t_.rename_bases[0][j] = t_.inserts[j];
            t_.rename_bases[1][j] = costs_[linked ? kMismatch : kOneLinked];
        }
    }

    // What renaming the first word at a place to the second words from `begin` up to `end` costs.
    const Cost* rename_row(std::int32_t i, std::int32_t begin, std::int32_t end) {
        const std::int32_t word = a_.word(i);
        const WorkVector<Cost>& base = t_.rename_bases[links_.first_linked(word) ? 1 : 0];
        std::copy(base.begin() + begin, base.begin() + end, t_.renames.begin());
        for (const std::int32_t* partner = links_.begin(word); partner != links_.end(word); ++partner) {
            const std::int32_t place = b_.place(*partner);
            if (place >= begin && place < end) {
                t_.renames[place - begin] = costs_[kPartners];
            }
        }
        return t_.renames.data();
    }

    // A leaf against every subtree in closed form: all but one word of the subtree are inserted, and
    // the leaf is renamed to that one; or all are inserted, and the leaf is deleted.
    void compare_first_leaf(std::int32_t x) {
        pace_.work(4 * std::int64_t{b_.size()});
        const Cost* renames = rename_row(x, 0, b_.size());
        Cost* below = t_.least_below.data();
        for (std::int32_t j = 0; j < b_.size(); ++j) {
            below[j] = renames[j] - t_.inserts[j];
        }
        Cost* row = t_.trees.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(b_.size());
        for (std::int32_t j = 0; j < b_.size(); ++j) {
            const std::int32_t parent = b_.parent(j);
            if (parent >= 0) {
                below[parent] = least(below[parent], below[j]);
            }
            row[j] = t_.inserted[j + 1] - t_.inserted[b_.leftmost(j)] +
                     least(t_.deletes[x], below[j]);
        }
    }

    // The same for a leaf of the second tree against every subtree of the first.
    void compare_second_leaf(std::int32_t y) {
        pace_.work(4 * std::int64_t{a_.size()});
        const std::int32_t word = b_.word(y);
        Cost* below = t_.least_below.data();
        for (std::int32_t i = 0; i < a_.size(); ++i) {
            below[i] = t_.rename_bases[links_.first_linked(a_.word(i)) ? 1 : 0][y];
        }
        for (std::int32_t i = 0; i < a_.size(); ++i) {
            const std::int32_t* first = links_.begin(a_.word(i));
            const std::int32_t* last = links_.end(a_.word(i));
            if (std::find(first, last, word) != last) {
                below[i] = costs_[kPartners];
            }
            below[i] = below[i] - t_.deletes[i];
        }
        // Sums of deletions below a place: the word's own, and those of its children's subtrees.
        Cost* deleted = t_.deleted.data();
        std::fill(deleted, deleted + a_.size(), Cost{});
        Cost* column = t_.trees.data() + y;
        for (std::int32_t i = 0; i < a_.size(); ++i) {
            deleted[i] = deleted[i] + t_.deletes[i];
            const std::int32_t parent = a_.parent(i);
            if (parent >= 0) {
                below[parent] = least(below[parent], below[i]);
                deleted[parent] = deleted[parent] + deleted[i];
            }
            column[static_cast<std::size_t>(i) * static_cast<std::size_t>(b_.size())] =
                deleted[i] + least(t_.inserts[y], below[i]);
        }
    }

    // Distances of all forests that begin where the subtrees of two keyroots do. `row[j]` compares what
    // ends at place `begin + i - 1` with what ends at place `other + j - 1`; 0 is the empty forest.
    void compare(std::int32_t x, std::int32_t y) {
        const std::int32_t begin = a_.leftmost(x);
        const std::int32_t other = b_.leftmost(y);
        const std::int32_t height = x - begin + 1;
        const std::int32_t width = y - other + 1;
        const auto stride = static_cast<std::size_t>(width) + 1;
        const std::size_t columns = static_cast<std::size_t>(b_.size());
        Cost* const forests = t_.forests.data();
        const std::int32_t* const starts = b_.leftmost() + other;
        const Cost* const inserts = t_.inserts.data() + other;
        for (std::int32_t j = 0; j <= width; ++j) {
            forests[j] = t_.inserted[other + j] - t_.inserted[other];
        }
        for (std::int32_t i = 1; i <= height; ++i) {
            pace_.work(width);
            const std::int32_t place = begin + i - 1;
            Cost* row = forests + static_cast<std::size_t>(i) * stride;
            const Cost* above = row - stride;
            const Cost deletion = t_.deletes[place];
            Cost* trees = t_.trees.data() + static_cast<std::size_t>(place) * columns + other;
            Cost left = above[0] + deletion;
            row[0] = left;
            if (a_.leftmost(place) == begin) {
                // Both forests may be trees: then the roots are renamed, and the distance is kept.
                const Cost* renames = rename_row(place, other, y + 1);
                for (std::int32_t j = 0; j < width; ++j) {
                    const bool tree = starts[j] == other;
                    const Cost known = trees[j];
                    const Cost renamed = above[j] + renames[j];
                    const Cost apart = forests[starts[j] - other] + known;
                    const Cost joined = tree ? renamed : apart;
                    left = least(least(above[j + 1] + deletion, joined), left + inserts[j]);
                    trees[j] = tree ? left : known;
                    row[j + 1] = left;
                }
            } else {
                const Cost* base =
                    forests + static_cast<std::size_t>(a_.leftmost(place) - begin) * stride;
                for (std::int32_t j = 0; j < width; ++j) {
                    const Cost joined = base[starts[j] - other] + trees[j];
                    left = least(least(above[j + 1] + deletion, joined), left + inserts[j]);
                    row[j + 1] = left;
                }
            }
        }
    }

private:
    const Postorder& a_;
    const Postorder& b_;
    const SegmentLinks& links_;
    const CostTable<Cost>& costs_;
    Tables<Cost>& t_;
    Pace pace_;
};

// All pairs of one thread.
class TreeEditor {
public:
    void compare(const std::int32_t* first, std::int64_t first_size, const std::int32_t* second,
                 std::int64_t second_size, const LinkRows& links, std::int64_t segment,
                 std::int64_t* row) {
        if (first_size == 0 || second_size == 0) {
            write_unlinked(first_size + second_size, row);
            return;
        }
        if (first_size > kMostEditCells / second_size ||
            !choose_side(first, static_cast<std::int32_t>(first_size), second,
                         static_cast<std::int32_t>(second_size))) {
            std::fill(row, row + kEditColumns, -1);
            return;
        }
        links_.load(links, segment, first_.size(), second_.size());
        if (first_size + second_size >= kNarrowWords) {
            compare_one_by_one<std::int64_t>(kWideShift, row);
        } else if (LaneSolver::fits(first_, second_)) {
            const EditLanes found = lanes_.run(first_, second_, links_);
            write_edit_row({found[0], found[1], found[2], found[3]}, kNarrowShift, row);
        } else {
            compare_one_by_one<std::int32_t>(kNarrowShift, row);
        }
    }

private:
    // Puts both trees into the postorder that has fewer subproblems; false if both have too many.
    bool choose_side(const std::int32_t* first, std::int32_t first_size, const std::int32_t* second,
                     std::int32_t second_size) {
        first_.build(first, first_size, false);
        second_.build(second, second_size, false);
        const auto steps = [](std::int64_t one, std::int64_t other) {
            return static_cast<double>(one) * static_cast<double>(other);
        };
        const double left = steps(first_.steps(), second_.steps());
        const double right = steps(first_.mirrored_steps(), second_.mirrored_steps());
        if (std::min(left, right) > static_cast<double>(kMostEditSteps)) {
            return false;
        }
        if (right < left) {
            first_.build(first, first_size, true);
            second_.build(second, second_size, true);
        }
        return true;
    }

    // A long sentence, one model after another. The tables are large and not kept.
    template <class Cost>
    void compare_one_by_one(int shift, std::int64_t* row) {
        Tables<Cost> tables;
        std::array<std::int64_t, kEditModels> found{};
        for (int model = 0; model < kEditModels; ++model) {
            const auto costs = model_costs<Cost>(static_cast<EditModel>(model), shift);
            found[static_cast<std::size_t>(model)] = Solver<Cost>(first_, second_, links_, costs, tables).run();
        }
        write_edit_row(found, shift, row);
    }

    Postorder first_, second_;
    SegmentLinks links_;
    LaneSolver lanes_;
};

}  // namespace

void edit_distances(const TreeRows& first, const TreeRows& second, const TreePairs& pairs,
                    const LinkRows& links, int jobs, std::int64_t* rows) {
    // Blocks of about equal work: a pair costs about the product of its lengths.
    PlainVector<std::int64_t> work(static_cast<std::size_t>(pairs.count) + 1, 0);
    for (std::int64_t pair = 0; pair < pairs.count; ++pair) {
        const std::int64_t product =
            (first.length(pairs.firsts[pair]) + 1) * (second.length(pairs.seconds[pair]) + 1);
        work[pair + 1] = work[pair] + std::min(product, std::int64_t{1} << 32);
    }
    for_each_block(work.data(), pairs.count, jobs, [&](std::int64_t begin, std::int64_t end) {
        TreeEditor editor;
        Pace pace;
        for (std::int64_t pair = begin; pair < end; ++pair) {
            pace.work(work[static_cast<std::size_t>(pair) + 1] - work[static_cast<std::size_t>(pair)]);
            const std::int64_t one = pairs.firsts[pair];
            const std::int64_t other = pairs.seconds[pair];
            editor.compare(first.begin(one), first.length(one), second.begin(other),
                           second.length(other), links, pairs.segments[pair],
                           rows + pair * kEditColumns);
        }
    });
}

}  // namespace kilter
