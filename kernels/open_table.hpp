// Hash tables with open addressing.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "work_vector.hpp"

namespace kilter {

// Two numbers as one key.
constexpr std::uint64_t pair_key(std::int32_t first, std::int32_t second) {
    return std::uint64_t{static_cast<std::uint32_t>(first)} << 32 | static_cast<std::uint32_t>(second);
}

// Linear probing and Fibonacci hashing. At most half of the slots are taken. A slot counts if it has the stamp of
// the last reset, so that emptying the table takes no time.
template <class Key, class Value>
class OpenTable {
public:
    explicit OpenTable(std::size_t expected = 0) { reset(expected); }

    // Forgets everything and makes room for `expected` distinct keys; it grows if there are more.
    void reset(std::integral auto expected) {
        set_capacity(std::bit_ceil(2 * static_cast<std::size_t>(expected) + 2));
        size_ = 0;
    }
    // Forgets everything and keeps its room.
    void clear() {
        set_capacity(capacity_);
        size_ = 0;
    }
    std::size_t size() const { return size_; }

    // The value of a key, `fresh` if it was never seen. It may move when another key is inserted.
    Value& insert(const Key& key, const Value& fresh) {
        if (2 * (size_ + 1) > capacity_) {
            grow();
        }
        Slot& slot = slots_[slot_of(key)];
        if (slot.stamp != stamp_) {
            slot = {key, fresh, stamp_};
            ++size_;
        }
        return slot.value;
    }
    // The value of a key, or null.
    const Value* find(const Key& key) const {
        const Slot& slot = slots_[slot_of(key)];
        return slot.stamp == stamp_ ? &slot.value : nullptr;
    }

private:
    struct Slot {
        Key key{};
        Value value{};
        std::uint32_t stamp = 0;
    };

    static std::uint64_t bits(std::integral auto key) { return static_cast<std::uint64_t>(key); }
    static std::uint64_t bits(const std::array<std::uint64_t, 2>& key) {
        return key[0] ^ (key[1] * 0xD6E8FEB86659FD93u);
    }

    // The slot that holds the key, or the free one where it belongs.
    std::size_t slot_of(const Key& key) const {
        std::size_t at = (bits(key) * 0x9E3779B97F4A7C15u) >> shift_;
        while (slots_[at].stamp == stamp_ && slots_[at].key != key) {
            at = (at + 1) & (capacity_ - 1);
        }
        return at;
    }
    // Empties the table, which has `capacity` slots from here on.
    void set_capacity(std::size_t capacity) {
        capacity_ = capacity;
        shift_ = 64 - std::countr_zero(capacity);
        if (slots_.size() < capacity || stamp_ == std::numeric_limits<std::uint32_t>::max()) {
            slots_.assign(capacity, Slot{});
            stamp_ = 0;
        }
        ++stamp_;
    }
    void grow() {
        WorkVector<Slot> old = std::exchange(slots_, {});
        std::size_t taken = 0;
        for (std::size_t k = 0; k < capacity_; ++k) {  // half of them are: no branch could be predicted
            const Slot slot = old[k];
            old[taken] = slot;
            taken += slot.stamp == stamp_;
        }
        set_capacity(2 * capacity_);
        for (std::size_t k = 0; k < taken; ++k) {
            slots_[slot_of(old[k].key)] = {old[k].key, old[k].value, stamp_};
        }
    }

    WorkVector<Slot> slots_;
    std::size_t capacity_ = 0;  // how many slots are in use: a power of two
    std::size_t size_ = 0;
    int shift_ = 63;
    std::uint32_t stamp_ = 0;
};

// Numbers distinct keys in the order of their first appearance: 0, 1, 2, ...
template <class Key>
class KeyNumbers {
public:
    explicit KeyNumbers(std::size_t expected = 0) : table_(expected) {}
    void reset(std::integral auto expected) { table_.reset(expected); }
    std::int32_t size() const { return static_cast<std::int32_t>(table_.size()); }
    // Returns the number of a key, a new one if it was never seen.
    std::int32_t insert(const Key& key) { return table_.insert(key, size()); }
    // Returns the number of a key, or -1.
    std::int32_t find(const Key& key) const {
        const std::int32_t* number = table_.find(key);
        return number == nullptr ? -1 : *number;
    }

private:
    OpenTable<Key, std::int32_t> table_;
};

}  // namespace kilter
