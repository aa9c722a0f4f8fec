// Quantization to 8 bits: numbers become bytes before an integer matrix product, and its sums become numbers again.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exponential.hpp"
#include "multiversion.hpp"

namespace kilter {

// How numbers become the bytes that a product takes: x * inverse + zero, rounded to even, 0 to 255.
struct Rounding {
    float inverse;
    float zero;

    KILTER_INLINE std::uint8_t byte(float number) const {
        float value = number * inverse + zero;
        value = value < 0.0F ? 0.0F : value;
        value = value > 255.0F ? 255.0F : value;
        return static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(value + kWhole) & 0xFF);
    }
};

// How the sums of a product become numbers, by column: (sum - shift) * unit + bias, where the bytes of a row stand for
// so many steps each.
struct SumColumns {
    const std::int32_t* shift;
    const float* unit;
    const float* bias;

    SumColumns from(std::size_t column) const { return {shift + column, unit + column, bias + column}; }
    KILTER_INLINE float number(std::int32_t sum, std::size_t k, float step = 1.0F) const {
        const auto apart = static_cast<std::uint32_t>(sum) - static_cast<std::uint32_t>(shift[k]);
        return static_cast<float>(static_cast<std::int32_t>(apart)) * (step * unit[k]) + bias[k];
    }
};

// A row, and zeros up to `size`.
template <class Values>
auto padded(const Values& values, std::size_t size) {
    std::vector<typename Values::value_type> row(values.begin(), values.end());
    row.resize(size);
    return row;
}

}  // namespace kilter
