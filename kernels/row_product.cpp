#include "row_product.hpp"

#include "lanes.hpp"
#include "multiversion.hpp"

namespace kilter {
namespace {

// Rows of the right side that share one pass over a row of the left side.
constexpr std::size_t kTogether = 4;

template <std::size_t Rows>
KILTER_INLINE void products(const float* left, const float* right, std::size_t columns, float* out) {
    float sums[Rows][kLanes] = {};
    std::size_t at = 0;
    for (; at + kLanes <= columns; at += kLanes) {
        for (std::size_t row = 0; row < Rows; ++row) {
            const float* other = right + row * columns + at;
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                sums[row][lane] += left[at + lane] * other[lane];
            }
        }
    }
    for (std::size_t row = 0; row < Rows; ++row) {
        for (std::size_t lane = 0; at + lane < columns; ++lane) {
            sums[row][lane] += left[at + lane] * right[row * columns + at + lane];
        }
        out[row] = sum_lanes(sums[row]);
    }
}

}  // namespace

KILTER_WIDE_MULTIVERSION void row_products(const float* left, std::size_t left_rows, const float* right,
                                           std::size_t right_rows, std::size_t columns, float* out) {
    for (std::size_t i = 0; i < left_rows; ++i) {
        const float* row = left + i * columns;
        std::size_t j = 0;
        for (; j + kTogether <= right_rows; j += kTogether) {
            products<kTogether>(row, right + j * columns, columns, out + i * right_rows + j);
        }
        for (; j < right_rows; ++j) {
            products<1>(row, right + j * columns, columns, out + i * right_rows + j);
        }
    }
}

}  // namespace kilter
