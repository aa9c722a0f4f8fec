#include "edit_tree.hpp"

namespace kilter {

void EditTree::build(const std::int32_t* heads, std::int32_t size) {
    const auto count = static_cast<std::size_t>(size);
    orders_[0].build(heads, size, false);
    orders_[1].build(heads, size, true);
    turned_.resize(count);
    nodes_.resize(count);
    for (std::int32_t node = 0; node < size; ++node) {
        turned_[node] = orders_[1].place(orders_[0].word(node));
        nodes_[turned_[node]] = node;
    }
    heavy_.assign(count, -1);
    heavy_length_.assign(count, 1);
    for (auto& columns : beside_) {
        columns.assign(count, 0.0);
    }
    for (std::int32_t node = 0; node < size; ++node) {
        if (!leaf(node)) {
            heavy_length_[node] = heavy_length_[heavy_[node]] + 1;
        }
        const std::int32_t above = parent(node);
        if (above < 0) {
            continue;
        }
        if (heavy_[above] < 0 || words(node) > words(heavy_[above])) {
            heavy_[above] = node;
        }
        for (const EditPath path : {EditPath::kLeft, EditPath::kRight}) {
            PlainVector<double>& beside = beside_[path == EditPath::kLeft ? 0 : 1];
            const bool own = leaf(node) || next(path, above) == node;
            beside[above] += beside[node] + (own ? 0 : words(node) + 1);
        }
    }
}

}  // namespace kilter
