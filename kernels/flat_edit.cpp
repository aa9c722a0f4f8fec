#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "edit_cost.hpp"
#include "threads.hpp"
#include "tree_edit.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Flattened sentences are chains, and their distance is that of strings: two rows of a table.
template <class Cost>
class FlatSolver {
public:
    KILTER_INLINE Cost run(std::int32_t rows, std::int32_t columns, const SegmentLinks& links,
                           const CostTable<Cost>& costs) {
        inserts_.resize(static_cast<std::size_t>(columns));
        joined_.resize(static_cast<std::size_t>(columns));
        row_.resize(static_cast<std::size_t>(columns) + 1);
        mismatches_.resize(static_cast<std::size_t>(columns));
        row_[0] = Cost{};
        for (std::int32_t j = 0; j < columns; ++j) {
            const bool linked = links.second_linked(j);
            inserts_[j] = costs[linked ? kOneLinked : kUnlinked];
            mismatches_[j] = costs[linked ? kMismatch : kOneLinked];
            row_[j + 1] = row_[j] + inserts_[j];
        }
        for (std::int32_t i = 0; i < rows; ++i) {
            pace_.work(columns);
            next_row(i, columns, links, costs);
        }
        return row_[columns];
    }

private:
    KILTER_INLINE void next_row(std::int32_t i, std::int32_t columns, const SegmentLinks& links,
                                const CostTable<Cost>& costs) {
        const bool linked = links.first_linked(i);
        const Cost deletion = costs[linked ? kOneLinked : kUnlinked];
        const Cost* renames = linked ? mismatches_.data() : inserts_.data();
        Cost* row = row_.data();
        Cost* joined = joined_.data();
        for (std::int32_t j = 0; j < columns; ++j) {
            joined[j] = row[j] + renames[j];
        }
        for (const std::int32_t* partner = links.begin(i); partner != links.end(i); ++partner) {
            joined[*partner] = row[*partner] + costs[kPartners];
        }
        Cost left = row[0] + deletion;
        row[0] = left;
        for (std::int32_t j = 0; j < columns; ++j) {
            left = least(least(row[j + 1] + deletion, joined[j]), left + inserts_[j]);
            row[j + 1] = left;
        }
    }

    WorkVector<Cost> inserts_, mismatches_, joined_, row_;
    Pace pace_;
};

KILTER_MULTIVERSION EditLanes solve_flat_lanes(std::int32_t rows, std::int32_t columns, const SegmentLinks& links,
                                               const CostTable<EditLanes>& costs, FlatSolver<EditLanes>& solver) {
    return solver.run(rows, columns, links, costs);
}

}  // namespace

void flat_edit_distances(const std::int64_t* first_lengths, const std::int64_t* second_lengths, const LinkRows& links,
                         int jobs, std::int64_t* rows) {
    PlainVector<std::int64_t> work(static_cast<std::size_t>(links.segments) + 1, 0);
    for (std::int64_t s = 0; s < links.segments; ++s) {
        work[s + 1] = work[s] + std::min((first_lengths[s] + 1) * (second_lengths[s] + 1), std::int64_t{1} << 32);
    }
    const CostTable<EditLanes> costs = lane_costs();
    for_each_block(work.data(), links.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        SegmentLinks own;
        FlatSolver<EditLanes> lanes;
        FlatSolver<std::int64_t> wide;
        for (std::int64_t s = begin; s < end; ++s) {
            std::int64_t* row = rows + s * kEditColumns;
            if (first_lengths[s] == 0 || second_lengths[s] == 0) {
                write_unlinked(first_lengths[s] + second_lengths[s], row);
                continue;
            }
            if (first_lengths[s] > kMostEditSteps / second_lengths[s]) {
                std::fill(row, row + kEditColumns, -1);
                continue;
            }
            const auto height = static_cast<std::int32_t>(first_lengths[s]);
            const auto width = static_cast<std::int32_t>(second_lengths[s]);
            own.load(links, s, height, width);
            if (first_lengths[s] + second_lengths[s] < kNarrowWords) {
                const EditLanes found = solve_flat_lanes(height, width, own, costs, lanes);
                write_edit_row({found[0], found[1], found[2], found[3]}, kNarrowShift, row);
                continue;
            }
            std::array<std::int64_t, kEditModels> found{};
            for (int model = 0; model < kEditModels; ++model) {
                const auto single = model_costs<std::int64_t>(static_cast<EditModel>(model), kWideShift);
                found[static_cast<std::size_t>(model)] = wide.run(height, width, own, single);
            }
            write_edit_row(found, kWideShift, row);
        }
    });
}

}  // namespace kilter
