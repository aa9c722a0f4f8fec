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

// `forward` holds a source position for each target word, `reverse` a target position for each source
// word, -1 for none, all sentences one after the other. Appends (source, target) pairs to `links`,
// sorted, and the number of pairs so far to `offsets` after each sentence.
void symmetrize(const std::int32_t* forward, const std::int64_t* target_offsets,
                const std::int32_t* reverse, const std::int64_t* source_offsets,
                std::int64_t sentences, Symmetrization rule, std::vector<std::int32_t>& links,
                std::vector<std::int64_t>& offsets);

}  // namespace kilter
