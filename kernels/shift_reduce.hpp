// Shift-reduce over a permutation: finds the flattened permutation tree in linear time, no recursion.
#pragma once

#include <algorithm>
#include <cstdint>

#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Linear nodes (monotone, inverted) have two or more children in rising or falling order of values;
// prime nodes have four or more, in the order of a primal operator.
enum Kind : std::int32_t { kLeaf = 0, kMonotone = 1, kInverted = 2, kPrime = 3 };

// A node that may still grow: the elements from `start` to the current one.
struct OpenNode {
    std::int32_t start, low, high, kind, children;
};

using NodeStack = WorkVector<OpenNode>;

// Answers in amortised constant time whether positions [x..i] form an interval of values: exactly when
// furthest_right(x) >= i and furthest_left(i) <= x (commuting generators).
class IntervalGenerators {
public:
    void find(const std::int32_t* values, std::int32_t n);
    std::int32_t furthest_right(std::int32_t position) const {
        return right_[position];
    }
    std::int32_t furthest_left(std::int32_t position) const {
        return left_[position];
    }

private:
    struct Range {
        std::int32_t low, high;
    };
    struct Seen {
        std::int32_t position, value;
    };
    template <class Blocks>
    void find_ranges(std::int32_t n, Blocks blocks);

    WorkVector<std::int32_t> positions_, right_, left_;
    WorkVector<Range> ranges_;
    WorkVector<Seen> seen_;
};

// Shifts the elements from left to right; after each, reduces as long as the newest node forms an
// interval with nodes below it: two neighbours make or extend a linear node, more make a prime one.
//
// The sink hears of every node that becomes a child, when it can no longer grow:
//   clear(n)
//   shift()                          a leaf is the newest node
//   extend(below, newest)            the newest becomes the last child of a linear node
//   pair(below, newest, kind)        both become the children of a new linear node
//   prime(nodes, index, newest)      nodes[index...] and the newest become the parts of a prime node
//   finish(root)
class ShiftReduce {
public:
    template <class Sink>
    void run(const std::int32_t* values, std::int32_t n, Sink& sink);

private:
    // Steps per element that the walk down the stack may take before the generators take over: the
    // walk is faster on what sentences look like and quadratic on odd/even interleavings.
    static constexpr std::int64_t kWalkingSteps = 4;

    template <bool kWalking, class Sink>
    bool reduce_all(const std::int32_t* values, std::int32_t n, Sink& sink);
    template <bool kWalking>
    std::int32_t find_prime(const OpenNode& newest, std::int32_t i);

    NodeStack stack_;
    WorkVector<std::int32_t> candidates_;
    IntervalGenerators generators_;
    std::int64_t budget_ = 0;
};

// The nearest node below that forms an interval with everything above it, or -1.
template <bool kWalking>
std::int32_t ShiftReduce::find_prime(const OpenNode& newest, std::int32_t i) {
    if constexpr (kWalking) {
        std::int32_t low = newest.low;
        std::int32_t high = newest.high;
        for (auto index = static_cast<std::int32_t>(stack_.size()) - 1; index >= 0; --index) {
            const OpenNode& below = stack_[index];
            low = std::min(low, below.low);
            high = std::max(high, below.high);
            --budget_;
            if (high - low > i) {  // more values than there are positions up to i
                return -1;
            }
            if (high - low == i - below.start) {
                return index;
            }
        }
        return -1;
    } else {
        const auto start_of = [&](std::int32_t index) {
            return stack_[index].start;
        };
        // A candidate that an element lies too far for is out of the question for all later ones.
        while (!candidates_.empty() && generators_.furthest_right(start_of(candidates_.back())) < i) {
            candidates_.pop_back();
        }
        if (candidates_.empty() || start_of(candidates_.back()) < generators_.furthest_left(i)) {
            return -1;
        }
        return candidates_.back();
    }
}

template <bool kWalking, class Sink>
bool ShiftReduce::reduce_all(const std::int32_t* values, std::int32_t n, Sink& sink) {
    stack_.clear();
    candidates_.clear();
    sink.clear(n);
    for (std::int32_t i = 0; i < n; ++i) {
        if ((i & 0xffff) == 0xffff) {
            check_stop();
        }
        OpenNode newest{i, values[i], values[i], kLeaf, 0};
        sink.shift();
        while (!stack_.empty()) {
            OpenNode& below = stack_.back();
            const std::int32_t kind = newest.low == below.high + 1   ? kMonotone
                                      : newest.high + 1 == below.low ? kInverted
                                                                     : kLeaf;
            if (kind != kLeaf) {
                OpenNode joined{below.start, std::min(below.low, newest.low),
                                std::max(below.high, newest.high), kind, 2};
                if (below.kind == kind) {
                    sink.extend(below, newest, i);
                    joined.children = below.children + 1;
                } else {
                    sink.pair(below, newest, kind, i);
                }
                newest = joined;
                stack_.pop_back();
            } else {
                const std::int32_t index = find_prime<kWalking>(newest, i);
                if (kWalking && budget_ < 0) {
                    return false;
                }
                if (index < 0) {
                    break;
                }
                OpenNode joined{stack_[index].start, newest.low, newest.high,
                                kPrime, static_cast<std::int32_t>(stack_.size()) - index + 1};
                sink.prime(stack_, static_cast<std::size_t>(index), newest, i);
                for (auto k = static_cast<std::size_t>(index); k < stack_.size(); ++k) {
                    joined.low = std::min(joined.low, stack_[k].low);
                    joined.high = std::max(joined.high, stack_[k].high);
                }
                newest = joined;
                stack_.resize(index);
            }
            if constexpr (!kWalking) {
                while (!candidates_.empty() &&
                       candidates_.back() >= static_cast<std::int32_t>(stack_.size())) {
                    candidates_.pop_back();
                }
            }
        }
        stack_.push_back(newest);
        if constexpr (!kWalking) {
            candidates_.push_back(static_cast<std::int32_t>(stack_.size()) - 1);
        }
    }
    if (n > 0) {
        sink.finish(stack_.front());
    }
    return true;
}

template <class Sink>
void ShiftReduce::run(const std::int32_t* values, std::int32_t n, Sink& sink) {
    budget_ = kWalkingSteps * n;
    if (!reduce_all<true>(values, n, sink)) {
        generators_.find(values, n);
        reduce_all<false>(values, n, sink);
    }
}

}  // namespace kilter
