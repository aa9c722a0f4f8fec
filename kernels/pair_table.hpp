// Numbers pairs of integers in the order of their first appearance: 0, 1, 2, ...
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kilter {

// Open addressing with linear probing. Filled anew for every segment, hence small and cheap to clear.
class PairTable {
public:
    static constexpr std::int32_t kAbsent = -1;

    // Forgets everything and makes room for `pairs` distinct pairs.
    void reset(std::size_t pairs) {
        const std::size_t slots = std::bit_ceil(2 * pairs + 2);
        shift_ = 64 - std::countr_zero(slots);
        slots_.assign(slots, Slot{0, kAbsent});
        size_ = 0;
    }

    std::int32_t size() const { return size_; }

    // Returns the number of a pair, a new one if it was never seen.
    std::int32_t insert(std::int32_t first, std::int32_t second) {
        Slot& slot = slot_of(key(first, second));
        if (slot.number == kAbsent) {
            slot = {key(first, second), size_++};
        }
        return slot.number;
    }

    // Returns the number of a pair, or kAbsent.
    std::int32_t find(std::int32_t first, std::int32_t second) {
        return slot_of(key(first, second)).number;
    }

private:
    struct Slot {
        std::uint64_t key;
        std::int32_t number;
    };

    static std::uint64_t key(std::int32_t first, std::int32_t second) {
        return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 |
               static_cast<std::uint32_t>(second);
    }

    // The slot that holds the key, or the free one where it belongs. Never full: more slots than pairs.
    Slot& slot_of(std::uint64_t key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = (key * 0x9E3779B97F4A7C15u) >> shift_;
        while (slots_[at & mask].number != kAbsent && slots_[at & mask].key != key) {
            ++at;
        }
        return slots_[at & mask];
    }

    std::vector<Slot> slots_;
    int shift_ = 63;
    std::int32_t size_ = 0;
};

}  // namespace kilter
