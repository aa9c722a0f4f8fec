// The assignment problem (Hungarian algorithm): cheapest matching of rows to columns, where a row may also stay
// unmatched at a price.
#pragma once

#include <cstdint>

#include "work_vector.hpp"

namespace kilter {

// Shortest augmenting paths with dual prices (Jonker and Volgenant 1987). Costs are at least 0; kForbidden marks pairs
// that cannot be.
class Assignment {
public:
    static constexpr std::int64_t kForbidden = std::int64_t{1} << 61;

    // cost is a matrix of rows x cols; alone is what an unassigned row costs. Adds the number of cells
    // looked at to steps.
    std::int64_t solve(std::int32_t rows, std::int32_t cols, const std::int64_t* cost,
                       std::int64_t alone, std::int64_t& steps);

    std::int32_t column_of(std::int32_t row) const { return column_of_[row]; }
    // Prices with row + column <= cost for every pair, row <= alone, column <= 0, and equality where
    // assigned. Forcing a pair raises the optimum by at least cost - row - column.
    std::int64_t row_price(std::int32_t row) const { return row_price_[row]; }
    std::int64_t column_price(std::int32_t col) const { return column_price_[col]; }

private:
    void augment(std::int32_t start, std::int32_t cols, const std::int64_t* cost,
                 std::int64_t alone, std::int64_t& steps);

    PlainVector<std::int32_t> column_of_;
    PlainVector<std::int32_t> row_of_;
    PlainVector<std::int64_t> row_price_;
    PlainVector<std::int64_t> column_price_;
    PlainVector<std::int64_t> distance_;
    PlainVector<std::int32_t> came_from_;
    PlainVector<std::int32_t> open_;
    PlainVector<std::int32_t> closed_;
};

}  // namespace kilter
