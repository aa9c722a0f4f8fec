#include "digit_sums.hpp"

#include <algorithm>
#include <cstdlib>

#include "multiversion.hpp"

namespace kilter {
namespace {

constexpr int kDigitBits = 7;
constexpr std::uint64_t kHalf = std::uint64_t{1} << (kDigitBits - 1);
constexpr std::int64_t kMostCounted = 255;
// A few groups of rows for ways that take four or six at once; tiles take as many as they want.
constexpr std::size_t kRows = 24;

KILTER_MULTIVERSION void count_places(const std::uint32_t* places, std::int64_t count, std::uint8_t* row) {
    for (std::int64_t k = 0; k < count; ++k) {
        ++row[places[k]];
    }
}

KILTER_MULTIVERSION std::int64_t sum_bytes(const std::uint8_t* row, std::size_t segments) {
    std::int64_t counted = 0;
    for (std::size_t start = 0; start < segments; start += IntegerWeights::kInputs) {
        const std::size_t end = std::min(start + IntegerWeights::kInputs, segments);
        std::uint16_t some = 0;  // 64 bytes add up to less than 2^16
        for (std::size_t segment = start; segment < end; ++segment) {
            some = static_cast<std::uint16_t>(some + row[segment]);
        }
        counted += some;
    }
    return counted;
}

// Writes digit k of every number without its last `shift` bits. `half` is 64 of each digit: with it, no number is
// negative, and digits can be cut out wherever they are.
KILTER_MULTIVERSION void cut_digits(const std::vector<std::int64_t>& values, int shift, std::uint64_t half, int k,
                                    std::int8_t* digits) {
    for (std::size_t segment = 0; segment < values.size(); ++segment) {
        const std::uint64_t rest = static_cast<std::uint64_t>(values[segment] >> shift) + half;
        digits[segment] = static_cast<std::int8_t>((rest >> (k * kDigitBits) & (2 * kHalf - 1)) - kHalf);
    }
}

std::size_t padded(std::size_t segments) {
    return (segments + IntegerWeights::kInputs - 1) / IntegerWeights::kInputs * IntegerWeights::kInputs;
}

}  // namespace

// An odd number of cache lines from row to row, so that rows do not contend for the same places of a cache.
DrawCounts::DrawCounts(std::int64_t segments)
    : segments_(static_cast<std::size_t>(segments)),
      step_((padded(segments_) / IntegerWeights::kInputs | 1) * IntegerWeights::kInputs),
      rows_(static_cast<std::int64_t>(padded_rows(kRows))),
      bytes_(step_ * padded_rows(kRows)) {}

std::uint8_t* DrawCounts::open(std::int64_t row) {
    std::erase_if(crowds_, [row](const Crowd& crowd) { return crowd.row == row; });
    return bytes_.data() + static_cast<std::size_t>(row) * step_;
}

void DrawCounts::empty(std::int64_t row) { std::fill_n(open(row), segments_, std::uint8_t{0}); }

void DrawCounts::add(std::int64_t row, const std::uint32_t* places, std::int64_t count) {
    count_places(places, count, bytes_.data() + static_cast<std::size_t>(row) * step_);
}

bool DrawCounts::holds(std::int64_t row, std::int64_t drawn) const {
    return sum_bytes(this->row(row), segments_) == drawn;
}

void DrawCounts::add_slowly(std::int64_t row, const std::uint32_t* places, std::int64_t count) {
    if (crowds_.empty() || crowds_.back().row != row) {
        crowds_.push_back({row, {}});
    }
    std::uint8_t* const bytes = bytes_.data() + static_cast<std::size_t>(row) * step_;
    for (std::int64_t k = 0; k < count; ++k) {
        if (bytes[places[k]] == kMostCounted) {
            crowds_.back().places.push_back(places[k]);
        } else {
            ++bytes[places[k]];
        }
    }
}

DigitColumns::DigitColumns(std::int64_t segments) : segments_(static_cast<std::size_t>(segments)) {
    for (std::size_t start = 0; start < segments_; start += kPart) {
        parts_.emplace_back(padded(std::min(kPart, segments_ - start)));
    }
}

void DigitColumns::add(const std::vector<std::int64_t>& values, int shift) {
    std::int64_t largest = 0;
    for (const std::int64_t value : values) {
        largest = std::max(largest, std::abs(value));
    }
    const auto rest = static_cast<std::uint64_t>(largest) >> shift;
    int digits = 1;
    std::uint64_t half = kHalf;
    for (std::uint64_t reach = kHalf - 1; reach < rest; reach = reach << kDigitBits | (kHalf - 1)) {
        half = half << kDigitBits | kHalf;
        ++digits;
    }
    std::vector<std::int8_t> column(values.size());
    for (int k = 0; k < digits; ++k) {
        cut_digits(values, shift, half, k, column.data());
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const std::size_t start = part * kPart;
            parts_[part].add_output(column.data() + start, std::min(kPart, segments_ - start));
        }
        digits_.push_back({size_, shift + k * kDigitBits});
    }
    ++size_;
}

// Sums of digits times what they are worth may pass 63 bits where their sum does not.
void DigitColumns::add_products(const IntegerWeights& weights, const IntegerWeights::Rows& rows, std::int64_t used,
                                std::int64_t* sums) const {
    LineVector<std::int32_t> products(rows.count * weights.stride());
    weights.multiply(rows, 0, weights.stride(), products.data(), product_ways().back());
    for (std::int64_t row = 0; row < used; ++row, sums += size_) {
        const std::int32_t* product = products.data() + static_cast<std::size_t>(row) * weights.stride();
        for (const Digit& digit : digits_) {
            std::int64_t& sum = sums[digit.column];
            const auto worth = static_cast<std::uint64_t>(std::int64_t{*product++}) << digit.shift;
            sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + worth);
        }
    }
}

// A few places at a time, of which no byte can count too many.
void DigitColumns::add_crowd(const DrawCounts::Crowd& crowd, std::int64_t* sums) const {
    DrawCounts some(static_cast<std::int64_t>(segments_));
    const auto count = static_cast<std::int64_t>(crowd.places.size());
    for (std::int64_t start = 0; start < count; start += kMostCounted) {
        some.count(0, [&](auto take) { take(crowd.places.data() + start, std::min(kMostCounted, count - start)); });
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            add_products(parts_[part], {some.row(0) + part * kPart, 1, some.step_}, 1, sums);
        }
    }
}

void DigitColumns::sum(const DrawCounts& counts, std::int64_t rows, std::int64_t* sums) const {
    std::fill_n(sums, rows * size_, 0);
    const std::size_t computed = padded_rows(static_cast<std::size_t>(rows));
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        add_products(parts_[part], {counts.row(0) + part * kPart, computed, counts.step_}, rows, sums);
    }
    for (const DrawCounts::Crowd& crowd : counts.crowds_) {
        if (crowd.row < rows) {
            add_crowd(crowd, sums + crowd.row * size_);
        }
    }
}

}  // namespace kilter
