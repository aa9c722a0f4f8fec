#include "tree_edit.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "edit_cost.hpp"
#include "edit_lanes.hpp"
#include "edit_side.hpp"
#include "postorder.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// All pairs of one thread.
class TreeEditor {
public:
    void compare(const std::int32_t* first, std::int64_t first_size, const std::int32_t* second,
                 std::int64_t second_size, const LinkRows& links, std::int64_t segment, bool only_long,
                 std::int64_t* row) {
        if (first_size == 0 || second_size == 0) {
            write_unlinked(first_size + second_size, row);
            return;
        }
        if (first_size > kMostEditCells / second_size) {
            std::fill(row, row + kEditColumns, -1);
            return;
        }
        const double steps =
            choose_side(first, static_cast<std::int32_t>(first_size), second, static_cast<std::int32_t>(second_size));
        if (steps > static_cast<double>(kMostTreeSteps)) {
            std::fill(row, row + kEditColumns, -1);
            return;
        }
        links_.load(links, segment, first_.size(), second_.size());
        if (only_long || first_size + second_size >= kNarrowWords || !LaneSolver::fits(first_, second_)) {
            side_distances(first_, second_, links_, row);
            return;
        }
        const EditLanes found = lanes_.run(first_, second_, links_);
        write_edit_row({found[0], found[1], found[2], found[3]}, kNarrowShift, row);
    }

private:
    // Puts both trees into the postorder that has fewer subproblems, and returns how many.
    double choose_side(const std::int32_t* first, std::int32_t first_size, const std::int32_t* second,
                       std::int32_t second_size) {
        first_.build(first, first_size, false);
        second_.build(second, second_size, false);
        const auto steps = [](std::int64_t one, std::int64_t other) {
            return static_cast<double>(one) * static_cast<double>(other);
        };
        const double left = steps(first_.steps(), second_.steps());
        const double right = steps(first_.mirrored_steps(), second_.mirrored_steps());
        if (right < left) {
            first_.build(first, first_size, true);
            second_.build(second, second_size, true);
        }
        return std::min(left, right);
    }

    Postorder first_, second_;
    SegmentLinks links_;
    LaneSolver lanes_;
};

}  // namespace

void edit_distances(const TreeRows& first, const TreeRows& second, const TreePairs& pairs, const LinkRows& links,
                    int jobs, std::int64_t* rows, bool only_long) {
    // Blocks of about equal work: a pair costs about the product of its lengths.
    PlainVector<std::int64_t> work(static_cast<std::size_t>(pairs.count) + 1, 0);
    for (std::int64_t pair = 0; pair < pairs.count; ++pair) {
        const std::int64_t product = (first.length(pairs.firsts[pair]) + 1) * (second.length(pairs.seconds[pair]) + 1);
        work[pair + 1] = work[pair] + std::min(product, std::int64_t{1} << 32);
    }
    for_each_block(work.data(), pairs.count, jobs, [&](std::int64_t begin, std::int64_t end) {
        TreeEditor editor;
        Pace pace;
        for (std::int64_t pair = begin; pair < end; ++pair) {
            pace.work(work[static_cast<std::size_t>(pair) + 1] - work[static_cast<std::size_t>(pair)]);
            const std::int64_t one = pairs.firsts[pair];
            const std::int64_t other = pairs.seconds[pair];
            editor.compare(first.begin(one), first.length(one), second.begin(other), second.length(other), links,
                           pairs.segments[pair], only_long, rows + pair * kEditColumns);
        }
    });
}

}  // namespace kilter
