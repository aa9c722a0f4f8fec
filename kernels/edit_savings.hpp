// What two trees save by joining their words instead of editing them: links, and a table by subtrees.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "edit_cost.hpp"
#include "edit_lanes.hpp"
#include "edit_tree.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// All models as lanes, or a single one.
template <class Cost>
struct ModelLanes {
    using Scalar = Cost;
    static constexpr int kCount = 1;
    static Scalar get(const Cost& value, int) { return value; }
    static void set(Cost& value, int, Scalar lane) { value = lane; }
};
template <>
struct ModelLanes<EditLanes> {
    using Scalar = std::int32_t;
    static constexpr int kCount = kEditModels;
    static Scalar get(const EditLanes& value, int lane) { return value[lane]; }
    static void set(EditLanes& value, int lane, Scalar number) { value[lane] = number; }
};

// Linked words of both trees as nodes.
class NodeLinks {
public:
    NodeLinks(const LinkRows& links, std::int64_t segment, const EditTree& first, const EditTree& second) {
        const std::array<const EditTree*, 2> trees{&first, &second};
        const std::int64_t begin = links.offsets[segment];
        const std::int64_t end = links.offsets[segment + 1];
        for (std::size_t side = 0; side < 2; ++side) {
            const auto node = [&](std::int64_t link, std::size_t end_of) {
                return trees[end_of]->order(0).place(links.pairs[2 * link + static_cast<std::int64_t>(end_of)]);
            };
            PlainVector<std::int64_t>& begins = begins_[side];
            begins.assign(static_cast<std::size_t>(trees[side]->size()) + 2, 0);
            for (std::int64_t link = begin; link < end; ++link) {
                ++begins[node(link, side) + 2];
            }
            for (std::size_t at = 2; at < begins.size(); ++at) {
                begins[at] += begins[at - 1];
            }
            partners_[side].resize(static_cast<std::size_t>(end - begin));
            for (std::int64_t link = begin; link < end; ++link) {
                partners_[side][begins[node(link, side) + 1]++] = node(link, 1 - side);
            }
        }
    }
    const std::int32_t* begin(std::size_t side, std::int32_t node) const {
        return partners_[side].data() + begins_[side][node];
    }
    const std::int32_t* end(std::size_t side, std::int32_t node) const {
        return partners_[side].data() + begins_[side][node + 1];
    }
    bool linked(std::size_t side, std::int32_t node) const {
        return begins_[side][node] != begins_[side][node + 1];
    }

private:
    std::array<PlainVector<std::int64_t>, 2> begins_;
    std::array<PlainVector<std::int32_t>, 2> partners_;
};

// What joining two words saves.
template <class Cost>
struct Savings {
    explicit Savings(const CostTable<Cost>& costs)
        : linked(costs[kOneLinked] + costs[kOneLinked] - costs[kMismatch]),
          other(costs[kUnlinked]),  // the word without link is deleted or inserted at that price
          partners(costs[kOneLinked] + costs[kOneLinked] - costs[kPartners]) {}
    Cost linked, other, partners;
};

// What is saved so far, by subtrees of both trees; whoever follows a path reads it and adds to it.
template <class Cost>
struct SavedTable {
    SavedTable(const EditTree& first, const EditTree& second, const NodeLinks& node_links)
        : trees{&first, &second},
          links(node_links),
          stride(static_cast<std::size_t>(second.size()) + 1),
          saved(static_cast<std::size_t>(first.size()) * stride) {}

    std::size_t cell(std::int32_t first, std::int32_t second) const {
        return static_cast<std::size_t>(first) * stride + static_cast<std::size_t>(second);
    }
    // The cell of a node of tree `own` and one of the other.
    std::size_t cell(std::size_t own, std::int32_t node, std::int32_t other) const {
        return own == 0 ? cell(node, other) : cell(other, node);
    }
    Cost join(bool one, bool other) const { return one && other ? savings->linked : savings->other; }

    // What joining a node of tree `own` to nodes of the other saves: places low to high of a side.
    void join_row(std::size_t own, std::int32_t node, int side, std::int32_t low, std::int32_t high,
                  Cost* row) const {
        const EditTree& other = *trees[1 - own];
        const bool linked = links.linked(own, node);
        for (std::int32_t place = low; place <= high; ++place) {
            row[place - low] = join(linked, links.linked(1 - own, other.node(side, place)));
        }
        for (const std::int32_t* partner = links.begin(own, node); partner != links.end(own, node); ++partner) {
            const std::int32_t place = other.place(side, *partner);
            if (place >= low && place <= high) {
                row[place - low] = savings->partners;
            }
        }
    }

    std::array<const EditTree*, 2> trees;
    const NodeLinks& links;
    const Savings<Cost>* savings = nullptr;
    std::size_t stride;      // one more than words of the second tree: a pair of no words saves nothing
    WorkVector<Cost> saved;  // by subtrees of both trees
    Pace pace;
};

}  // namespace kilter
