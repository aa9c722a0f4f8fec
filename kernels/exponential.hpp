// exp(x) with the same bits on every machine: the library's differs from one to another in the last bit.
#pragma once

#include <bit>
#include <cstdint>

#include "multiversion.hpp"

namespace kilter {

// e to the power of x, for x between -700 and 700, within two units in the last place. x = k log 2 + r
// with |r| <= log(2) / 2, and a polynomial of r; neither branches nor calls, so that loops of it are wide.
KILTER_INLINE double exponential(double x) {
    constexpr double kShift = 0x1.8p52;  // adding it leaves the nearest whole number in the low bits
    const double shifted = x * 0x1.71547652b82fep0 + kShift;
    const double k = shifted - kShift;
    // log 2 in two parts, of which k times the first is exact.
    const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
    double sum = 1.0 / 6227020800.0;  // Taylor's series: what is left out is below 2^-57
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r * r + r;
    sum += 1.0;
    // The low bits of `shifted` hold k as a number with a sign; they go where the exponent is.
    const auto power = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
    return sum * std::bit_cast<double>(power);
}

// 1.5 * 2^23: a small number added to it is rounded to a whole one, which its last bits then hold.
inline constexpr float kWhole = 12582912.0F;

// The same of single precision, for x up to 88: 2^n times the first terms of the series for what is left, at most
// ln 2 / 2. Below -87 it is e^-87.
KILTER_INLINE float exponential(float x) {
    x = x < -87.0F ? -87.0F : x;
    const float shifted = x * 1.44269504F + kWhole;
    const std::uint32_t n = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kWhole);
    const float whole = shifted - kWhole;
    // ln 2 in two parts, the first of which has few enough bits for an exact product.
    const float rest = (x - whole * 0.693359375F) + whole * 2.12194440e-4F;
    const float series =
        1.0F +
        rest * (1.0F +
                rest * (0.5F +
                        rest * (0.166666667F +
                                rest * (0.0416666667F + rest * (0.00833333333F + rest * 0.00138888889F)))));
    return series * std::bit_cast<float>((n + 127U) << 23U);
}

}  // namespace kilter
