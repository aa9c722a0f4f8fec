#include "short_paths.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "dependency_tree.hpp"
#include "multiversion.hpp"

namespace kilter {
namespace {

// A key is compared as a whole: path length, L and L_max, each below 2^10.
constexpr int kField = 10;
constexpr std::int32_t kLow = (1 << kField) - 1;

}  // namespace

bool ShortPaths::fits(const std::int32_t* links, std::int64_t count, std::int64_t first_size,
                      std::int64_t second_size) {
    if (count > kShortLinks || first_size > kShortWords || second_size > kShortWords) {
        return false;
    }
    return std::all_of(links, links + 2 * count,
                       [](std::int32_t word) { return word < kShortWords; });
}

bool ShortPaths::many_to_many(const std::int32_t* links, std::int64_t count) {
    std::uint64_t seen[2] = {0, 0};
    std::uint64_t again[2] = {0, 0};
    for (std::int64_t k = 0; k < count; ++k) {
        for (int side = 0; side < 2; ++side) {
            const std::uint64_t bit = std::uint64_t{1} << links[2 * k + side];
            again[side] |= seen[side] & bit;
            seen[side] |= bit;
        }
    }
    for (std::int64_t k = 0; k < count; ++k) {
        if ((again[0] >> links[2 * k] & again[1] >> links[2 * k + 1] & 1) != 0) {
            return true;
        }
    }
    return false;
}

void ShortPaths::load_ancestors(const std::int32_t* heads, std::int64_t size,
                                std::uint64_t (&ancestors)[kShortWords]) {
    KILTER_ASSERT(TreeCheck().is_forest(heads, size));
    std::fill_n(ancestors, size, 0);
    std::int32_t climbed[kShortWords];
    for (std::int32_t word = 0; word < size; ++word) {
        int count = 0;
        std::int32_t at = word;
        for (; at >= 0 && ancestors[at] == 0; at = heads[at]) {
            climbed[count++] = at;
        }
        std::uint64_t above = at < 0 ? 0 : ancestors[at];
        while (count > 0) {
            above |= std::uint64_t{1} << climbed[--count];
            ancestors[climbed[count]] = above;
        }
    }
}

// Levenshtein distances between all beginnings of the labels on the ways from two words to their roots.
void ShortPaths::fill_tables(const std::int32_t* first_heads, const std::int32_t* first_labels,
                             const std::int32_t* second_heads, const std::int32_t* second_labels) {
    std::int64_t size = 0;
    for (const Node& node : nodes_) {
        size += node.partner_depth * node.depth;
    }
    if (tables_.ssize() < size) {
        tables_.resize(size);
    }
    std::uint8_t* table = tables_.data();
    std::int32_t columns[kShortWords];
    for (Node& node : nodes_) {
        const std::int32_t width = node.depth;
        node.table = table;
        node.stride = width;
        std::int32_t at = node.word;
        for (std::int32_t j = 0; j < width; ++j) {
            table[j] = static_cast<std::uint8_t>(j);
            columns[j] = second_labels[at];
            at = second_heads[at];
        }
        std::int32_t partner = node.partner;
        for (std::int32_t i = 1; i < node.partner_depth; ++i) {
            const std::int32_t label = first_labels[partner];
            partner = first_heads[partner];
            const std::uint8_t* above = table;
            table += width;
            int left = i;
            table[0] = static_cast<std::uint8_t>(i);
            for (std::int32_t j = 1; j < width; ++j) {
                const int replaced = above[j - 1] + (label != columns[j - 1] ? 1 : 0);
                left = std::min(replaced, std::min<int>(above[j], left) + 1);
                table[j] = static_cast<std::uint8_t>(left);
            }
        }
        table += width;
    }
}

struct ShortPathSteps {
    using Node = ShortPaths::Node;

    // The key of two links: what their ways up to what they have in common differ by.
    template <PathKind kind>
    KILTER_INLINE static std::int32_t key(const Node& a, const Node& b) {
        const bool turned = (a.word < b.word) != (a.partner < b.partner);
        std::int32_t up = 0, partner_up = 0, down = 0, partner_down = 0, length = 0;
        if constexpr (kind != PathKind::kFlat) {
            const std::int32_t common = std::popcount(a.above & b.above);
            up = a.depth - common;
            down = b.depth - common;
        }
        if constexpr (kind == PathKind::kFlat || kind == PathKind::kReference) {
            length = up + down;
            up = std::max(a.word - b.word, 0);
            down = std::max(b.word - a.word, 0);
            partner_up = std::max(a.partner - b.partner, 0);
            partner_down = std::max(b.partner - a.partner, 0);
        } else {
            const std::int32_t common = std::popcount(a.partner_above & b.partner_above);
            partner_up = a.partner_depth - common;
            partner_down = b.partner_depth - common;
        }
        std::int32_t cost = turned ? 1 : 0;
        if constexpr (kind == PathKind::kLabels) {
            cost += a.table[partner_up * a.stride + up] + b.table[partner_down * b.stride + down];
        } else {
            cost += std::abs(up - partner_up) + std::abs(down - partner_down);
        }
        const std::int32_t most = std::max(up, partner_up) + 1 + std::max(down, partner_down);
        const bool shared = a.word == b.word || a.partner == b.partner;
        const std::int32_t found = (length << 2 * kField) + (cost << kField) + most;
        return shared ? 0 : found;
    }

    template <PathKind kind>
    KILTER_INLINE static void span(PlainVector<Node>& nodes, std::int64_t* row) {
        Node* const left = nodes.data();
        std::size_t count = nodes.size();
        Node joined = left[--count];
        for (std::size_t k = 0; k < count; ++k) {
            left[k].best = std::int32_t{1} << 30;
        }
        std::int64_t cost = 0;
        std::int64_t most = 0;
        while (count > 0) {
            std::int32_t least = std::int32_t{1} << 30;
            std::size_t place = 0;
            for (std::size_t k = 0; k < count; ++k) {
                const std::int32_t best = std::min(left[k].best, key<kind>(left[k], joined));
                left[k].best = best;
                place = best < least ? k : place;
                least = std::min(best, least);
            }
            cost += least >> kField & kLow;
            most += least & kLow;
            joined = left[place];
            left[place] = left[--count];
        }
        row[0] = cost;
        row[1] = most;
    }

    KILTER_INLINE static void span_as(PathKind kind, PlainVector<Node>& nodes, std::int64_t* row) {
        switch (kind) {
            case PathKind::kLabels:
                return span<PathKind::kLabels>(nodes, row);
            case PathKind::kStructure:
                return span<PathKind::kStructure>(nodes, row);
            case PathKind::kFlat:
                return span<PathKind::kFlat>(nodes, row);
            case PathKind::kReference:
                return span<PathKind::kReference>(nodes, row);
        }
    }
};

namespace {

KILTER_MULTIVERSION
void span_nodes(PathKind kind, PlainVector<ShortPathSteps::Node>& nodes, std::int64_t* row) {
    ShortPathSteps::span_as(kind, nodes, row);
}

}  // namespace

void ShortPaths::compare(PathKind kind, const std::int32_t* first_heads,
                         const std::int32_t* first_labels, std::int64_t first_size,
                         const std::int32_t* second_heads, const std::int32_t* second_labels,
                         std::int64_t second_size, const std::int32_t* links, std::int64_t count,
                         std::int64_t* row) {
    row[0] = row[1] = 0;
    if (count < 2) {
        return;
    }
    const bool both = kind == PathKind::kLabels || kind == PathKind::kStructure;
    if (both) {
        load_ancestors(first_heads, first_size, partner_ancestors_);
    }
    if (kind != PathKind::kFlat) {
        load_ancestors(second_heads, second_size, ancestors_);
    }
    nodes_.resize(count);
    for (std::int64_t k = 0; k < count; ++k) {
        Node& node = nodes_[k];
        node.partner = links[2 * k];
        node.word = links[2 * k + 1];
        node.above = kind == PathKind::kFlat ? 0 : ancestors_[node.word];
        node.partner_above = both ? partner_ancestors_[node.partner] : 0;
        node.depth = std::popcount(node.above);
        node.partner_depth = std::popcount(node.partner_above);
    }
    if (kind == PathKind::kLabels) {
        fill_tables(first_heads, first_labels, second_heads, second_labels);
    }
    span_nodes(kind, nodes_, row);
}

}  // namespace kilter
