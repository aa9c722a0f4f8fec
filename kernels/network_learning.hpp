// Training of the network beside matrix products: forward and backward passes of recurrent layers, and steps of AdamW.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace kilter {

// One sentence through a layer of simple recurrent units, the first half of which read from left to right, the others
// from right to left. A row of `sums` has six parts of `half` numbers: for each direction new values z, and what gates
// f and r are made of. Gates are g = 1 / (1 + exp(-sum)); states c = f c' + (1 - f) z, with c' of the word before and
// 0 before the first; outputs r c. `gates` receives z, f and r in the same order.
void recurrent_layer(const float* sums, std::size_t words, std::size_t half, float* gates, float* states,
                     float* outputs);

// The gradient by `sums`, from that by the outputs.
void recurrent_gradient(const float* gates, const float* states, const float* slopes, std::size_t words,
                        std::size_t half, float* gradient);

// Adds row k to row places[k] of `sums`.
void add_rows(const float* rows, const std::int64_t* places, std::size_t count, std::size_t columns, float* sums);

// Weights that follow a gradient by steps of Adam with decay of weights [Kingma and Ba 2015; Loshchilov and Hutter 2019].
class Adam {
public:
    explicit Adam(std::vector<float> weights)
        : weights_(std::move(weights)), means_(weights_.size()), squares_(weights_.size()) {}

    // The gradient is multiplied with `share` first.
    void step(const float* gradient, float share, double rate, double decay);
    const std::vector<float>& weights() const { return weights_; }

private:
    std::vector<float> weights_;
    std::vector<float> means_;
    std::vector<float> squares_;
    std::int64_t steps_ = 0;
};

}  // namespace kilter
