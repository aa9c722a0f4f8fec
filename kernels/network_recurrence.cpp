#include "network_recurrence.hpp"

#include <algorithm>

#include "exponential.hpp"
#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

constexpr std::uint8_t kFirst = 1;
constexpr std::uint8_t kLast = 2;
// Beyond this a sigmoid is 0 or 1 in single precision.
constexpr float kSaturated = 30.0F;

KILTER_INLINE float clip(float x, float limit) {
    x = x < -limit ? -limit : x;
    return x > limit ? limit : x;
}

// Some rows of sums, of one half of a layer's columns, in the order in which they are read.
struct Reading {
    const std::int32_t* sums;
    const float* steps;
    const std::uint8_t* edges;
    std::uint8_t edge;  // where nothing is carried on
    float* rows;
    std::size_t width;
    std::size_t count;
    bool backward;
};

// One step of the recurrent unit: the state becomes f c + (1 - f) z with a forget gate f, and the state times an output
// gate is added to the row. Gates are sigmoids.
KILTER_INLINE void step_unit(const std::int32_t* __restrict sums, SumColumns columns, float step, std::size_t half,
                             float* __restrict carried, float* __restrict row) {
    for (std::size_t k = 0; k < half; ++k) {
        const float candidate = columns.number(sums[k], k, step);
        const float forget = clip(columns.number(sums[half + k], half + k, step), kSaturated);
        const float output = clip(columns.number(sums[2 * half + k], 2 * half + k, step), kSaturated);
        const float kept = 1.0F / (1.0F + exponential(-forget));
        const float state = kept * carried[k] + (1.0F - kept) * candidate;
        carried[k] = state;
        row[k] += state / (1.0F + exponential(-output));
    }
}

KILTER_WIDE_MULTIVERSION void read_rows(const Reading& reading, SumColumns columns, float* carried) {
    const std::size_t half = reading.width / 2;
    for (std::size_t k = 0; k < reading.count; ++k) {
        const std::size_t row = reading.backward ? reading.count - 1 - k : k;
        if ((reading.edges[row] & reading.edge) != 0) {
            std::fill_n(carried, half, 0.0F);
        }
        step_unit(reading.sums + row * 3 * half, columns, reading.steps[row], half, carried,
                  reading.rows + row * reading.width);
    }
}

}  // namespace

RecurrentRows::RecurrentRows(std::size_t width)
    : width_(width), sums_(kRowsTogether * 3 * width / 2), carried_(width / 2) {}

void RecurrentRows::begin(std::span<const std::int64_t> offsets) {
    const auto count = static_cast<std::size_t>(offsets.back() - offsets.front());
    edges_.assign(count, 0);
    for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
        if (offsets[k] < offsets[k + 1]) {
            edges_[static_cast<std::size_t>(offsets[k] - offsets.front())] |= kFirst;
            edges_[static_cast<std::size_t>(offsets[k + 1] - offsets.front() - 1)] |= kLast;
        }
    }
    if (numbers_.size() < count * width_) {
        numbers_.resize(count * width_);
        // Products may read further rows than there are.
        bytes_.resize((count + 1) * width_);
        steps_.resize(count);
    }
}

void RecurrentRows::norm() {
    for (std::size_t begin = 0; begin < count(); begin += kRowsTogether) {
        check_stop();
        norm_rows(row(begin), std::min(kRowsTogether, count() - begin), width_, bytes_.data() + begin * width_,
                  steps_.data() + begin);
    }
}

void RecurrentRows::multiply(const NormedProduct& product, std::size_t first, std::size_t some,
                             std::int32_t* sums) const {
    product.weights().multiply(bytes_.data() + first * width_, some, sums);
}

void RecurrentRows::apply(const NormedProduct& layer) {
    norm();
    read(layer, Direction::kForward);
    read(layer, Direction::kBackward);
}

void RecurrentRows::read(const NormedProduct& layer, Direction direction) {
    const bool backward = direction == Direction::kBackward;
    const std::size_t half = width_ / 2;
    const std::size_t column = backward ? 3 * half : 0;
    const std::size_t blocks = (count() + kRowsTogether - 1) / kRowsTogether;
    for (std::size_t k = 0; k < blocks; ++k) {
        check_stop();
        const std::size_t begin = (backward ? blocks - 1 - k : k) * kRowsTogether;
        const std::size_t some = std::min(kRowsTogether, count() - begin);
        layer.weights().multiply(bytes_.data() + begin * width_, some, column, 3 * half, sums_.data());
        read_rows({sums_.data(), steps_.data() + begin, edges_.data() + begin, backward ? kLast : kFirst,
                   row(begin) + (backward ? half : 0), width_, some, backward},
                  layer.columns().from(column), carried_.data());
    }
}

}  // namespace kilter
