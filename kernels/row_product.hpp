// Dot products of rows with rows (GEMM with the right side transposed), each added up in an order of its own.
#pragma once

#include <cstddef>

namespace kilter {

// out[i * right_rows + j] is the product of row i of left with row j of right, both of so many columns.
// A product is added up in sixteen lanes, then lane by lane: it depends on its two rows alone, not on rows
// beside them, on threads or on the machine.
void row_products(const float* left, std::size_t left_rows, const float* right, std::size_t right_rows,
                  std::size_t columns, float* out);

}  // namespace kilter
