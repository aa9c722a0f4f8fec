// As many floats as the widest registers hold, and reductions of rows in a fixed order: the same bits on every machine.
#pragma once

#include <cstddef>

#include "multiversion.hpp"

namespace kilter {

inline constexpr std::size_t kLanes = 16;

// To be kept in registers; narrower ones take several.
using Lanes __attribute__((vector_size(kLanes * sizeof(float)), may_alias)) = float;

KILTER_INLINE const Lanes& lanes_at(const float* numbers) { return *reinterpret_cast<const Lanes*>(numbers); }
KILTER_INLINE Lanes& lanes_at(float* numbers) { return *reinterpret_cast<Lanes*>(numbers); }

// The sum of kLanes numbers: halves are added to one another.
KILTER_INLINE float sum_lanes(const float* lanes) {
    float half[kLanes / 2];
    for (std::size_t k = 0; k < kLanes / 2; ++k) {
        half[k] = lanes[k] + lanes[k + kLanes / 2];
    }
    for (std::size_t size = kLanes / 4; size > 0; size /= 2) {
        for (std::size_t k = 0; k < size; ++k) {
            half[k] += half[k + size];
        }
    }
    return half[0];
}

// The greatest of kLanes numbers, which are overwritten.
KILTER_INLINE float max_lanes(float* lanes) {
    for (std::size_t size = kLanes / 2; size > 0; size /= 2) {
        for (std::size_t lane = 0; lane < size; ++lane) {
            lanes[lane] = lanes[lane] > lanes[lane + size] ? lanes[lane] : lanes[lane + size];
        }
    }
    return lanes[0];
}

// The sum of a row, whose size is a multiple of kLanes.
KILTER_INLINE float row_sum(const float* row, std::size_t size) {
    float lanes[kLanes] = {};
    for (std::size_t at = 0; at < size; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += row[at + lane];
        }
    }
    return sum_lanes(lanes);
}

}  // namespace kilter
