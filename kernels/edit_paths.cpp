#include "edit_paths.hpp"

#include <algorithm>
#include <vector>

#include "edit_heavy.hpp"
#include "edit_savings.hpp"
#include "edit_side.hpp"

namespace kilter {
namespace {

// Compares two trees along the paths of a strategy, those of subtrees beside a path first.
template <class Cost>
class Follower {
public:
    Follower(const EditTree& first, const EditTree& second, const EditStrategy& strategy,
             const NodeLinks& links)
        : strategy_(strategy), table_(first, second, links), side_(table_), heavy_(table_) {}

    Cost run(const CostTable<Cost>& costs) {
        const Savings<Cost> savings(costs);
        table_.savings = &savings;
        compare_leaves();
        struct Pair {
            std::int32_t first, second;
            bool ready;
        };
        const EditTree& a = *table_.trees[0];
        const EditTree& b = *table_.trees[1];
        std::vector<Pair> waiting;
        if (!a.leaf(a.size() - 1) && !b.leaf(b.size() - 1)) {
            waiting.push_back({a.size() - 1, b.size() - 1, false});
        }
        while (!waiting.empty()) {
            const Pair pair = waiting.back();
            const PathChoice choice = strategy_.choice(pair.first, pair.second);
            if (pair.ready) {
                waiting.pop_back();
                follow(choice, pair.first, pair.second);
                continue;
            }
            waiting.back().ready = true;
            const EditTree& tree = *table_.trees[choice.second ? 1 : 0];
            std::int32_t node = choice.second ? pair.second : pair.first;
            while (!tree.leaf(node)) {
                const std::int32_t next = tree.next(choice.path, node);
                tree.for_each_child(node, [&](std::int32_t child) {
                    if (child != next && !tree.leaf(child)) {
                        waiting.push_back(choice.second ? Pair{pair.first, child, false}
                                                        : Pair{child, pair.second, false});
                    }
                });
                node = next;
            }
        }
        return everything(costs) - table_.saved[table_.cell(a.size() - 1, b.size() - 1)];
    }

private:
    // What it costs to delete the first tree and to insert the second.
    Cost everything(const CostTable<Cost>& costs) const {
        Cost sum = Cost{};
        for (std::size_t own = 0; own < 2; ++own) {
            for (std::int32_t node = 0; node < table_.trees[own]->size(); ++node) {
                sum = sum + costs[table_.links.linked(own, node) ? kOneLinked : kUnlinked];
            }
        }
        return sum;
    }

    // A leaf is joined to one word of a subtree, the one that saves most.
    void compare_leaves() {
        const EditTree& a = *table_.trees[0];
        const EditTree& b = *table_.trees[1];
        std::fill(table_.saved.begin(), table_.saved.end(), Cost{});
        joins_.resize(table_.stride);
        std::vector<std::int32_t> leaves;
        for (std::int32_t j = 0; j < b.size(); ++j) {
            if (b.leaf(j)) {
                leaves.push_back(j);
            }
        }
        for (std::int32_t i = 0; i < a.size(); ++i) {
            table_.pace.work(4 * std::int64_t{b.size()});
            table_.join_row(0, i, 0, 0, b.size() - 1, joins_.data());
            Cost* const row = table_.saved.data() + table_.cell(i, 0);
            if (a.leaf(i)) {
                for (std::int32_t j = 0; j < b.size(); ++j) {
                    row[j] = most(row[j], joins_[j]);
                    if (b.parent(j) >= 0) {
                        row[b.parent(j)] = most(row[b.parent(j)], row[j]);
                    }
                }
            }
            for (const std::int32_t j : leaves) {
                row[j] = most(row[j], joins_[j]);
                if (a.parent(i) >= 0) {
                    Cost& above = table_.saved[table_.cell(a.parent(i), j)];
                    above = most(above, row[j]);
                }
            }
        }
    }

    void follow(PathChoice choice, std::int32_t first, std::int32_t second) {
        const std::size_t own = choice.second ? 1 : 0;
        const std::int32_t node = choice.second ? second : first;
        const std::int32_t other = choice.second ? first : second;
        if (choice.path == EditPath::kHeavy) {
            heavy_.follow(own, node, other);
        } else {
            side_.follow(own, choice.path == EditPath::kLeft ? 0 : 1, node, other);
        }
    }

    const EditStrategy& strategy_;
    SavedTable<Cost> table_;
    SideFollower<Cost> side_;
    HeavyFollower<Cost> heavy_;
    WorkVector<Cost> joins_;
};

}  // namespace

double PathSolver::plan(const std::int32_t* first, std::int32_t first_size, const std::int32_t* second,
                        std::int32_t second_size, int only) {
    first_.build(first, first_size);
    second_.build(second, second_size);
    return strategy_.plan(first_, second_, only);
}

void PathSolver::run(const LinkRows& links, std::int64_t segment, std::int64_t* row) const {
    const NodeLinks nodes(links, segment, first_, second_);
    if (std::int64_t{first_.size()} + second_.size() < kNarrowWords) {
        const EditLanes found = Follower<EditLanes>(first_, second_, strategy_, nodes).run(lane_costs());
        write_edit_row({found[0], found[1], found[2], found[3]}, kNarrowShift, row);
        return;
    }
    Follower<std::int64_t> follower(first_, second_, strategy_, nodes);
    std::array<std::int64_t, kEditModels> found{};
    for (int model = 0; model < kEditModels; ++model) {
        found[static_cast<std::size_t>(model)] =
            follower.run(model_costs<std::int64_t>(static_cast<EditModel>(model), kWideShift));
    }
    write_edit_row(found, kWideShift, row);
}

}  // namespace kilter
