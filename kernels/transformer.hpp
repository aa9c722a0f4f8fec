// A transformer encoder quantized to 8 bits: exact integer matrix products (GEMM), and between them attention, layer
// norm, GELU and quantization.
//
// Everything looks at one row, or one sentence, at a time, adds up in a fixed order and uses only operations
// that are rounded as IEEE 754 says: an answer depends on nothing around it, and not on the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "integer_product.hpp"
#include "quantization.hpp"

namespace kilter {

void round_numbers(const float* numbers, std::size_t size, Rounding rounding, std::uint8_t* out);

// A quantized linear layer: a product of bytes with small integers, and how its sums become numbers.
class Linear {
public:
    // Column k of a row of sums becomes (sum - shift[k]) * unit[k] + bias[k].
    Linear(IntegerWeights weights, std::vector<std::int32_t> shift, std::vector<float> unit,
           std::vector<float> bias, Rounding taken);

    const IntegerWeights& weights() const { return weights_; }
    // How numbers become the bytes that are multiplied.
    Rounding taken() const { return taken_; }
    SumColumns columns() const { return {shift_.data(), unit_.data(), bias_.data()}; }

private:
    IntegerWeights weights_;
    std::vector<std::int32_t> shift_;
    std::vector<float> unit_;
    std::vector<float> bias_;
    Rounding taken_;
};

// What products of rows of bytes make, as numbers; with `gelu`, x times the share of a normal distribution
// below x, with an error of at most 2e-7, or 2e-7 times x where that is more.
void linear_numbers(const Linear& linear, const std::uint8_t* rows, std::size_t count, bool gelu, float* out);
// The GELU of the same, rounded for the next product.
void linear_gelu_bytes(const Linear& linear, const std::uint8_t* rows, std::size_t count, Rounding rounding,
                       std::uint8_t* out);

// Scale and shift of a layer norm.
struct Norm {
    std::vector<float> weight;
    std::vector<float> bias;
};

// Self-attention over each sentence, then two products with a GELU between them (feed-forward); both with a residual
// connection and a layer norm (post-norm).
struct TransformerLayer {
    Linear attention;
    Linear output;
    Norm norm1;
    Linear inner;
    Linear outer;
    Norm norm2;
};

// The width of an attention head, and what the width of rows must be a multiple of.
inline constexpr std::size_t kHeadWidth = 32;

// What makes the first rows: a vector for each piece, in bytes with a unit, one for its place and one for
// its shape.
struct Embedding {
    std::vector<std::int8_t> pieces;
    std::vector<float> piece_units;
    std::vector<float> places;
    std::vector<float> shapes;
    Norm norm;

    std::size_t width() const { return norm.bias.size(); }
    std::size_t piece_count() const { return piece_units.size(); }
    std::size_t place_count() const { return places.size() / width(); }
    std::size_t shape_count() const { return shapes.size() / width(); }
};

// Rows of all pieces of some sentences, each of `length` pieces.
struct PieceRows {
    const std::int64_t* pieces;
    const std::int64_t* shapes;
    std::size_t sentences;
    std::size_t length;

    std::size_t count() const { return sentences * length; }
};

class Transformer {
public:
    Transformer(Embedding embedding, std::vector<TransformerLayer> layers)
        : embedding_(std::move(embedding)), layers_(std::move(layers)) {}

    const Embedding& embedding() const { return embedding_; }
    std::size_t depth() const { return layers_.size(); }

    // Adds shares[k] times the rows after k layers to `mixed`, for every share that is given, and writes
    // the rows after `level` layers to `kept` unless it is null.
    void encode(const PieceRows& rows, std::span<const float> shares, std::size_t level, float* mixed,
                float* kept) const;

private:
    Embedding embedding_;
    std::vector<TransformerLayer> layers_;
};

}  // namespace kilter
