// Path disparities of sentences of at most 64 words: ancestors as bits of a machine word.
#pragma once

#include <cstdint>

#include "derp.hpp"
#include "work_vector.hpp"

namespace kilter {

inline constexpr std::int64_t kShortWords = 64;
inline constexpr std::int64_t kShortLinks = 256;

// Prim's algorithm that computes every pair of links when it looks at it. Links must not be
// many-to-many, except with PathKind::kReference. Keeps its tables between segments.
class ShortPaths {
public:
    // Whether links are few, and between words that have places in a machine word.
    static bool fits(const std::int32_t* links, std::int64_t count, std::int64_t first_size,
                     std::int64_t second_size);

    // Whether some link joins two words that both have other partners; the links fit.
    static bool many_to_many(const std::int32_t* links, std::int64_t count);

    // Writes the sums of L and L_max. `first_*` belong to hypotheses; heads and labels that the kind does
    // not look at may be null.
    void compare(PathKind kind, const std::int32_t* first_heads, const std::int32_t* first_labels,
                 std::int64_t first_size, const std::int32_t* second_heads,
                 const std::int32_t* second_labels, std::int64_t second_size,
                 const std::int32_t* links, std::int64_t count, std::int64_t* row);

private:
    friend struct ShortPathSteps;

    // One link that is not in the spanning tree yet.
    struct Node {
        std::uint64_t above, partner_above;  // ancestors of the second word and of the first, and itself
        std::int32_t word, partner;
        std::int32_t depth, partner_depth;  // one more than the edges to the root
        const std::uint8_t* table;          // label distances, a row per label above the first word
        std::int32_t stride;
        std::int32_t best;
    };

    void load_ancestors(const std::int32_t* heads, std::int64_t size,
                        std::uint64_t (&ancestors)[kShortWords]);
    void fill_tables(const std::int32_t* first_heads, const std::int32_t* first_labels,
                     const std::int32_t* second_heads, const std::int32_t* second_labels);

    std::uint64_t ancestors_[kShortWords], partner_ancestors_[kShortWords];
    PlainVector<Node> nodes_;
    PlainVector<std::uint8_t> tables_;
};

}  // namespace kilter
