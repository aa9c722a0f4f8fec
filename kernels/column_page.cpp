#include "column_page.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace kilter {
namespace {

static_assert(std::endian::native == std::endian::little, "Parquet is little-endian, and words are stored as they are");

constexpr int kFirstBits = 12;  // of the number of slots to begin with
constexpr std::int32_t kFree = -1;

// Where a value is looked for first: the highest bits of a product depend on all bits of the value.
std::size_t slot_of(std::uint64_t value, int bits) {
    return static_cast<std::size_t>((value * 0x9E3779B97F4A7C15U) >> (64 - bits));
}

// Open addressing over the places of values; never more than an eighth full, so that the first look nearly always
// finds the value and no branch is guessed wrong.
class PlaceTable {
public:
    explicit PlaceTable(std::vector<std::uint64_t>& values) : values_(values) { grow(kFirstBits); }

    // The place of a value, which becomes the last one if it is new.
    std::int32_t place(std::uint64_t value) {
        std::size_t slot = slot_of(value, bits_);
        while (slots_[slot] != kFree) {
            if (values_[static_cast<std::size_t>(slots_[slot])] == value) {
                return slots_[slot];
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        const auto added = static_cast<std::int32_t>(values_.size());
        slots_[slot] = added;
        values_.push_back(value);
        if (8 * values_.size() > slots_.size()) {
            grow(bits_ + 1);
        }
        return added;
    }

private:
    void grow(int bits) {
        bits_ = bits;
        slots_.assign(std::size_t{1} << bits, kFree);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            std::size_t slot = slot_of(values_[k], bits_);
            while (slots_[slot] != kFree) {
                slot = (slot + 1) & (slots_.size() - 1);
            }
            slots_[slot] = static_cast<std::int32_t>(k);
        }
    }

    std::vector<std::uint64_t>& values_;
    std::vector<std::int32_t> slots_;
    int bits_ = 0;
};

// Eight numbers of up to eight bits are one machine word.
std::uint64_t packed_group(const std::int32_t* numbers, int width, std::uint64_t mask) {
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) {
        word |= (static_cast<std::uint64_t>(numbers[k]) & mask) << (k * width);
    }
    return word;
}

void pack_narrow(const std::int32_t* numbers, std::int64_t groups, int width, std::uint64_t mask, std::uint8_t* out) {
    for (std::int64_t group = 0; group < groups; ++group) {
        const std::uint64_t word = packed_group(numbers + 8 * group, width, mask);
        std::memcpy(out + group * width, &word, static_cast<std::size_t>(width));
    }
}

// Half a machine word at a time, as soon as it is full; eight numbers end with a whole byte.
void pack_wide(const std::int32_t* numbers, std::int64_t groups, int width, std::uint64_t mask, std::uint8_t* out) {
    std::uint64_t word = 0;
    int filled = 0;
    for (std::int64_t k = 0; k < 8 * groups; ++k) {
        word |= (static_cast<std::uint64_t>(numbers[k]) & mask) << filled;
        filled += width;
        if (filled >= 32) {
            std::memcpy(out, &word, 4);
            out += 4;
            word >>= 32;
            filled -= 32;
        }
    }
    std::memcpy(out, &word, static_cast<std::size_t>(filled / 8));
}

}  // namespace

std::optional<DistinctValues> distinct_values(const std::uint64_t* values, std::int64_t count, std::int64_t most) {
    DistinctValues found;
    found.places.resize(static_cast<std::size_t>(count));
    PlaceTable table(found.values);
    for (std::int64_t k = 0; k < count; ++k) {
        const std::int32_t place = table.place(values[k]);
        if (place >= most) {
            return std::nullopt;
        }
        found.places[static_cast<std::size_t>(k)] = place;
    }
    return found;
}

std::vector<std::uint8_t> pack_bits(const std::int32_t* numbers, std::int64_t count, int width) {
    if (count == 0) {
        return {};
    }
    const std::int64_t whole = count / 8;
    const std::int64_t rest = count - 8 * whole;
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    const auto pack = width <= 8 ? pack_narrow : pack_wide;
    std::vector<std::uint8_t> out(static_cast<std::size_t>((whole + (rest > 0)) * width));
    pack(numbers, whole, width, mask, out.data());
    if (rest > 0) {
        std::array<std::int32_t, 8> last{};
        std::copy_n(numbers + 8 * whole, rest, last.begin());
        pack(last.data(), 1, width, mask, out.data() + whole * width);
    }
    return out;
}

}  // namespace kilter
