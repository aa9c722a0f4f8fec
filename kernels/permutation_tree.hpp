// The flattened permutation tree: every node is an interval of positions that is also one of values.
#pragma once

#include <cstdint>
#include <vector>

namespace kilter {

// Linear nodes (monotone, inverted) have two or more children in rising or falling order of values;
// prime nodes have four or more, in the order of a primal operator.
enum Kind : std::int32_t { kLeaf = 0, kMonotone = 1, kInverted = 2, kPrime = 3 };

// Nodes in preorder: a node's first child is the next entry, and `next` skips its whole subtree.
struct PermutationTree {
    std::vector<std::int32_t> kind, start, end, low, children, parent, next;

    std::int32_t size() const { return static_cast<std::int32_t>(kind.size()); }
    void resize(std::size_t nodes);
};

// A node under construction: its children form a linked list, so that a linear node can grow.
struct GrowingNode {
    std::int32_t kind, start, end, low, high, children, first_child, last_child, next_sibling;
};

// Builds trees in linear time without recursion; keeps its working space between calls.
class TreeBuilder {
public:
    void build(const std::int32_t* values, std::int32_t n, PermutationTree& tree);

private:
    struct Range {
        std::int32_t low, high;
    };
    struct Seen {
        std::int32_t position, value;
    };

    template <class Oracle>
    bool shift_reduce(const std::int32_t* values, std::int32_t n, Oracle& oracle);
    void find_generators(const std::int32_t* values, std::int32_t n);
    void write_preorder(std::int32_t root, PermutationTree& tree) const;

    std::vector<GrowingNode> nodes_;
    std::vector<std::int32_t> stack_;
    std::vector<std::int32_t> positions_, rightmost_, leftmost_, candidates_;
    std::vector<Range> ranges_;
    std::vector<Seen> seen_;
};

}  // namespace kilter
