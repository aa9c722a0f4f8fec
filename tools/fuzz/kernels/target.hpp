// What the fuzz targets of the kernels share: a table of targets, and structures made of the fuzzer's bytes.
#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "link_rule.hpp"

namespace kilter::fuzz {

using Target = void (*)(FuzzedDataProvider&);

// All targets by name; KILTER_TARGET says which one runs.
inline std::map<std::string, Target>& targets() {
    static std::map<std::string, Target> all;
    return all;
}

struct Register {
    Register(const char* name, Target target) { targets()[name] = target; }
};

// A law that holds for every input: whatever breaks it is a finding, as a crash is.
inline void law(bool holds, const char* said) {
    if (!holds) {
        std::fprintf(stderr, "broken law: %s\n", said);
        std::abort();
    }
}

// The same call with one thread and with several gives the same numbers.
constexpr int kSeveral = 3;

inline std::size_t small_size(FuzzedDataProvider& data, std::size_t most) {
    return data.ConsumeIntegralInRange<std::size_t>(0, most);
}

// Lengths of sentences around the limits of registers, and any other.
inline std::int32_t sentence_length(FuzzedDataProvider& data, std::int32_t most) {
    static constexpr std::int32_t kEdges[] = {0, 1, 2, 3, 8, 16, 63, 64, 65, 66, 128, 130};
    const std::int32_t length =
        data.ConsumeBool() ? data.PickValueInArray(kEdges) : data.ConsumeIntegralInRange<std::int32_t>(0, most);
    return std::min(length, most);
}

// 0 to n - 1 in the order that the bytes say; they may leave long runs in their places, as sentences do.
inline std::vector<std::int32_t> permutation(FuzzedDataProvider& data, std::int32_t n) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(n));
    std::iota(values.begin(), values.end(), 0);
    if (data.ConsumeBool()) {
        std::reverse(values.begin(), values.end());
    }
    const std::size_t changes = small_size(data, 2 * values.size());
    for (std::size_t k = 0; k < changes && n > 1 && data.remaining_bytes() > 0; ++k) {
        auto from = data.ConsumeIntegralInRange<std::int32_t>(0, n - 1);
        auto to = data.ConsumeIntegralInRange<std::int32_t>(0, n - 1);
        if (from > to) {
            std::swap(from, to);
        }
        if (data.ConsumeBool()) {
            std::swap(values[static_cast<std::size_t>(from)], values[static_cast<std::size_t>(to)]);
        } else {
            std::rotate(values.begin() + from, values.begin() + from + (to - from + 1) / 2, values.begin() + to + 1);
        }
    }
    return values;
}

// Rows beside one another: offsets begin with 0 and end with the number of values.
template <class T>
struct Rows {
    std::vector<T> values;
    std::vector<std::int64_t> offsets{0};

    void add(const std::vector<T>& row) {
        values.insert(values.end(), row.begin(), row.end());
        offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
    std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

// A dependency tree with one root, of any shape and order: heads, -1 for the root.
inline std::vector<std::int32_t> tree(FuzzedDataProvider& data, std::int32_t n) {
    const std::vector<std::int32_t> name = permutation(data, n);
    const auto reach = data.ConsumeIntegralInRange<std::int32_t>(1, 8);
    std::vector<std::int32_t> heads(static_cast<std::size_t>(n), -1);
    for (std::int32_t k = 1; k < n; ++k) {
        const std::int32_t back = std::min(k, reach == 8 ? n : reach);
        const std::int32_t head = k - data.ConsumeIntegralInRange<std::int32_t>(1, back);
        heads[static_cast<std::size_t>(name[static_cast<std::size_t>(k)])] = name[static_cast<std::size_t>(head)];
    }
    return heads;
}

inline bool is_tree(const std::int32_t* heads, std::size_t n, bool one_root) {
    std::size_t roots = 0;
    for (std::size_t word = 0; word < n; ++word) {
        roots += heads[word] == -1 ? 1 : 0;
        std::size_t steps = 0;
        for (std::int64_t at = static_cast<std::int64_t>(word); at >= 0; at = heads[at]) {
            if (at >= static_cast<std::int64_t>(n) || ++steps > n) {
                return false;
            }
        }
    }
    return n == 0 || (one_root ? roots == 1 : roots >= 1);
}

// Links between sentences, sorted, each once; one-to-one if asked.
inline std::vector<std::int32_t> links(FuzzedDataProvider& data, std::int32_t first, std::int32_t second,
                                       bool one_to_one = false) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    if (first > 0 && second > 0) {
        const std::size_t count = small_size(data, static_cast<std::size_t>(std::max(first, second)));
        for (std::size_t k = 0; k < count && data.remaining_bytes() > 0; ++k) {
            pairs.emplace_back(data.ConsumeIntegralInRange<std::int32_t>(0, first - 1),
                               data.ConsumeIntegralInRange<std::int32_t>(0, second - 1));
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<std::int32_t> flat;
    std::vector<bool> used(static_cast<std::size_t>(second));
    std::int32_t last = -1;
    for (const auto& [a, b] : pairs) {
        if (one_to_one && (a == last || used[static_cast<std::size_t>(b)])) {
            continue;
        }
        last = a;
        used[static_cast<std::size_t>(b)] = true;
        flat.push_back(a);
        flat.push_back(b);
    }
    return flat;
}

// Links of several segments.
struct LinkBatch {
    std::vector<std::int32_t> pairs;
    std::vector<std::int64_t> offsets{0};

    void add(const std::vector<std::int32_t>& own) {
        pairs.insert(pairs.end(), own.begin(), own.end());
        offsets.push_back(static_cast<std::int64_t>(pairs.size() / 2));
    }
    LinkRows rows() const {
        return {pairs.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    }
};

// Words of a small vocabulary, so that they repeat.
inline std::vector<std::int32_t> words(FuzzedDataProvider& data, std::int32_t most_words, std::int32_t vocabulary) {
    const std::int32_t n = sentence_length(data, most_words);
    std::vector<std::int32_t> found(static_cast<std::size_t>(n));
    for (std::int32_t& word : found) {
        word = data.ConsumeIntegralInRange<std::int32_t>(0, vocabulary - 1);
    }
    return found;
}

}  // namespace kilter::fuzz
