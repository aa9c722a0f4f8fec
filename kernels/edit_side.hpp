// The path to the first or to the last child of a subtree, against a subtree of the other tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "edit_rows.hpp"
#include "edit_savings.hpp"
#include "row_stack.hpp"

namespace kilter {

template <class Cost>
class SideFollower {
public:
    explicit SideFollower(SavedTable<Cost>& table) : table_(table) {}

    // The first or last path of a subtree of tree `own` against a subtree of the other: Zhang and Shasha's
    // recurrence, some keyroots of the other subtree at a time.
    void follow(std::size_t own, int side, std::int32_t node, std::int32_t other) {
        const EditTree& tree = *table_.trees[1 - own];
        const Postorder& order = tree.order(side);
        const std::int32_t end = tree.place(side, other);
        const PlainVector<std::int32_t>& keyroots = order.inner_keyroots();
        columns_.clear(order.leftmost(end));
        for (auto at = std::lower_bound(keyroots.begin(), keyroots.end(), order.leftmost(end));
             at != keyroots.end() && *at < end; ++at) {
            add_columns(order, *at);
            if (columns_.count() >= kEnoughColumns) {
                compare_columns(own, side, node);
                columns_.clear(*at + 1);
            }
        }
        add_columns(order, end);
        compare_columns(own, side, node);
    }

private:
    static constexpr std::size_t kEnoughColumns = 2048;

    // All forests that begin where the subtree of a keyroot does, the empty one first.
    void add_columns(const Postorder& order, std::int32_t keyroot) {
        const std::int32_t begin = order.leftmost(keyroot);
        if (columns_.count() == 0) {
            columns_.low = begin;
        } else if (begin < columns_.low) {
            for (std::int32_t& place : columns_.places) {
                place += columns_.low - begin;
            }
            columns_.low = begin;
        }
        columns_.high = keyroot;
        const auto empty = static_cast<std::int32_t>(columns_.count());
        columns_.places.push_back(order.size() - columns_.low);  // past all words: nothing is saved there
        columns_.backs.push_back(empty);
        columns_.keep.push_back(Cost{});
        columns_.spine.push_back(Cost{});
        for (std::int32_t place = begin; place <= keyroot; ++place) {
            columns_.places.push_back(place - columns_.low);
            columns_.backs.push_back(empty + order.leftmost(place) - begin);
            columns_.keep.push_back(~Cost{});
            columns_.spine.push_back(order.leftmost(place) == begin ? ~Cost{} : Cost{});
        }
    }

    void compare_columns(std::size_t own, int side, std::int32_t node) {
        const EditTree& tree = *table_.trees[own];
        const EditTree& other = *table_.trees[1 - own];
        const Postorder& order = tree.order(side);
        const std::int32_t end = tree.place(side, node);
        const std::int32_t begin = order.leftmost(end);
        const std::int32_t low = columns_.low;
        const std::int32_t words = columns_.high - low + 1;
        const bool direct = own == 0 && side == 0;
        joins_.resize(static_cast<std::size_t>(other.size() - low) + 1);
        joins_[other.size() - low] = Cost{};
        known_.resize(joins_.size());
        known_[other.size() - low] = Cost{};
        side_rows_.start(columns_.count());
        for (std::int32_t place = begin; place <= end; ++place) {
            table_.pace.work(static_cast<std::int64_t>(columns_.count()) + words);
            const std::int32_t at = tree.node(side, place);
            const bool leaf = order.leftmost(place) == place;
            const bool path = order.leftmost(place) == begin;
            Cost* known = known_.data();
            if (direct) {
                known = table_.saved.data() + table_.cell(at, low);
            } else {
                for (std::int32_t k = 0; k < words; ++k) {
                    known[k] = table_.saved[table_.cell(own, at, other.node(side, low + k))];
                }
            }
            const Cost* const above = side_rows_.current();
            const Cost* const base = side_rows_.before(leaf);
            Cost* const row = side_rows_.fresh();
            if (path) {
                table_.join_row(own, at, side, low, columns_.high, joins_.data());
                side_path_row(columns_, above, joins_.data(), known, row);
                if (!direct) {
                    for (std::int32_t k = 0; k < words; ++k) {
                        table_.saved[table_.cell(own, at, other.node(side, low + k))] = known[k];
                    }
                }
            } else {
                side_row(columns_, above, base, known, row);
            }
            const std::int32_t parent = order.parent(place);
            side_rows_.done(leaf, place == end || order.leftmost(parent) != order.leftmost(place));
        }
    }

    SavedTable<Cost>& table_;
    WorkVector<Cost> joins_, known_;
    Columns<Cost> columns_;
    RowStack<Cost> side_rows_;
};

}  // namespace kilter
