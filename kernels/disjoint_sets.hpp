// Sets of words that have none in common, which are joined and never parted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "work_vector.hpp"

namespace kilter {

class DisjointSets {
public:
    explicit DisjointSets(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0); }
    std::int32_t find(std::int32_t word) {
        while (above_[word] != word) {
            above_[word] = above_[above_[word]];
            word = above_[word];
        }
        return word;
    }
    // Whether they were apart.
    bool join(std::int32_t one, std::int32_t other) {
        one = find(one);
        other = find(other);
        above_[one] = other;
        return one != other;
    }

private:
    PlainVector<std::int32_t> above_;
};

}  // namespace kilter
