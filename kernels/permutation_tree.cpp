#include "permutation_tree.hpp"

namespace kilter {

void PermutationTree::resize(std::size_t nodes) {
    for (auto* column : {&kind, &start, &end, &low, &children, &parent, &next}) {
        column->resize(nodes);
    }
}

// Preorder is the order by start, wider nodes first. Nodes with the same start are nested and were
// finished from the inside out, so that filling every start's places from the back sorts them.
void TreeBuilder::build(const std::int32_t* values, std::int32_t n, PermutationTree& tree) {
    shift_reduce_.run(values, n, collector_);
    if (n > 0) {
        collector_.add(collector_.last, n);
    }
    const auto& nodes = collector_.nodes;
    const auto length = static_cast<std::size_t>(n);
    const std::size_t size = length + nodes.size();
    tree.resize(size);
    free_.assign(length + 1, 1);  // every position starts with the place of its leaf
    for (const auto& node : nodes) {
        ++free_[node.start];
    }
    std::int32_t place = -1;
    for (std::size_t i = 0; i < length; ++i) {
        place += free_[i];
        free_[i] = place - 1;
        const auto at = static_cast<std::size_t>(place);
        tree.kind[at] = kLeaf;
        tree.start[at] = static_cast<std::int32_t>(i);
        tree.end[at] = static_cast<std::int32_t>(i) + 1;
        tree.low[at] = values[i];
        tree.children[at] = 0;
    }
    for (const auto& node : nodes) {
        const auto at = static_cast<std::size_t>(free_[node.start]--);
        tree.kind[at] = node.kind;
        tree.start[at] = node.start;
        tree.end[at] = node.end;
        tree.low[at] = node.low;
        tree.children[at] = node.children;
    }
    open_.clear();
    for (std::size_t at = 0; at < size; ++at) {
        while (!open_.empty() && tree.end[open_.back()] <= tree.start[at]) {
            tree.next[open_.back()] = static_cast<std::int32_t>(at);
            open_.pop_back();
        }
        tree.parent[at] = open_.empty() ? -1 : open_.back();
        if (tree.kind[at] == kLeaf) {
            tree.next[at] = static_cast<std::int32_t>(at) + 1;
        } else {
            open_.push_back(static_cast<std::int32_t>(at));
        }
    }
    for (const std::int32_t at : open_) {
        tree.next[at] = static_cast<std::int32_t>(size);
    }
}

}  // namespace kilter
