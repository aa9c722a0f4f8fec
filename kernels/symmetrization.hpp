// One set of links from the two directions of a word aligner (Och & Ney 2003; Koehn, Och & Marcu 2003).
#pragma once

#include <cstdint>
#include <vector>

namespace kilter {

enum class Symmetrization {
    kForward,
    kReverse,
    kIntersection,
    kUnion,
    kGrowDiag,
    kGrowDiagFinal,
    kGrowDiagFinalAnd,
};

// (source, target) pairs; those of segment s are number offsets[s] to offsets[s + 1].
struct LinkColumn {
    const std::int32_t* links;
    const std::int64_t* offsets;
    std::int64_t segments;
};

// Appends pairs to `links`, sorted within a segment, and sets `offsets`.
void symmetrize(const LinkColumn& forward, const LinkColumn& reverse, Symmetrization rule,
                std::vector<std::int32_t>& links, std::vector<std::int64_t>& offsets);

}  // namespace kilter
