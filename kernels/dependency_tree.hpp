// Dependency trees of many segments, and whether heads make trees.
#pragma once

#include <cstdint>

#include "batch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Heads are zero-based in their own tree; the root has -1.
using TreeRows = Batch;

struct TreeFault {
    enum class Kind { kNone, kOutside, kCycle };
    Kind kind = Kind::kNone;
    std::int64_t word = 0;  // whose head lies outside the sentence, or that is part of a cycle
};

// Finds heads that lie outside their sentence, and cycles; there may be several roots. The bindings check trees with
// it, kernels assert that they did.
class TreeCheck {
public:
    TreeFault find(const std::int32_t* heads, std::int64_t words) {
        reached_.assign(words, -1);
        for (std::int32_t start = 0; start < words; ++start) {
            std::int32_t word = start;
            while (word >= 0 && reached_[word] < 0) {
                reached_[word] = start;
                if (heads[word] < -1 || heads[word] >= words) {
                    return {TreeFault::Kind::kOutside, word};
                }
                word = heads[word];
            }
            if (word >= 0 && reached_[word] == start) {
                return {TreeFault::Kind::kCycle, word};
            }
        }
        return {};
    }
    bool is_forest(const std::int32_t* heads, std::int64_t words) {
        return find(heads, words).kind == TreeFault::Kind::kNone;
    }

private:
    PlainVector<std::int32_t> reached_;  // by word: the one from which it was reached first
};

// Which trees are compared, and whose links apply: one entry of each array per comparison.
struct TreePairs {
    const std::int64_t* firsts;
    const std::int64_t* seconds;
    const std::int64_t* segments;
    std::int64_t count;
};

}  // namespace kilter
