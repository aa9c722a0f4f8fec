// One checked view for each kind of array: offsets, texts, links, trees. A view copies what Python gave,
// then checks its copy, so that nobody can change it between the two. Faults are std::invalid_argument
// (in Python a ValueError) and say where they are. Nothing here needs the interpreter lock.
#pragma once

#include "bindings/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "batch.hpp"
#include "dependency_tree.hpp"
#include "link_rule.hpp"
#include "work_vector.hpp"

namespace kilter {

// What one segment may hold: numbers of nodes and of pairs of neighbours stay below 2^31.
inline constexpr std::int64_t kMostWords = std::int64_t{1} << 30;
// What sentences may hold of which only the length is given, and how many there may be.
inline constexpr std::int64_t kMostGivenWords = std::int64_t{1} << 24;
inline constexpr std::int64_t kMostSegments = std::int64_t{1} << 28;

inline std::string at_entry(const char* name, std::size_t place) {
    return std::string(name) + "[" + std::to_string(place) + "]";
}

// A number from low to high.
inline double in_range(double value, double low, double high, const char* name) {
    if (!(value >= low && value <= high)) {
        refuse(std::string(name) + " is " + std::to_string(value) + "; it lies between " + std::to_string(low) +
               " and " + std::to_string(high));
    }
    return value;
}

// A copy that is ours.
template <class T>
class Copy {
public:
    template <class Given>
    explicit Copy(const Given& given) : values_(given.size()) {
        if (given.size() > 0) {
            std::memcpy(values_.data(), given.data(), given.size() * sizeof(T));
        }
    }
    const T* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    T operator[](std::size_t k) const { return values_[k]; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }

    // Every number lies from low to high.
    void check_within(T low, T high, const char* name) const {
        for (std::size_t k = 0; k < size(); ++k) {
            if (values_[k] < low || values_[k] > high) {
                refuse(at_entry(name, k) + " is " + std::to_string(values_[k]) + "; it must lie between " +
                       std::to_string(low) + " and " + std::to_string(high));
            }
        }
    }
    // Every number is finite and lies from low to high.
    void check_finite(const char* name, double low = -std::numeric_limits<double>::max(),
                      double high = std::numeric_limits<double>::max()) const {
        for (std::size_t k = 0; k < size(); ++k) {
            if (!(values_[k] >= low && values_[k] <= high)) {
                refuse(at_entry(name, k) + " is " + std::to_string(values_[k]) + "; it must be a finite number" +
                       (high < std::numeric_limits<double>::max()
                            ? " between " + std::to_string(low) + " and " + std::to_string(high)
                            : std::string()));
            }
        }
    }

private:
    WorkVector<T> values_;
};

// Where segments begin: 0 first, never falling, the number of elements last.
class Offsets {
public:
    Offsets(const Longs& given, std::size_t elements, const char* name) : values_(given) {
        if (values_.size() == 0) {
            refuse(std::string(name) + " is empty; it starts with 0");
        }
        if (values_[0] != 0) {
            refuse(at_entry(name, 0) + " is " + std::to_string(values_[0]) + "; it must be 0");
        }
        const auto total = static_cast<std::int64_t>(elements);
        bool good = values_[values_.size() - 1] == total;
        for (std::size_t k = 1; k < values_.size(); ++k) {
            // Of what falls, the difference is larger than any length.
            good &= static_cast<std::uint64_t>(values_[k]) - static_cast<std::uint64_t>(values_[k - 1]) <=
                    static_cast<std::uint64_t>(kMostWords);
        }
        if (!good) {
            name_fault(total, name);
        }
    }
    // Those of one segment.
    explicit Offsets(std::size_t elements)
        : values_(std::vector{std::int64_t{0}, static_cast<std::int64_t>(elements)}) {}

    const std::int64_t* data() const { return values_.data(); }
    std::int64_t segments() const { return static_cast<std::int64_t>(values_.size()) - 1; }
    std::int64_t operator[](std::int64_t segment) const { return values_[static_cast<std::size_t>(segment)]; }
    std::int64_t length(std::int64_t segment) const { return (*this)[segment + 1] - (*this)[segment]; }

private:
    [[noreturn]] void name_fault(std::int64_t total, const char* name) const {
        for (std::size_t k = 1; k < values_.size(); ++k) {
            if (values_[k] < values_[k - 1]) {
                refuse(std::string(name) + " fall from " + std::to_string(values_[k - 1]) + " to " +
                       std::to_string(values_[k]) + " at entry " + std::to_string(k));
            }
        }
        for (std::int64_t s = 0; s < segments(); ++s) {
            if (length(s) > kMostWords) {
                refuse(std::string(name) + " give segment " + std::to_string(s) + " more than 1073741824 elements");
            }
        }
        refuse(std::string(name) + " end with " + std::to_string(values_[values_.size() - 1]) + "; there are " +
               std::to_string(total) + " elements");
    }

    Copy<std::int64_t> values_;
};

// Permutations of many segments: offsets that are ours, values that kernels copy and check block by block.
class Permutations {
public:
    Permutations(const Ints& values, const Longs& offsets, const char* name)
        : values_(values.data()), offsets_(offsets, values.size(), name) {}
    Batch batch() const { return {values_, offsets_.data(), offsets_.segments()}; }
    std::size_t rows() const { return static_cast<std::size_t>(offsets_.segments()); }

private:
    const std::int32_t* values_;
    Offsets offsets_;
};

// Segments of numbers that lie from low to high: words of a vocabulary, groups.
class Texts {
public:
    Texts(const Ints& ids, const Longs& offsets, std::int64_t low, std::int64_t high, const char* name)
        : ids_(ids), offsets_(offsets, ids.size(), "offsets") {
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        if (high < low) {
            if (ids_.size() > 0) {
                refuse(std::string(name) + " has words of an empty vocabulary");
            }
            return;
        }
        ids_.check_within(static_cast<std::int32_t>(low), static_cast<std::int32_t>(std::min(high, most)), name);
    }
    Batch batch() const { return {ids_.data(), offsets_.data(), offsets_.segments()}; }
    std::int64_t segments() const { return offsets_.segments(); }
    std::size_t rows() const { return static_cast<std::size_t>(offsets_.segments()); }
    std::size_t size() const { return ids_.size(); }

private:
    Copy<std::int32_t> ids_;
    Offsets offsets_;
};

// Numbers of words of sentences that are not given themselves.
class Lengths {
public:
    Lengths(const Longs& given, std::int64_t segments, std::int64_t most, const char* name) : values_(given) {
        if (static_cast<std::int64_t>(values_.size()) != segments) {
            refuse(std::string(name) + " has " + std::to_string(values_.size()) + " entries for " +
                   std::to_string(segments) + " segments");
        }
        values_.check_within(0, most, name);
    }
    const std::int64_t* data() const { return values_.data(); }
    std::int64_t operator[](std::size_t k) const { return values_[k]; }

private:
    Copy<std::int64_t> values_;
};

// Links of many segments; positions are not negative. Sorted: by first word, then by second, each link once.
class Links {
public:
    enum class Order { kSorted, kAny };

    Links(const Pairs& pairs, const Longs& offsets, const char* name, Order order = Order::kSorted)
        : Links(pairs, Offsets(offsets, pairs.shape(0), "link offsets"), name, order) {}
    // Those of one segment.
    Links(const Pairs& pairs, const char* name) : Links(pairs, Offsets(pairs.shape(0)), name, Order::kSorted) {}

    LinkRows rows() const { return {pairs_.data(), offsets_.data(), offsets_.segments()}; }
    std::int64_t segments() const { return offsets_.segments(); }
    // The links of a segment lie inside sentences of these lengths.
    void check_inside(std::int64_t segment, std::int64_t first_length, std::int64_t second_length) const {
        const LinkRows own{pairs_.data(), offsets_.data() + segment, 1};
        const std::int64_t found = find_outside(own, &first_length, &second_length);
        if (found >= 0) {
            refuse("link " + said(found) + " of segment " + std::to_string(segment) + " points outside sentences of " +
                   std::to_string(first_length) + " and " + std::to_string(second_length) + " words");
        }
    }

private:
    Links(const Pairs& pairs, Offsets offsets, const char* name, Order order)
        : pairs_(pairs), offsets_(std::move(offsets)) {
        pairs_.check_within(0, std::numeric_limits<std::int32_t>::max(), name);
        for (std::int64_t s = 0; order == Order::kSorted && s < segments(); ++s) {
            for (std::int64_t k = offsets_[s] + 1; k < offsets_[s + 1]; ++k) {
                if (!before(k - 1, k)) {
                    refuse("link " + said(k) + " of segment " + std::to_string(s) + " follows " + said(k - 1) +
                           "; links are sorted, each once");
                }
            }
        }
    }
    std::int32_t at(std::int64_t k) const { return pairs_[static_cast<std::size_t>(k)]; }
    bool before(std::int64_t one, std::int64_t other) const {
        return at(2 * one) != at(2 * other) ? at(2 * one) < at(2 * other) : at(2 * one + 1) < at(2 * other + 1);
    }
    std::string said(std::int64_t k) const { return std::to_string(at(2 * k)) + "-" + std::to_string(at(2 * k + 1)); }

    Copy<std::int32_t> pairs_;
    Offsets offsets_;
};

// Dependency trees: heads inside their sentence or -1, no cycle, and one root unless several are allowed.
class Trees {
public:
    enum class Roots { kOne, kAny };

    Trees(const Ints& heads, const Longs& offsets, Roots roots = Roots::kOne)
        : Trees(heads, Offsets(offsets, heads.size(), "offsets"), roots) {}
    // One tree.
    explicit Trees(const Ints& heads) : Trees(heads, Offsets(heads.size()), Roots::kOne) {}

    TreeRows rows() const { return {heads_.data(), offsets_.data(), offsets_.segments()}; }
    Batch batch() const { return {heads_.data(), offsets_.data(), offsets_.segments()}; }
    std::int64_t count() const { return offsets_.segments(); }
    std::int64_t length(std::int64_t tree) const { return offsets_.length(tree); }
    std::size_t size() const { return heads_.size(); }

private:
    Trees(const Ints& heads, Offsets offsets, Roots roots) : heads_(heads), offsets_(std::move(offsets)) {
        for (std::int64_t tree = 0; tree < offsets_.segments(); ++tree) {
            check(tree);
            const std::int32_t* begin = heads_.data() + offsets_[tree];
            if (roots == Roots::kOne && std::count(begin, begin + offsets_.length(tree), -1) > 1) {
                refuse("tree " + std::to_string(tree) + " has several roots");
            }
        }
    }
    void check(std::int64_t tree) {
        const std::int32_t* heads = heads_.data() + offsets_[tree];
        const TreeFault fault = check_.find(heads, offsets_.length(tree));
        if (fault.kind == TreeFault::Kind::kOutside) {
            refuse("the head " + std::to_string(heads[fault.word]) + " of word " + std::to_string(fault.word) +
                   " lies outside tree " + std::to_string(tree));
        }
        if (fault.kind == TreeFault::Kind::kCycle) {
            refuse("the heads of tree " + std::to_string(tree) + " have a cycle");
        }
    }

    Copy<std::int32_t> heads_;
    Offsets offsets_;
    TreeCheck check_;
};

}  // namespace kilter
