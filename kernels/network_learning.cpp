#include "network_learning.hpp"

#include <algorithm>
#include <cmath>

#include "exponential.hpp"
#include "multiversion.hpp"

namespace kilter {
namespace {

// Adam's: how long gradients and their squares are remembered, and what keeps quotients finite.
constexpr float kMean = 0.9F;
constexpr float kSquare = 0.99F;
constexpr float kSmall = 1e-8F;

KILTER_INLINE float sigmoid(float sum) {
    // Beyond this it is 0 or 1 in single precision.
    const double bounded = std::min(30.0, std::max(-30.0, static_cast<double>(sum)));
    return static_cast<float>(1.0 / (1.0 + exponential(-bounded)));
}

// The row of the n-th word that a direction reads.
KILTER_INLINE std::size_t read_row(std::size_t n, std::size_t words, std::size_t side) {
    return side == 0 ? n : words - 1 - n;
}

}  // namespace

KILTER_WIDE_MULTIVERSION void recurrent_layer(const float* sums, std::size_t words, std::size_t half,
                                              float* gates, float* states, float* outputs) {
    for (std::size_t part = 0; part < 2 * words; ++part) {
        const float* from = sums + part * 3 * half;
        float* to = gates + part * 3 * half;
        std::copy(from, from + half, to);
        for (std::size_t k = half; k < 3 * half; ++k) {
            to[k] = sigmoid(from[k]);
        }
    }
    for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t n = 0; n < words; ++n) {
            const std::size_t row = 2 * read_row(n, words, side) + side;
            const float* z = gates + row * 3 * half;
            const float* f = z + half;
            const float* r = f + half;
            float* c = states + row * half;
            float* h = outputs + row * half;
            if (n == 0) {
                for (std::size_t k = 0; k < half; ++k) {
                    c[k] = (1.0F - f[k]) * z[k];
                    h[k] = r[k] * c[k];
                }
                continue;
            }
            const float* before = states + (2 * read_row(n - 1, words, side) + side) * half;
            for (std::size_t k = 0; k < half; ++k) {
                c[k] = f[k] * before[k] + (1.0F - f[k]) * z[k];
                h[k] = r[k] * c[k];
            }
        }
    }
}

KILTER_WIDE_MULTIVERSION void recurrent_gradient(const float* gates, const float* states, const float* slopes,
                                                 std::size_t words, std::size_t half, float* gradient) {
    std::vector<float> carried(half);
    const std::vector<float> nothing(half);
    for (std::size_t side = 0; side < 2; ++side) {
        std::fill(carried.begin(), carried.end(), 0.0F);
        float* back = carried.data();
        for (std::size_t n = words; n-- > 0;) {
            const std::size_t row = 2 * read_row(n, words, side) + side;
            const float* z = gates + row * 3 * half;
            const float* f = z + half;
            const float* r = f + half;
            const float* c = states + row * half;
            const float* before =
                n == 0 ? nothing.data() : states + (2 * read_row(n - 1, words, side) + side) * half;
            const float* slope = slopes + row * half;
            float* by_z = gradient + row * 3 * half;
            float* by_f = by_z + half;
            float* by_r = by_f + half;
            for (std::size_t k = 0; k < half; ++k) {
                const float by_state = slope[k] * r[k] + back[k];
                by_z[k] = by_state * (1.0F - f[k]);
                by_f[k] = by_state * (before[k] - z[k]) * f[k] * (1.0F - f[k]);
                by_r[k] = slope[k] * c[k] * r[k] * (1.0F - r[k]);
                back[k] = by_state * f[k];
            }
        }
    }
}

KILTER_WIDE_MULTIVERSION void add_rows(const float* rows, const std::int64_t* places, std::size_t count,
                                       std::size_t columns, float* sums) {
    for (std::size_t row = 0; row < count; ++row) {
        const float* from = rows + row * columns;
        float* to = sums + static_cast<std::size_t>(places[row]) * columns;
        for (std::size_t k = 0; k < columns; ++k) {
            to[k] += from[k];
        }
    }
}

namespace {

KILTER_WIDE_MULTIVERSION void adam_step(const float* gradient, std::size_t size, float share, float kept, float rate,
                                        float root, float* weights, float* means, float* squares) {
    for (std::size_t k = 0; k < size; ++k) {
        const float slope = gradient[k] * share;
        means[k] = kMean * means[k] + (1.0F - kMean) * slope;
        squares[k] = kSquare * squares[k] + (1.0F - kSquare) * slope * slope;
        weights[k] = kept * weights[k] - rate * means[k] / (std::sqrt(squares[k]) * root + kSmall);
    }
}

}  // namespace

void Adam::step(const float* gradient, float share, double rate, double decay) {
    ++steps_;
    const auto steps = static_cast<double>(steps_);
    // Means start with zeros, which counts less with every step.
    const double mean_part = 1.0 - std::pow(static_cast<double>(kMean), steps);
    const double square_part = 1.0 - std::pow(static_cast<double>(kSquare), steps);
    adam_step(gradient, weights_.size(), share, static_cast<float>(1.0 - rate * decay),
              static_cast<float>(rate / mean_part), static_cast<float>(1.0 / std::sqrt(square_part)),
              weights_.data(), means_.data(), squares_.data());
}

}  // namespace kilter
