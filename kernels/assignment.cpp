#include "assignment.hpp"

#include <numeric>

namespace kilter {

std::int64_t Assignment::solve(std::int32_t rows, std::int32_t cols, const std::int64_t* cost,
                               std::int64_t alone, std::int64_t& steps) {
    column_of_.assign(rows, -1);
    row_of_.assign(cols, -1);
    row_price_.assign(rows, 0);
    column_price_.assign(cols, 0);
    distance_.resize(cols);
    came_from_.resize(cols);
    for (std::int32_t row = 0; row < rows; ++row) {
        augment(row, cols, cost, alone, steps);
    }
    std::int64_t total = 0;
    for (std::int32_t row = 0; row < rows; ++row) {
        const std::int32_t col = column_of_[row];
        total += col < 0 ? alone : cost[std::int64_t{row} * cols + col];
    }
    return total;
}

// Dijkstra over columns from a new row. The path ends at a free column, or at a row of the tree that
// gives up its column and stays alone.
void Assignment::augment(std::int32_t start, std::int32_t cols, const std::int64_t* cost,
                         std::int64_t alone, std::int64_t& steps) {
    distance_.assign(cols, kForbidden);
    open_.resize(cols);
    std::iota(open_.begin(), open_.end(), 0);
    closed_.clear();
    std::int32_t row = start;
    std::int64_t reached = 0;
    std::int64_t leave = kForbidden;
    std::int32_t leaver = -1;
    std::int32_t end = -1;
    for (;;) {
        const std::int64_t base = reached - row_price_[row];
        if (base + alone < leave) {
            leave = base + alone;
            leaver = row;
        }
        const std::int64_t* line = cost + std::int64_t{row} * cols;
        std::int64_t least = kForbidden;
        std::size_t place = 0;
        for (std::size_t k = 0; k < open_.size(); ++k) {
            const std::int32_t col = open_[k];
            if (line[col] < kForbidden) {
                const std::int64_t through = base + line[col] - column_price_[col];
                if (through < distance_[col]) {
                    distance_[col] = through;
                    came_from_[col] = row;
                }
            }
            if (distance_[col] < least) {
                least = distance_[col];
                place = k;
            }
        }
        steps += static_cast<std::int64_t>(open_.size()) + 1;
        if (least >= leave) {
            reached = leave;
            break;
        }
        reached = least;
        const std::int32_t col = open_[place];
        open_[place] = open_.back();
        open_.pop_back();
        if (row_of_[col] < 0) {
            end = col;
            break;
        }
        closed_.push_back(col);
        row = row_of_[col];
    }
    row_price_[start] += reached;
    for (const std::int32_t col : closed_) {
        const std::int64_t rise = reached - distance_[col];
        row_price_[row_of_[col]] += rise;
        column_price_[col] -= rise;
    }
    if (end < 0) {
        if (leaver == start) {
            return;
        }
        end = column_of_[leaver];
        column_of_[leaver] = -1;
    }
    for (;;) {
        const std::int32_t from = came_from_[end];
        row_of_[end] = from;
        std::swap(column_of_[from], end);
        if (from == start) {
            return;
        }
    }
}

}  // namespace kilter
