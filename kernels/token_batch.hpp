// Segments of words as numbers: values and offsets, as in a sparse matrix.
#pragma once

#include <cstdint>

namespace kilter {

struct TokenBatch {
    const std::int32_t* ids;
    const std::int64_t* offsets;  // segments + 1 of them, starting at 0
    std::int64_t segments;

    const std::int32_t* begin(std::int64_t segment) const { return ids + offsets[segment]; }
    std::int64_t length(std::int64_t segment) const {
        return offsets[segment + 1] - offsets[segment];
    }
};

}  // namespace kilter
