// Prefix sums of counters that change, in logarithmic time: a Fenwick tree [Fenwick 1994].
#pragma once

#include <concepts>
#include <cstddef>

#include "multiversion.hpp"
#include "work_vector.hpp"

namespace kilter {

template <class Value>
class Fenwick {
public:
    // Sets `size` counters to 0.
    void reset(std::integral auto size) { sums_.assign(size + 1, Value{0}); }
    KILTER_INLINE void add(std::integral auto index, Value value) {
        for (auto k = static_cast<std::size_t>(index) + 1; k < sums_.size(); k += k & (~k + 1)) {
            sums_[k] += value;
        }
    }
    // The sum of the first `count` counters.
    KILTER_INLINE Value prefix(std::integral auto count) const {
        Value sum{0};
        for (auto k = static_cast<std::size_t>(count); k > 0; k &= k - 1) {
            sum += sums_[k];
        }
        return sum;
    }

private:
    WorkVector<Value> sums_;  // sums_[k]: of the counters from k minus its lowest bit up to k - 1
};

}  // namespace kilter
