// Inversions: pairs of positions whose values stand in the opposite order.
#pragma once

#include <cstdint>

#include "work_vector.hpp"

namespace kilter {

// Counts pairs i < j with values[i] > values[j] of a permutation of 0..n-1, one bit per value seen.
class InversionCounter {
public:
    std::int64_t count(const std::int32_t* values, std::int64_t n);

private:
    WorkVector<std::uint64_t> seen_;
    WorkVector<std::int32_t> below_;
};

}  // namespace kilter
