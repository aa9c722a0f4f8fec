// Inversions: pairs of positions whose values stand in the opposite order.
#pragma once

#include <cstdint>

#include "fenwick.hpp"
#include "work_vector.hpp"

namespace kilter {

// Counts pairs i < j with values[i] > values[j] of a permutation of 0..n-1, one bit per value seen.
class InversionCounter {
public:
    std::int64_t count(const std::int32_t* values, std::int64_t n);

private:
    WorkVector<std::uint64_t> seen_;
    Fenwick<std::int32_t> counts_;  // how many bits of each word are set
};

}  // namespace kilter
