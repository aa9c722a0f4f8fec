// Union-find (disjoint sets): sets that are joined and never parted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "work_vector.hpp"

namespace kilter {

class UnionFind {
public:
    explicit UnionFind(std::int64_t size = 0) { reset(size); }
    // Makes `size` sets of one element each.
    void reset(std::int64_t size) {
        parent_.resize(size);
        std::iota(parent_.begin(), parent_.end(), 0);
    }
    // Adds a set of one new element.
    void add() { parent_.push_back(static_cast<std::int32_t>(parent_.size())); }
    // The representative of an element's set; halves the path to it.
    std::int32_t find(std::int32_t element) {
        while (parent_[element] != element) {
            parent_[element] = parent_[parent_[element]];
            element = parent_[element];
        }
        return element;
    }
    // Joins two sets under the representative of the second; false if they were one already.
    bool join(std::int32_t one, std::int32_t other) {
        one = find(one);
        other = find(other);
        parent_[one] = other;
        return one != other;
    }

private:
    PlainVector<std::int32_t> parent_;
};

}  // namespace kilter
