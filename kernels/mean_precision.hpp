// Geometric means of many rows, in the arithmetic of Python's math.log, sum and math.exp.
#pragma once

#include <cstdint>

namespace kilter {

// exp(sum of logarithms / columns) of each row. Python's sum() of floats is compensated from 3.12 on;
// results are to equal those of a program in the same Python, bit for bit.
void geometric_means(const double* rows, std::int64_t count, std::int64_t columns, bool compensated,
                     double* means);

}  // namespace kilter
