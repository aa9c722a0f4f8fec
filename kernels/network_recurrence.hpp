// Layers of simple recurrent units (SRU) that read sentences in both directions [Lei, Zhang, Wang, Dai, Artzi 2018].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "network_product.hpp"

namespace kilter {

// Rows of the words of some sentences, and the working space of layers. Beyond the rows themselves it holds as many
// bytes, and sums of some rows at a time, so that a sentence may be long.
class RecurrentRows {
public:
    // Rows that are multiplied together: what comes of them stays in the cache of a core.
    static constexpr std::size_t kRowsTogether = 128;

    explicit RecurrentRows(std::size_t width);

    // Makes room for sentences that begin at these places, the last of which is their end.
    void begin(std::span<const std::int64_t> offsets);

    std::size_t width() const { return width_; }
    std::size_t count() const { return edges_.size(); }
    float* row(std::size_t place) { return numbers_.data() + place * width_; }

    // Residual connection: adds to each row the output of a layer over its sentence. The layer has, for the first half of a row,
    // columns of candidate states, forget gates and output gates; then the same for the second half, which is
    // read from the end.
    void apply(const NormedProduct& layer);

    // Layer norm and quantization of the rows, for `multiply`.
    void norm();
    // The sums of some rows, from `first` on. There must be room for some rows of them.
    void multiply(const NormedProduct& product, std::size_t first, std::size_t some, std::int32_t* sums) const;
    const float* steps() const { return steps_.data(); }

private:
    enum class Direction { kForward, kBackward };
    void read(const NormedProduct& layer, Direction direction);

    std::size_t width_;
    LineVector<float> numbers_;
    LineVector<std::uint8_t> bytes_;
    std::vector<float> steps_;
    // Whether a row is the first of its sentence, and whether it is the last: bits.
    std::vector<std::uint8_t> edges_;
    LineVector<std::int32_t> sums_;
    LineVector<float> carried_;
};

}  // namespace kilter
