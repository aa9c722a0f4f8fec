#include "permutation_window.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "multiversion.hpp"
#include "short_scores.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Whether all of these are permutations; none has more than 64 values. Distinct bits below n and no bit
// elsewhere are n distinct values, so that no value is compared.
KILTER_MULTIVERSION
bool are_short_permutations(const std::int32_t* values, const std::int64_t* offsets,
                            std::int64_t segments) {
    bool good = true;
    for (std::int64_t s = 0; s < segments; ++s) {
        const std::int32_t* p = values + offsets[s];
        const auto n = static_cast<int>(offsets[s + 1] - offsets[s]);
        std::uint64_t seen = 0;
        std::uint32_t any = 0;
        for (int i = 0; i < n; ++i) {
            const auto value = static_cast<std::uint32_t>(p[i]);
            any |= value;
            seen |= std::uint64_t{1} << (value & 63);
        }
        good &= any < 64 && (n == 0 || seen == ~std::uint64_t{0} >> (64 - n));
    }
    return good;
}

// Whether all values lie between 0 and 63. Not multiversioned: a few hundred steps between others are faster
// without the widest registers.
bool are_small(const std::int32_t* values, std::size_t size) {
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < size; ++i) {
        any |= static_cast<std::uint32_t>(values[i]);
    }
    return any < 64;
}

// The first place where a segment is not a permutation of 0..n-1; any length, one after another.
class FaultFinder {
public:
    bool find(const std::int32_t* values, std::int64_t n, Fault& fault) {
        seen_.assign(static_cast<std::size_t>((n + 63) / 64), 0);
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int32_t value = values[i];
            if ((i & 0xfffff) == 0xfffff) {
                check_stop();
            }
            if (value < 0 || value >= n) {
                fault = {0, i, -1};
                return true;
            }
            std::uint64_t& word = seen_[static_cast<std::size_t>(value / 64)];
            const std::uint64_t bit = std::uint64_t{1} << (value % 64);
            if ((word & bit) != 0) {
                fault = {0, i, std::find(values, values + i, value) - values};
                return true;
            }
            word |= bit;
        }
        return false;
    }

private:
    WorkVector<std::uint64_t> seen_;
};

// What is wrong with a segment, which the caller counts as `segment`.
std::string describe(const Batch& batch, const Fault& fault, std::int64_t segment) {
    const std::int64_t begin = batch.offsets[fault.segment];
    const std::int64_t n = batch.offsets[fault.segment + 1] - begin;
    std::string text = "segment " + std::to_string(segment) + " is no permutation: " +
                       std::to_string(batch.values[begin + fault.position]) + " at index " +
                       std::to_string(fault.position);
    text += fault.earlier < 0 ? " is out of range"
                              : " stands already at index " + std::to_string(fault.earlier);
    return text + "; " + std::to_string(n) + " values use each of 0 to " + std::to_string(n - 1) +
           " once";
}

}  // namespace

Fault find_fault(const Batch& batch) {
    FaultFinder finder;
    Fault fault;
    constexpr std::int64_t kTogether = 256;
    for (std::int64_t first = 0; first < batch.segments;) {
        check_stop();
        const std::int64_t last = std::min(first + kTogether, batch.segments);
        const auto is_short = [&](std::int64_t s) {
            return batch.offsets[s + 1] - batch.offsets[s] <= kShortLength;
        };
        std::int64_t end = first;
        while (end < last && is_short(end)) {
            ++end;
        }
        if (end > first && are_short_permutations(batch.values, batch.offsets + first, end - first)) {
            first = end;
            continue;
        }
        for (end = std::max(end, first + 1); first < end; ++first) {
            const std::int64_t begin = batch.offsets[first];
            if (finder.find(batch.values + begin, batch.offsets[first + 1] - begin, fault)) {
                fault.segment = first;
                return fault;
            }
        }
    }
    return {};
}

void PermutationWindow::check_all(std::int64_t first) const {
    const Fault fault = find_fault(batch());
    if (fault.segment >= 0) {
        throw std::invalid_argument(describe(batch(), fault, first + fault.segment));
    }
}

std::int64_t PermutationWindow::load(const Batch& batch, std::int64_t first, std::int64_t last,
                                     Check check) {
    check_stop();
    const std::int64_t* const borders = batch.offsets;
    const std::int64_t begin = borders[first];
    const std::int64_t most = std::min(last, first + kValues);
    offsets_[0] = 0;
    std::int64_t longest = 0;
    std::int64_t size_so_far = 0;
    std::int64_t end = first;
    do {
        const std::int64_t next = borders[end + 1] - begin;
        longest = std::max(longest, next - size_so_far);
        size_so_far = next;
        ++end;
        offsets_[static_cast<std::size_t>(end - first)] = next;
    } while (end < most && borders[end + 1] - begin <= kValues);
    segments_ = end - first;
    const auto size = static_cast<std::size_t>(size_so_far);
    values_.resize(size);
    if (size > 0) {
        std::memcpy(values_.data(), batch.values + begin, size * sizeof(std::int32_t));
    }
    if (check == Check::kAll || longest > kShortLength || !are_small(values_.data(), size)) {
        check_all(first);
    }
    return end;
}

}  // namespace kilter
