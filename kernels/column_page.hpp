// Columns of a table as Parquet stores them: different values once, and for each row the few bits that name one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace kilter {

// Different values in the order in which they come first, and for each value which of them it is.
struct DistinctValues {
    std::vector<std::uint64_t> values;
    std::vector<std::int32_t> places;
};

// Nothing if there are more than `most` different values.
std::optional<DistinctValues> distinct_values(const std::uint64_t* values, std::int64_t count, std::int64_t most);

// The lowest `width` bits (1 to 32) of each number, the first in the lowest bits of the first byte; zeros fill up
// the last group of eight numbers.
std::vector<std::uint8_t> pack_bits(const std::int32_t* numbers, std::int64_t count, int width);

}  // namespace kilter
