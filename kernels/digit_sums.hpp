// Sums of whole numbers over resampled segments: how often each segment is drawn times the digits of its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "integer_product.hpp"
#include "work_vector.hpp"

namespace kilter {

// How often a few resamples draw each segment: a row of bytes for each resample.
class DrawCounts {
public:
    explicit DrawCounts(std::int64_t segments);

    // Resamples that are counted together.
    std::int64_t rows() const { return rows_; }
    // Counts the places that a resample draws, instead of what was counted in its row before, and returns how many
    // they are. draw(take) calls take(places, count) for some of them after others, and the same if it is called again.
    template <class Draw>
    std::int64_t count(std::int64_t row, Draw draw) {
        std::int64_t drawn = 0;
        empty(row);
        draw([&](const std::uint32_t* places, std::int64_t count) {
            add(row, places, count);
            drawn += count;
        });
        if (!holds(row, drawn)) [[unlikely]] {
            empty(row);
            draw([&](const std::uint32_t* places, std::int64_t count) { add_slowly(row, places, count); });
        }
        return drawn;
    }
    // A row to be filled by whoever knows how often each segment is drawn.
    std::uint8_t* open(std::int64_t row);

private:
    friend class DigitColumns;
    // A resample that draws segments more often than a byte can count: what its row does not hold.
    struct Crowd {
        std::int64_t row;
        std::vector<std::uint32_t> places;
    };

    void empty(std::int64_t row);
    void add(std::int64_t row, const std::uint32_t* places, std::int64_t count);
    void add_slowly(std::int64_t row, const std::uint32_t* places, std::int64_t count);
    // Whether bytes could count what was added; they hold less otherwise, since they wrap around.
    bool holds(std::int64_t row, std::int64_t drawn) const;
    const std::uint8_t* row(std::int64_t row) const { return bytes_.data() + static_cast<std::size_t>(row) * step_; }

    std::size_t segments_;
    std::size_t step_;  // bytes from row to row
    std::int64_t rows_;
    LineVector<std::uint8_t> bytes_;
    std::vector<Crowd> crowds_;
};

// Columns of whole numbers below 2^61, split into digits with which bytes can be multiplied exactly: a digit is worth
// 128 times the one before it, and lies between -64 and 63.
class DigitColumns {
public:
    explicit DigitColumns(std::int64_t segments);

    // Appends a column of numbers; the last `shift` bits of each are 0 and take no digit.
    void add(const std::vector<std::int64_t>& values, int shift);
    std::int64_t size() const { return size_; }

    // sums[row * size() + column] of every column over what the first `rows` rows of `counts` hold.
    void sum(const DrawCounts& counts, std::int64_t rows, std::int64_t* sums) const;

private:
    // Segments of a product, so that its rows and weights stay in the cache.
    static constexpr std::size_t kPart = std::size_t{1} << 14;
    static_assert(kPart <= IntegerWeights::kMostInputs && kPart % IntegerWeights::kInputs == 0);

    // What the sum of a digit is worth to that of its column.
    struct Digit {
        std::int64_t column;
        int shift;
    };

    void add_products(const IntegerWeights& weights, const IntegerWeights::Rows& rows, std::int64_t used,
                      std::int64_t* sums) const;
    void add_crowd(const DrawCounts::Crowd& crowd, std::int64_t* sums) const;

    std::size_t segments_;
    std::int64_t size_ = 0;
    std::vector<Digit> digits_;
    std::vector<IntegerWeights> parts_;
};

}  // namespace kilter
