// The word matching of RIBES: by the shortest context that is unique in both sentences.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"

namespace kilter {

// Links of every segment in the order of the first sentence; a word of the second may be in several.
struct ContextLinks {
    std::vector<std::int32_t> links;
    std::vector<std::int64_t> offsets;
    // Pairs of links whose second words stand in the order of their first ones; equal ones do not count.
    std::vector<std::int64_t> rising;
};

// A word matches where the shortest n-gram that ends with it (tried first) or begins with it occurs once
// in either sentence.
ContextLinks context_match(const Batch& first, const Batch& second, int jobs);

}  // namespace kilter
