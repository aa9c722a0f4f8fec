// Products of bytes with small integers, exact on every machine, by the fastest instructions that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "work_vector.hpp"

namespace kilter {

// How products are computed. Each way gives the same sums.
enum class ProductWay { kPlain, kAvx2, kVnni, kDot };

// The ways of this machine, the slowest first.
const std::vector<ProductWay>& product_ways();

// A matrix that rows of bytes are multiplied with, kept in the order in which the instructions read it.
class IntegerWeights {
public:
    // What inputs must be a multiple of, and what a row of sums is filled up to.
    static constexpr std::size_t kInputs = 64;
    static constexpr std::size_t kOutputs = 16;
    // The largest weight, so that two products of a byte fit into 16 bits.
    static constexpr int kLargest = 64;
    // The most inputs, so that no sum leaves 32 bits.
    static constexpr std::size_t kMostInputs = std::size_t{1} << 17U;

    // `weights` has a row of `outputs` integers for each input, none beyond kLargest in either direction.
    IntegerWeights(const std::int8_t* weights, std::size_t inputs, std::size_t outputs);
    // Without outputs, to which columns are added.
    explicit IntegerWeights(std::size_t inputs) : inputs_(inputs), outputs_(0), blocks_(0) {}

    // Appends an output with these weights; those of inputs from `count` on are 0.
    void add_output(const std::int8_t* column, std::size_t count);

    std::size_t inputs() const { return inputs_; }
    std::size_t outputs() const { return outputs_; }
    // Integers of a row of sums: the outputs, and zeros up to a multiple of kOutputs.
    std::size_t stride() const { return blocks_ * kOutputs; }

    // Writes the sums of `count` rows of inputs() bytes.
    void multiply(const std::uint8_t* rows, std::size_t count, std::int32_t* sums) const {
        multiply(rows, count, 0, stride(), sums);
    }
    // The same of some outputs only; `first` and `some` are multiples of kOutputs.
    void multiply(const std::uint8_t* rows, std::size_t count, std::size_t first, std::size_t some,
                  std::int32_t* sums) const {
        multiply(rows, count, first, some, sums, product_ways().back());
    }
    void multiply(const std::uint8_t* rows, std::size_t count, std::size_t first, std::size_t some, std::int32_t* sums,
                  ProductWay way) const {
        multiply({rows, count, inputs_}, first, some, sums, way);
    }
    // Rows that are parts of longer ones, which start `step` bytes after one another.
    struct Rows {
        const std::uint8_t* bytes;
        std::size_t count;
        std::size_t step;
    };
    void multiply(const Rows& rows, std::size_t first, std::size_t some, std::int32_t* sums, ProductWay way) const;

private:
    std::size_t inputs_;
    std::size_t outputs_;
    std::size_t blocks_;
    // By 16 outputs, by 4 inputs, by output: the 4 weights that meet 4 bytes of a row.
    LineVector<std::int8_t> packed_;
};

}  // namespace kilter
