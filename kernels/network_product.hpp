// Matrix products (GEMM) of the parser's network: of rows that are normalised and quantized, and of floats.
//
// A row is quantized with a step of its own, and a sum is added up in an order of its own: what comes of a row depends
// on nothing around it, and not on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "integer_product.hpp"
#include "quantization.hpp"
#include "work_vector.hpp"

namespace kilter {

// Layer norm and quantization: writes rows, each brought to mean 0 and variance 1, as bytes: 128 and the nearest whole number of steps. The step
// of a row is so long that 127 of them reach its number furthest from 0. `width` is a multiple of kLanes.
void norm_rows(const float* rows, std::size_t count, std::size_t width, std::uint8_t* bytes, float* steps);

// A quantized layer: a product of normalised rows with weights of 7 bits.
class NormedProduct {
public:
    // `weights` has a row of integers for each input; `unit` is what a weight of 1 stands for, by output.
    NormedProduct(const std::int8_t* weights, std::size_t inputs, std::span<const float> unit,
                  std::span<const float> bias);

    const IntegerWeights& weights() const { return weights_; }
    SumColumns columns() const { return {shift_.data(), unit_.data(), bias_.data()}; }

private:
    IntegerWeights weights_;
    std::vector<std::int32_t> shift_;
    std::vector<float> unit_;
    std::vector<float> bias_;
};

// A product in single precision.
class PlainProduct {
public:
    // `weights` has a row of numbers for each input.
    PlainProduct(const float* weights, std::size_t inputs, std::span<const float> bias);

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }
    // Numbers of a row of products: the outputs, and zeros up to a multiple of kLanes.
    std::size_t stride() const { return bias_.size(); }
    // Rows of `rows` and `out` have inputs() and stride() numbers.
    void multiply(const float* rows, std::size_t count, float* out) const;

private:
    std::size_t inputs_;
    std::size_t outputs_;
    LineVector<float> panels_;
    LineVector<float> bias_;
};

}  // namespace kilter
