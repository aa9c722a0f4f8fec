#include "flank.hpp"

#include <algorithm>

#include "multiversion.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// W and S while walking outward.
struct Flank {
    double weight = 1.0;
    double sum = 0.0;

    void step(double half_keep, std::int64_t distance, bool leaf) {
        sum += weight;
        weight = half_keep / static_cast<double>(distance) * (sum + (leaf ? weight : 0.0));
    }
};

// The left weights of all children at once in quadratic time; `leaf` is 1.0 where the child is one.
// Every step moves one sibling outward, so that the inner loop has no dependency.
KILTER_MULTIVERSION void weights_by_distance(const double* leaf, std::int64_t count, double half_keep, double* weight,
                                             double* sum) {
    std::fill(weight, weight + count, 1.0);
    std::fill(sum, sum + count, 0.0);
    Pace pace;
    for (std::int64_t distance = 1; distance < count; ++distance) {
        const double factor = half_keep / static_cast<double>(distance);
        const double* sibling = leaf - distance;
        for (std::int64_t c = distance; c < count; ++c) {
            const double before = weight[c];
            const double total = sum[c] + before;
            sum[c] = total;
            weight[c] = factor * (total + sibling[c] * before);
        }
        pace.work(count - distance);
    }
}

constexpr std::int64_t kManyChildren = 64;

}  // namespace

double LinearValue::one_by_one(const double* children, std::int64_t count, double own) const {
    const double half_keep = keep_ / 2;
    double value = 0.0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] == kLeafValue) {
            continue;
        }
        Flank left;
        for (std::int64_t d = 1; d <= c; ++d) {
            left.step(half_keep, d, children[c - d] == kLeafValue);
        }
        Flank right;
        for (std::int64_t d = 1; c + d < count; ++d) {
            right.step(half_keep, d, children[c + d] == kLeafValue);
        }
        value += (children[c] - own) * (left.weight * right.weight);
    }
    return own + value;
}

double LinearValue::value(const double* children, std::int64_t count, std::int64_t inner, double own) {
    if (inner == 0) {
        return own;
    }
    if (count < kManyChildren || inner <= 8) {
        return one_by_one(children, count, own);
    }
    buffer_.resize(static_cast<std::size_t>(4 * count));
    double* leaf = buffer_.data();
    double* left = leaf + count;
    double* right = left + count;
    double* scratch = right + count;
    for (std::int64_t c = 0; c < count; ++c) {
        leaf[c] = children[c] == kLeafValue ? 1.0 : 0.0;
    }
    weights_by_distance(leaf, count, keep_ / 2.0, left, scratch);
    std::reverse(leaf, leaf + count);
    weights_by_distance(leaf, count, keep_ / 2.0, right, scratch);
    double value = 0.0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] != kLeafValue) {
            value += (children[c] - own) * (left[c] * right[count - 1 - c]);
        }
    }
    return own + value;
}

}  // namespace kilter
