// Catalan numbers: exact while they fit a machine word, and as mantissa and exponent beyond.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "work_vector.hpp"

namespace kilter {

// A positive number mantissa * 2^exponent with mantissa in [0.5, 1): products of Catalan numbers
// leave the range of double at a few hundred words.
struct ScaledNumber {
    double mantissa = 0.5;
    std::int64_t exponent = 1;

    void multiply(const ScaledNumber& other);
    double log() const;
};

// The number of binary trees with k leaves, Catalan(k - 1), for k = 0..64 (0 at k = 0), each rounded
// once from the exact integer.
const std::array<double, 65>& small_tree_counts();

// The same as integers for k <= 37, the largest that fits 64 bits.
inline constexpr int kLargestExactWidth = 37;
const std::array<std::uint64_t, kLargestExactWidth + 1>& exact_tree_counts();

// Numbers of binary trees with k = 0..largest leaves; the entry for 0 is unused.
class TreeCountTable {
public:
    explicit TreeCountTable(std::int64_t largest);
    ScaledNumber operator[](std::integral auto leaves) const { return {mantissas_[leaves], exponents_[leaves]}; }

private:
    WorkVector<double> mantissas_;
    WorkVector<std::int32_t> exponents_;
};

// (count - 1) / (most - 1), exactly 0 for count = 1 and exactly 1 for count = most.
double share_of_trees(const ScaledNumber& count, const ScaledNumber& most);

}  // namespace kilter
