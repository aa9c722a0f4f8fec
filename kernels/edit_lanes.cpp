#include "edit_lanes.hpp"

#include <algorithm>
#include <cstddef>

#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Larger than any distance, and small enough that a distance can be added.
constexpr std::int32_t kOutOfReach = std::int32_t{1} << 30;
constexpr EditLanes kFar = {kOutOfReach, kOutOfReach, kOutOfReach, kOutOfReach};

// Entries of the largest table, 16 bytes each: 64 MiB a thread, which holds pairs of some 400 words.
constexpr std::int64_t kMostLaneCells = std::int64_t{1} << 22;

std::int64_t column_count(const Postorder& second) {
    return second.steps() + static_cast<std::int64_t>(second.inner_keyroots().size());
}

// Either value in each lane; lanes of the mask are all ones or all zeros.
KILTER_INLINE EditLanes either(EditLanes mask, EditLanes yes, EditLanes no) { return (mask & yes) | (~mask & no); }

// A table that is at least this large; what it held may be read before it is overwritten, and then not
// used, so that it must hold numbers that can be added.
void grow(WorkVector<EditLanes>& table, std::size_t size) {
    if (table.size() < size) {
        table.assign(size, EditLanes{});
    }
}

}  // namespace

bool LaneSolver::fits(const Postorder& first, const Postorder& second) {
    return (first.size() + std::int64_t{1}) * (column_count(second) + 1) <= kMostLaneCells;
}

struct LaneSteps {
    LaneSolver& s;
    const Postorder& a;
    const Postorder& b;
    const SegmentLinks& links;
    std::size_t stride;  // of rows of trees
    Pace pace{};

    KILTER_INLINE void prepare() {
        const auto rows = static_cast<std::size_t>(a.size());
        const auto columns = static_cast<std::size_t>(b.size());
        grow(s.trees_, rows * stride);
        grow(s.renames_, rows * stride);
        grow(s.deletes_, rows);
        grow(s.deleted_, rows);
        grow(s.inserts_, columns);
        grow(s.inserted_, columns + 1);
        grow(s.mismatches_, columns);
        EditLanes* inserts = s.inserts_.data();
        EditLanes* mismatches = s.mismatches_.data();
        s.inserted_[0] = EditLanes{};
        for (std::int32_t j = 0; j < b.size(); ++j) {
            const bool linked = links.second_linked(b.word(j));
            inserts[j] = s.costs_[linked ? kOneLinked : kUnlinked];
            mismatches[j] = s.costs_[linked ? kMismatch : kOneLinked];
            s.inserted_[j + 1] = s.inserted_[j] + inserts[j];
        }
        for (std::int32_t i = 0; i < a.size(); ++i) {
            const std::int32_t word = a.word(i);
            const bool linked = links.first_linked(word);
            s.deletes_[i] = s.costs_[linked ? kOneLinked : kUnlinked];
            s.trees_[static_cast<std::size_t>(i) * stride + columns] = kFar;
            // To rename a word to one that is not its partner costs what inserting that one does, if
            // the word has no link itself.
            EditLanes* renames = s.renames_.data() + static_cast<std::size_t>(i) * stride;
            const EditLanes* base = linked ? mismatches : inserts;
            std::copy(base, base + columns, renames);
            for (const std::int32_t* partner = links.begin(word); partner != links.end(word); ++partner) {
                renames[b.place(*partner)] = s.costs_[kPartners];
            }
        }
    }

    // A leaf against every subtree in closed form: all but one word of the subtree are inserted, and
    // the leaf is renamed to that one; or all are inserted, and the leaf is deleted. All leaves of the
    // first tree are taken together: `below[j]` has for each the least cost of a rename inside subtree
    // j beyond that of an insertion.
    KILTER_INLINE void compare_first_leaves() {
        const std::vector<std::int32_t>& leaves = a.leaf_keyroots();
        const std::size_t count = leaves.size();
        grow(s.below_, count * static_cast<std::size_t>(b.size()));
        EditLanes* below = s.below_.data();
        for (std::int32_t j = 0; j < b.size(); ++j) {
            for (std::size_t k = 0; k < count; ++k) {
                const EditLanes* renames = s.renames_.data() + static_cast<std::size_t>(leaves[k]) * stride;
                below[static_cast<std::size_t>(j) * count + k] = renames[j] - s.inserts_[j];
            }
        }
        for (std::int32_t j = 0; j < b.size(); ++j) {
            const EditLanes* own = below + static_cast<std::size_t>(j) * count;
            const EditLanes inserted = s.inserted_[j + 1] - s.inserted_[b.leftmost(j)];
            for (std::size_t k = 0; k < count; ++k) {
                const auto leaf = static_cast<std::size_t>(leaves[k]);
                s.trees_[leaf * stride + static_cast<std::size_t>(j)] = inserted + least(s.deletes_[leaf], own[k]);
            }
            lower(below, own, b.parent(j), count);
        }
    }

    // The same for the leaves of the second tree. `deleted` sums the deletions in a subtree.
    KILTER_INLINE void compare_second_leaves() {
        const std::vector<std::int32_t>& leaves = b.leaf_keyroots();
        const std::size_t count = leaves.size();
        grow(s.below_, count * static_cast<std::size_t>(a.size()));
        EditLanes* below = s.below_.data();
        EditLanes* deleted = s.deleted_.data();
        for (std::int32_t i = 0; i < a.size(); ++i) {
            const EditLanes* renames = s.renames_.data() + static_cast<std::size_t>(i) * stride;
            deleted[i] = s.deletes_[i];
            for (std::size_t k = 0; k < count; ++k) {
                below[static_cast<std::size_t>(i) * count + k] = renames[leaves[k]] - s.deletes_[i];
            }
        }
        for (std::int32_t i = 0; i < a.size(); ++i) {
            const EditLanes* own = below + static_cast<std::size_t>(i) * count;
            EditLanes* trees = s.trees_.data() + static_cast<std::size_t>(i) * stride;
            for (std::size_t k = 0; k < count; ++k) {
                trees[leaves[k]] = deleted[i] + least(s.inserts_[leaves[k]], own[k]);
            }
            const std::int32_t parent = a.parent(i);
            lower(below, own, parent, count);
            if (parent >= 0) {
                deleted[parent] = deleted[parent] + deleted[i];
            }
        }
    }

    // What is cheap below a word is cheap below its head.
    KILTER_INLINE static void lower(EditLanes* below, const EditLanes* own, std::int32_t parent, std::size_t count) {
        if (parent < 0) {
            return;
        }
        EditLanes* above = below + static_cast<std::size_t>(parent) * count;
        for (std::size_t k = 0; k < count; ++k) {
            above[k] = least(above[k], own[k]);
        }
    }

    // Lays out the columns, and the row of an empty first forest: everything is inserted.
    KILTER_INLINE std::size_t lay_out() {
        const auto count = static_cast<std::size_t>(column_count(b));
        s.places_.resize(count);
        s.backs_.resize(count);
        grow(s.column_inserts_, count);
        grow(s.spine_, count);
        // A column before the first, so that what is left of every column can be read.
        grow(s.forests_, (static_cast<std::size_t>(a.size()) + 1) * (count + 1));
        EditLanes* row = s.forests_.data() + 1;
        std::int32_t column = 0;
        for (const std::int32_t y : b.inner_keyroots()) {
            const std::int32_t begin = b.leftmost(y);
            const std::int32_t empty = column;
            s.places_[column] = b.size();
            s.backs_[column] = empty;
            s.column_inserts_[column] = kFar;
            s.spine_[column] = EditLanes{};
            row[column] = EditLanes{};
            ++column;
            for (std::int32_t j = begin; j <= y; ++j, ++column) {
                s.places_[column] = j;
                s.backs_[column] = empty + b.leftmost(j) - begin;
                s.column_inserts_[column] = s.inserts_[j];
                s.spine_[column] = b.leftmost(j) == begin ? ~EditLanes{} : EditLanes{};
                row[column] = s.inserted_[j + 1] - s.inserted_[begin];
            }
        }
        return count;
    }

    // All forests below a keyroot of the first tree against all forests of the second.
    KILTER_INLINE void compare(std::int32_t x, std::size_t count) {
        const std::int32_t begin = a.leftmost(x);
        EditLanes* const forests = s.forests_.data() + 1;
        const std::size_t width = count + 1;
        const std::int32_t* const places = s.places_.data();
        const std::int32_t* const backs = s.backs_.data();
        const EditLanes* const inserts = s.column_inserts_.data();
        for (std::int32_t place = begin; place <= x; ++place) {
            pace.work(static_cast<std::int64_t>(count));
            EditLanes* const row = forests + static_cast<std::size_t>(place - begin + 1) * width;
            const EditLanes* const above = row - width;
            const EditLanes* const base = forests + static_cast<std::size_t>(a.leftmost(place) - begin) * width;
            const EditLanes deletion = s.deletes_[place];
            EditLanes* const trees = s.trees_.data() + static_cast<std::size_t>(place) * stride;
            EditLanes left = EditLanes{};
            if (a.leftmost(place) != begin) {
                for (std::size_t c = 0; c < count; ++c) {
                    const EditLanes joined = base[backs[c]] + trees[places[c]];
                    left = least(least(above[c] + deletion, joined), left + inserts[c]);
                    row[c] = left;
                }
                continue;
            }
            // Where both forests are trees, the roots are renamed, and the distance is kept.
            const EditLanes* const renames = s.renames_.data() + static_cast<std::size_t>(place) * stride;
            const EditLanes* const spine = s.spine_.data();
            for (std::size_t c = 0; c < count; ++c) {
                const EditLanes known = trees[places[c]];
                const EditLanes renamed = above[static_cast<std::ptrdiff_t>(c) - 1] + renames[places[c]];
                const EditLanes joined = either(spine[c], renamed, base[backs[c]] + known);
                left = least(least(above[c] + deletion, joined), left + inserts[c]);
                trees[places[c]] = either(spine[c], left, known);
                row[c] = left;
            }
        }
    }

    KILTER_INLINE EditLanes solve() {
        prepare();
        compare_first_leaves();
        compare_second_leaves();
        const std::size_t count = lay_out();
        for (const std::int32_t x : a.inner_keyroots()) {
            compare(x, count);
        }
        return s.trees_[static_cast<std::size_t>(a.size()) * stride - 2];
    }
};

namespace {

KILTER_MULTIVERSION EditLanes solve_lanes(LaneSteps& steps) { return steps.solve(); }

}  // namespace

EditLanes LaneSolver::run(const Postorder& first, const Postorder& second, const SegmentLinks& links) {
    LaneSteps steps{*this, first, second, links, static_cast<std::size_t>(second.size()) + 1, {}};
    return solve_lanes(steps);
}

}  // namespace kilter
