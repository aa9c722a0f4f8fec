#include "match_enumeration.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace kilter {

bool MatchEnumeration::solve(const MatchComponent& component, std::int64_t max_nodes,
                             std::int64_t& steps, MatchChoice& choice) {
    const std::int32_t rows = component.rows();
    if (component.cols > 64 || rows > 64) {
        return false;
    }
    alone_left_.clear();
    for (const MatchComponent::Group& group : component.groups) {
        if (!group.complete) {
            return false;
        }
        alone_left_.push_back(std::max(0, group.rows - group.cols));
    }
    component_ = &component;
    least_from_.assign(static_cast<std::size_t>(rows) + 1, 0);
    for (std::int32_t row = rows - 1; row >= 0; --row) {
        const auto r = static_cast<std::size_t>(row);
        std::int64_t least = alone_left_[component.row_group[r]] > 0
                                 ? 0
                                 : std::numeric_limits<std::int64_t>::max();
        for (std::int32_t p = component.begin(row); p < component.end(row); ++p) {
            const MatchComponent::Pair& pair = component.at(p);
            least = std::min(least, pair.cost - (pair.before >= 0 ? 2 * component.unit : 0));
        }
        least_from_[r] = least_from_[r + 1] + least;
    }
    current_.assign(rows, -1);
    best_ = &choice;
    best_cost_ = std::numeric_limits<std::int64_t>::max();
    used_ = 0;
    nodes_left_ = max_nodes;
    visit(0, 0);
    steps += max_nodes - nodes_left_;
    return nodes_left_ > 0;
}

// Rows in order, columns ascending, staying alone last: the first choice of a cost is the smallest list.
void MatchEnumeration::visit(std::int32_t row, std::int64_t cost) {
    const auto r = static_cast<std::size_t>(row);
    if (nodes_left_ <= 0 || cost + least_from_[r] >= best_cost_) {
        return;
    }
    --nodes_left_;
    pace_.work(8);
    const MatchComponent& component = *component_;
    if (row == component.rows()) {
        best_cost_ = cost;
        *best_ = current_;
        return;
    }
    for (std::int32_t p = component.begin(row); p < component.end(row); ++p) {
        const MatchComponent::Pair& pair = component.at(p);
        if (used_ >> pair.col & 1U) {
            continue;
        }
        std::int64_t price = pair.cost;
        if (component.rule == MatchRule::kCrossings) {
            price += 2 * component.unit * std::popcount(used_ >> pair.col);
        } else if (pair.before >= 0 && current_[r - 1] == pair.before) {
            price -= 2 * component.unit;
        }
        current_[r] = p;
        used_ |= std::uint64_t{1} << pair.col;
        visit(row + 1, cost + price);
        used_ &= ~(std::uint64_t{1} << pair.col);
    }
    current_[r] = -1;
    std::int32_t& alone = alone_left_[component.row_group[r]];
    if (alone > 0) {
        --alone;
        visit(row + 1, cost);
        ++alone;
    }
}

}  // namespace kilter
