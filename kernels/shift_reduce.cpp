#include "shift_reduce.hpp"

namespace kilter {

// For every value the widest range of values around it whose positions all lie on one side.
template <class Blocks>
void IntervalGenerators::find_ranges(std::int32_t n, Blocks blocks) {
    std::int32_t top = -1;
    Seen* seen = seen_.data();
    Range* ranges = ranges_.data();
    for (std::int32_t value = 0; value < n; ++value) {
        const std::int32_t position = positions_[value];
        while (top >= 0 && !blocks(seen[top].position, position)) {
            ranges[seen[top].value].high = value;
            --top;
        }
        ranges[value].low = top >= 0 ? seen[top].value : -1;
        seen[++top] = {position, value};
    }
    for (; top >= 0; --top) {
        ranges[seen[top].value].high = n;
    }
}

void IntervalGenerators::find(const std::int32_t* values, std::int32_t n) {
    constexpr std::int32_t kAhead = 24;  // far enough to hide a cache miss
    const auto size = static_cast<std::size_t>(n);
    positions_.resize(size);
    right_.resize(size);
    left_.resize(size);
    ranges_.resize(size);
    seen_.resize(size);
    for (std::int32_t i = 0; i < n; ++i) {
        __builtin_prefetch(&positions_[values[std::min(i + kAhead, n - 1)]], 1);
        positions_[values[i]] = i;
    }
    find_ranges(n, [](std::int32_t earlier, std::int32_t position) { return earlier < position; });
    const auto inside = [](const Range& range, std::int32_t value) {
        return value > range.low && value < range.high;
    };
    for (std::int32_t i = n - 1; i >= 0; --i) {
        __builtin_prefetch(&ranges_[values[std::max(i - kAhead, 0)]]);
        const Range range = ranges_[values[i]];
        std::int32_t j = i;
        while (j + 1 < n && inside(range, values[j + 1])) {
            j = right_[j + 1];
        }
        right_[i] = j;
    }
    find_ranges(n, [](std::int32_t earlier, std::int32_t position) { return earlier > position; });
    for (std::int32_t i = 0; i < n; ++i) {
        __builtin_prefetch(&ranges_[values[std::min(i + kAhead, n - 1)]]);
        const Range range = ranges_[values[i]];
        std::int32_t j = i;
        while (j > 0 && inside(range, values[j - 1])) {
            j = left_[j - 1];
        }
        left_[i] = j;
    }
}

}  // namespace kilter
