#include "edit_strategy.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "tree_edit.hpp"

namespace kilter {
namespace {

// Measured: a step along a heavy path is half as long as one along a side, for it works on wide registers,
// and every word of the path reads and writes a table once.
constexpr double kHeavyStep = 0.5;
constexpr double kHeavyWord = 3.0;
// What begins a path costs, whatever its length.
constexpr double kSideStart = 200.0;
constexpr double kHeavyStart = 2000.0;
constexpr double kRowStart = 16.0;

double side_steps(const EditTree& rows, std::int32_t row, const EditTree& columns, std::int32_t column,
                  int side) {
    return kSideStart + rows.words(row) * (columns.columns(side, column) + kRowStart);
}

double heavy_steps(const EditTree& rows, std::int32_t row, const EditTree& columns, std::int32_t column) {
    const double words = columns.words(column);
    if (words * words > static_cast<double>(kMostEditCells)) {
        return std::numeric_limits<double>::infinity();
    }
    return kHeavyStart + words * (words + 1.0) / 2.0 *
                             (kHeavyStep * rows.words(row) + kHeavyWord * rows.heavy_length(row));
}

// Inner nodes, children before their parents and the heavy child first: few sums are then waiting at a time.
std::vector<std::int32_t> heavy_first(const EditTree& tree) {
    std::vector<std::int32_t> order;
    std::vector<std::int32_t> waiting{tree.size() - 1};
    while (!waiting.empty()) {
        const std::int32_t node = waiting.back();
        waiting.pop_back();
        order.push_back(node);
        const std::int32_t heavy = tree.next(EditPath::kHeavy, node);
        if (!tree.leaf(heavy)) {
            waiting.push_back(heavy);
        }
        tree.for_each_child(node, [&](std::int32_t child) {
            if (child != heavy && !tree.leaf(child)) {
                waiting.push_back(child);
            }
        });
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// For each path, the steps of what hangs from it: one entry for each inner node of the second tree.
using Hanging = std::array<PlainVector<double>, kEditPaths>;

// What is known of an inner node of the second tree.
struct InnerNode {
    std::int32_t node;
    std::int32_t above;                    // the place of its parent among inner nodes, or -1
    std::array<bool, kEditPaths> on_path;  // whether the parent's paths go on with it
};

std::vector<InnerNode> inner_nodes(const EditTree& tree) {
    PlainVector<std::int32_t> number(static_cast<std::size_t>(tree.size()), -1);
    std::vector<InnerNode> found;
    for (std::int32_t node = 0; node < tree.size(); ++node) {
        if (!tree.leaf(node)) {
            number[node] = static_cast<std::int32_t>(found.size());
            found.push_back({node, tree.parent(node), {}});
        }
    }
    for (InnerNode& inner : found) {
        if (inner.above >= 0) {
            for (int path = 0; path < kEditPaths; ++path) {
                inner.on_path[static_cast<std::size_t>(path)] =
                    tree.next(static_cast<EditPath>(path), inner.above) == inner.node;
            }
            inner.above = number[inner.above];
        }
    }
    return found;
}

void clear(Hanging& hanging, std::size_t count) {
    for (PlainVector<double>& steps : hanging) {
        steps.assign(count, 0.0);
    }
}

}  // namespace

double EditStrategy::plan(const EditTree& first, const EditTree& second, int only) {
    if (first.leaf(first.size() - 1) || second.leaf(second.size() - 1)) {
        return 0.0;
    }
    columns_ = static_cast<std::size_t>(second.size());
    choices_.resize(static_cast<std::size_t>(first.size()) * columns_);
    const std::vector<InnerNode> inner = inner_nodes(second);
    std::vector<std::int32_t> row_of(static_cast<std::size_t>(first.size()), -1);
    std::vector<Hanging> rows;
    std::vector<std::int32_t> free_rows;
    Hanging none;
    clear(none, inner.size());
    Hanging across;  // the same of paths in the second tree, for one node of the first
    PlainVector<double> best(inner.size());
    for (const std::int32_t node : heavy_first(first)) {
        pace_.work(static_cast<std::int64_t>(inner.size()) * 16);
        const std::int32_t own = row_of[static_cast<std::size_t>(node)];
        const Hanging& down = own < 0 ? none : rows[static_cast<std::size_t>(own)];
        clear(across, inner.size());
        std::uint8_t* const chosen = choices_.data() + static_cast<std::size_t>(node) * columns_;
        for (std::size_t k = 0; k < inner.size(); ++k) {
            const std::int32_t other = inner[k].node;
            const std::array<double, kChoices> steps{
                side_steps(first, node, second, other, 0) + down[0][k],
                side_steps(first, node, second, other, 1) + down[1][k],
                heavy_steps(first, node, second, other) + down[2][k],
                side_steps(second, other, first, node, 0) + across[0][k],
                side_steps(second, other, first, node, 1) + across[1][k],
                heavy_steps(second, other, first, node) + across[2][k],
            };
            const auto least = only == kBest ? std::min_element(steps.begin(), steps.end())
                                             : steps.begin() + only;
            chosen[other] = static_cast<std::uint8_t>(least - steps.begin());
            best[k] = *least;
            if (inner[k].above >= 0) {
                for (std::size_t path = 0; path < kEditPaths; ++path) {
                    across[path][inner[k].above] += inner[k].on_path[path] ? across[path][k] : best[k];
                }
            }
        }
        const std::int32_t above = first.parent(node);
        if (above >= 0) {
            std::int32_t& row = row_of[static_cast<std::size_t>(above)];
            if (row < 0) {
                if (free_rows.empty()) {
                    free_rows.push_back(static_cast<std::int32_t>(rows.size()));
                    rows.emplace_back();
                }
                row = free_rows.back();
                free_rows.pop_back();
                clear(rows[static_cast<std::size_t>(row)], inner.size());
            }
            const Hanging& done = own < 0 ? none : rows[static_cast<std::size_t>(own)];
            for (int path = 0; path < kEditPaths; ++path) {
                const bool on_path = first.next(static_cast<EditPath>(path), above) == node;
                const auto at = static_cast<std::size_t>(path);
                const PlainVector<double>& added = on_path ? done[at] : best;
                PlainVector<double>& sum = rows[static_cast<std::size_t>(row)][at];
                for (std::size_t k = 0; k < inner.size(); ++k) {
                    sum[k] += added[k];
                }
            }
        }
        if (own >= 0) {
            free_rows.push_back(own);
        }
    }
    return best.back();
}

}  // namespace kilter
