// A dependency tree in both postorders, and the paths down it along which trees are taken apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "postorder.hpp"
#include "work_vector.hpp"

namespace kilter {

// From a word to a leaf: always to the first child, to the last one, or to the one with most words below.
enum class EditPath : std::int32_t { kLeft, kRight, kHeavy };
inline constexpr int kEditPaths = 3;

// A node is a word's place in the postorder from the left. Side 0 is that postorder, side 1 the one from
// the right, which read backwards is the preorder.
class EditTree {
public:
    void build(const std::int32_t* heads, std::int32_t size);

    std::int32_t size() const { return orders_[0].size(); }
    const Postorder& order(int side) const { return orders_[static_cast<std::size_t>(side)]; }
    std::int32_t place(int side, std::int32_t node) const { return side == 0 ? node : turned_[node]; }
    std::int32_t node(int side, std::int32_t place) const { return side == 0 ? place : nodes_[place]; }
    // The place of a word in the preorder that goes with a side.
    std::int32_t preorder(int side, std::int32_t place) const {
        return size() - 1 - (side == 0 ? turned_[place] : nodes_[place]);
    }
    std::int32_t parent(std::int32_t node) const { return orders_[0].parent(node); }
    std::int32_t words(std::int32_t node) const { return node - orders_[0].leftmost(node) + 1; }
    bool leaf(std::int32_t node) const { return orders_[0].leftmost(node) == node; }

    // The child of an inner node that a path goes on with.
    std::int32_t next(EditPath path, std::int32_t node) const {
        switch (path) {
            case EditPath::kLeft:
                return nodes_[turned_[node] - 1];
            case EditPath::kRight:
                return node - 1;
            default:
                return heavy_[node];
        }
    }
    // Calls of each child of a node, the last first.
    template <class Visit>
    void for_each_child(std::int32_t node, Visit visit) const {
        const std::int32_t begin = orders_[0].leftmost(node);
        for (std::int32_t child = node - 1; child >= begin; child = orders_[0].leftmost(child) - 1) {
            visit(child);
        }
    }
    // Words on the heavy path below a node, itself among them.
    std::int32_t heavy_length(std::int32_t node) const { return heavy_length_[node]; }
    // Columns of a side: words and one more of every inner keyroot in the subtree, itself among them.
    double columns(int side, std::int32_t node) const {
        return beside_[static_cast<std::size_t>(side)][node] + words(node) + 1;
    }

private:
    std::array<Postorder, 2> orders_;
    PlainVector<std::int32_t> turned_, nodes_;  // from side 0 to side 1, and back
    PlainVector<std::int32_t> heavy_, heavy_length_;
    std::array<PlainVector<double>, 2> beside_;  // columns of keyroots that hang from a side's path
};

}  // namespace kilter
