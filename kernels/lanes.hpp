// As many numbers as the widest registers hold, and their sum in a fixed order.
#pragma once

#include <cstddef>

#include "multiversion.hpp"

namespace kilter {

inline constexpr std::size_t kLanes = 16;

// To be kept in registers; narrower ones take several.
using Lanes __attribute__((vector_size(kLanes * sizeof(float)), may_alias)) = float;

KILTER_INLINE const Lanes& lanes_at(const float* place) { return *reinterpret_cast<const Lanes*>(place); }
KILTER_INLINE Lanes& lanes_at(float* place) { return *reinterpret_cast<Lanes*>(place); }

KILTER_INLINE float added_up(const float* lanes) {
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

}  // namespace kilter
