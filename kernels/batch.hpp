// Segments of numbers (words, zero-based permutations, heads of trees): values and offsets, as in a CSR matrix.
#pragma once

#include <cstdint>

namespace kilter {

struct Batch {
    const std::int32_t* values;
    const std::int64_t* offsets;  // segments + 1 of them, starting at 0
    std::int64_t segments;

    const std::int32_t* begin(std::int64_t segment) const { return values + offsets[segment]; }
    const std::int32_t* end(std::int64_t segment) const { return values + offsets[segment + 1]; }
    std::int64_t length(std::int64_t segment) const { return offsets[segment + 1] - offsets[segment]; }
};

}  // namespace kilter
