// Dependency trees of many segments: heads and offsets, as in a sparse matrix.
#pragma once

#include <cstdint>

namespace kilter {

// Heads are zero-based in their own tree; the root has -1.
struct TreeRows {
    const std::int32_t* heads;
    const std::int64_t* offsets;  // trees + 1 of them, starting at 0
    std::int64_t trees;

    const std::int32_t* begin(std::int64_t tree) const { return heads + offsets[tree]; }
    std::int64_t length(std::int64_t tree) const { return offsets[tree + 1] - offsets[tree]; }
};

// Which trees are compared, and whose links apply: one entry of each array per comparison.
struct TreePairs {
    const std::int64_t* firsts;
    const std::int64_t* seconds;
    const std::int64_t* segments;
    std::int64_t count;
};

}  // namespace kilter
