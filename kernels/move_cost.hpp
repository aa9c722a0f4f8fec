// What a block move takes: the words that move, and the words that they pass over.
#pragma once

#include <algorithm>
#include <cstdint>

namespace kilter {

struct MoveCost {
    std::int64_t words = 0;
    std::int64_t distance = 0;

    friend bool operator<(const MoveCost& one, const MoveCost& other) {
        return one.words != other.words ? one.words < other.words : one.distance < other.distance;
    }
    friend MoveCost operator+(const MoveCost& one, const MoveCost& other) {
        return {one.words + other.words, one.distance + other.distance};
    }
};

// What moving the smaller of two blocks over the larger takes.
inline MoveCost move_cost(std::int64_t left, std::int64_t right) {
    return {std::min(left, right), std::max(left, right)};
}

}  // namespace kilter
