#include "network_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lanes.hpp"

namespace kilter {
namespace {

// The byte that stands for 0 (the zero point).
constexpr std::uint32_t kMiddle = 128;
constexpr float kMostSteps = 127.0F;
// What no number of a row goes beyond is no difference, only what rounding left of none.
constexpr float kNothing = 1e-30F;
constexpr float kLeastVariance = 1e-5F;
// Rows and registers of columns whose sums are kept in registers.
constexpr std::size_t kRowsAtOnce = 4;
constexpr std::size_t kRegisters = 2;
constexpr std::size_t kPanel = kRegisters * kLanes;

// Quantizes a row whose mean is 0, and returns its step.
KILTER_INLINE float quantize_row(const float* __restrict row, std::size_t width, std::uint8_t* __restrict bytes) {
    float squares[kLanes] = {};
    float tops[kLanes] = {};
    for (std::size_t at = 0; at < width; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float number = row[at + lane];
            const float size = number < 0.0F ? -number : number;
            squares[lane] += number * number;
            tops[lane] = tops[lane] > size ? tops[lane] : size;
        }
    }
    const float top = max_lanes(tops);
    const float steps = top > kNothing ? kMostSteps / top : 0.0F;
    for (std::size_t k = 0; k < width; ++k) {
        const auto whole = std::bit_cast<std::uint32_t>(row[k] * steps + kWhole);
        bytes[k] = static_cast<std::uint8_t>((whole + kMiddle) & 0xFF);
    }
    const float variance = sum_lanes(squares) / static_cast<float>(width);
    return top > kNothing ? top / kMostSteps / std::sqrt(variance + kLeastVariance) : 0.0F;
}

template <std::size_t Rows, std::size_t Registers>
KILTER_INLINE void plain_block(const float* rows, std::size_t inputs, const float* panel, const float* bias,
                               std::size_t stride, float* out) {
    Lanes sums[Rows][Registers];
    for (std::size_t row = 0; row < Rows; ++row) {
        for (std::size_t part = 0; part < Registers; ++part) {
            sums[row][part] = lanes_at(bias + part * kLanes);
        }
    }
    for (std::size_t input = 0; input < inputs; ++input) {
        for (std::size_t part = 0; part < Registers; ++part) {
            const Lanes own = lanes_at(panel + (input * Registers + part) * kLanes);
            for (std::size_t row = 0; row < Rows; ++row) {
                sums[row][part] += rows[row * inputs + input] * own;
            }
        }
    }
    for (std::size_t row = 0; row < Rows; ++row) {
        for (std::size_t part = 0; part < Registers; ++part) {
            lanes_at(out + row * stride + part * kLanes) = sums[row][part];
        }
    }
}

template <std::size_t Registers>
KILTER_INLINE void plain_panel(const float* rows, std::size_t count, std::size_t inputs, const float* panel,
                               const float* bias, std::size_t stride, float* out) {
    std::size_t row = 0;
    for (; row + kRowsAtOnce <= count; row += kRowsAtOnce) {
        plain_block<kRowsAtOnce, Registers>(rows + row * inputs, inputs, panel, bias, stride, out + row * stride);
    }
    for (; row < count; ++row) {
        plain_block<1, Registers>(rows + row * inputs, inputs, panel, bias, stride, out + row * stride);
    }
}

// A panel is the weights of as many columns as are computed at once, input by input: it stays in the nearest cache
// for all rows.
KILTER_WIDE_MULTIVERSION void multiply_panels(const float* rows, std::size_t count, std::size_t inputs,
                                              const float* panels, const float* bias, std::size_t stride,
                                              float* out) {
    std::size_t column = 0;
    for (; column + kPanel <= stride; column += kPanel) {
        plain_panel<kRegisters>(rows, count, inputs, panels + column * inputs, bias + column, stride, out + column);
    }
    if (column < stride) {
        plain_panel<1>(rows, count, inputs, panels + column * inputs, bias + column, stride, out + column);
    }
}

std::size_t whole_registers(std::size_t columns) { return (columns + kLanes - 1) / kLanes * kLanes; }

}  // namespace

KILTER_WIDE_MULTIVERSION void norm_rows(const float* rows, std::size_t count, std::size_t width,
                                        std::uint8_t* bytes, float* steps) {
    LineVector<float> buffer(width);
    for (std::size_t row = 0; row < count; ++row) {
        const float* __restrict own = rows + row * width;
        float* __restrict centred = buffer.data();
        const float mean = row_sum(own, width) / static_cast<float>(width);
        for (std::size_t k = 0; k < width; ++k) {
            centred[k] = own[k] - mean;
        }
        steps[row] = quantize_row(centred, width, bytes + row * width);
    }
}

NormedProduct::NormedProduct(const std::int8_t* weights, std::size_t inputs, std::span<const float> unit,
                             std::span<const float> bias)
    : weights_(weights, inputs, unit.size()),
      shift_(weights_.stride()),
      unit_(padded(unit, weights_.stride())),
      bias_(padded(bias, weights_.stride())) {
    for (std::size_t input = 0; input < inputs; ++input) {
        for (std::size_t output = 0; output < unit.size(); ++output) {
            shift_[output] += static_cast<std::int32_t>(kMiddle) * weights[input * unit.size() + output];
        }
    }
}

PlainProduct::PlainProduct(const float* weights, std::size_t inputs, std::span<const float> bias)
    : inputs_(inputs),
      outputs_(bias.size()),
      panels_(inputs * whole_registers(bias.size())),
      bias_(bias.begin(), bias.end()) {
    bias_.resize(whole_registers(bias.size()));
    for (std::size_t output = 0; output < outputs_; ++output) {
        const std::size_t panel = output / kPanel * kPanel;
        const std::size_t wide = std::min(kPanel, stride() - panel);
        for (std::size_t input = 0; input < inputs; ++input) {
            panels_[panel * inputs + input * wide + output - panel] = weights[input * outputs_ + output];
        }
    }
}

void PlainProduct::multiply(const float* rows, std::size_t count, float* out) const {
    multiply_panels(rows, count, inputs_, panels_.data(), bias_.data(), stride(), out);
}

}  // namespace kilter
