#include "flank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "multiversion.hpp"

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
KILTER_MULTIVERSION
void weights_by_distance(const double* leaf, std::int64_t count, double half_keep, double* weight,
                         double* sum) {
    std::fill(weight, weight + count, 1.0);
    std::fill(sum, sum + count, 0.0);
    for (std::int64_t distance = 1; distance < count; ++distance) {
        const double factor = half_keep / static_cast<double>(distance);
        const double* sibling = leaf - distance;
        for (std::int64_t c = distance; c < count; ++c) {
            const double before = weight[c];
            const double total = sum[c] + before;
            sum[c] = total;
            weight[c] = factor * (total + sibling[c] * before);
        }
    }
}

constexpr std::size_t kStages = 12;
using Stages = std::array<double, kStages>;

// Gauss-Legendre collocation on [0, 1]: nodes, weights, and integrals of the Lagrange polynomials from
// 0 to each node.
struct Collocation {
    Stages node{}, weight{};
    std::array<Stages, kStages> integral{};  // integral[l][i]: of polynomial l up to node i

    Collocation() {
        constexpr double kPi = 3.14159265358979323846;
        for (std::size_t i = 0; i < kStages; ++i) {
            double x = std::cos(kPi * (static_cast<double>(i) + 0.75) / (kStages + 0.5));
            double slope = 0.0;
            for (int iteration = 0; iteration < 20; ++iteration) {
                double before = 1.0;
                double value = x;
                for (std::size_t k = 2; k <= kStages; ++k) {
                    const auto degree = static_cast<double>(k);
                    const double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
                    before = value;
                    value = next;
                }
                slope = kStages * (x * value - before) / (x * x - 1.0);
                x -= value / slope;
            }
            node[kStages - 1 - i] = (1.0 + x) / 2.0;
            weight[kStages - 1 - i] = 1.0 / ((1.0 - x * x) * slope * slope);
        }
        for (std::size_t i = 0; i < kStages; ++i) {
            for (std::size_t l = 0; l < kStages; ++l) {
                for (std::size_t q = 0; q < kStages; ++q) {
                    const double at = node[i] * node[q];
                    double basis = 1.0;
                    for (std::size_t other = 0; other < kStages; ++other) {
                        if (other != l) {
                            basis *= (at - node[other]) / (node[l] - node[other]);
                        }
                    }
                    integral[l][i] += node[i] * weight[q] * basis;
                }
            }
        }
    }
};

// One interval of time for all children from left to right; see LinearValue::sweep.
KILTER_MULTIVERSION
void sweep_interval(const double* leaf, std::int64_t count, double half_keep, double start,
                    double length, const Collocation& rule, double* weight) {
    Stages remaining;
    std::array<Stages, kStages> integral;
    for (std::size_t i = 0; i < kStages; ++i) {
        remaining[i] = 1.0 - (start + length * rule.node[i]);
        for (std::size_t l = 0; l < kStages; ++l) {
            integral[l][i] = length * half_keep * rule.integral[l][i];
        }
    }
    Stages reached;  // Y of the border before, at the nodes
    Stages memory{};  // Z: sum over earlier borders h of Y_h * remaining^(gaps in between)
    reached.fill(1.0);
    for (std::int64_t border = 1; border < count; ++border) {
        Stages rate;
        double gained = 0.0;
        for (std::size_t i = 0; i < kStages; ++i) {
            memory[i] = remaining[i] * memory[i] + reached[i];
            rate[i] = memory[i] + leaf[border - 1] * reached[i];
            gained += rule.weight[i] * rate[i];
        }
        Stages next;
        next.fill(weight[border]);
        for (std::size_t l = 0; l < kStages; ++l) {
            for (std::size_t i = 0; i < kStages; ++i) {
                next[i] += integral[l][i] * rate[l];
            }
        }
        weight[border] += length * half_keep * gained;
        reached = next;
    }
}

constexpr std::int64_t kManyChildren = 64;
constexpr std::int64_t kWideNode = 2048;

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

// The left weights of all children in quasi-linear time. Y_g(t) is the expected weight of the cuts up
// to time t if the last of them was at border g; with a = (1-beta)/2 and s = 1 - t
//   dY_g/dt = a * ( sum over h < g of s^(g-1-h) Y_h + [child g-1 is a leaf] Y_{g-1} ),  Y_0 = 1
// and W of child c is Y_c(1). The system is strictly triangular, so that collocation needs no
// iteration: one pass over the borders solves an interval of time. On intervals that double in length
// the solution is analytic around each of them with the same margin, so that 12 nodes give full
// precision on every one of the log2(count) intervals.
void LinearValue::sweep(const double* leaf, std::int64_t count, double* weight) {
    static const Collocation rule;
    std::fill(weight, weight + count, 0.0);
    weight[0] = 1.0;
    double start = 0.0;
    double end = 1.0;
    while (end * static_cast<double>(count) > 1.0) {
        end /= 2.0;
    }
    while (start < 1.0) {
        sweep_interval(leaf, count, keep_ / 2.0, start, end - start, rule, weight);
        start = end;
        end = std::min(2.0 * end, 1.0);
    }
}

template <class Weights>
double LinearValue::with_weights(const double* children, std::int64_t count, double own,
                                 Weights weights) {
    buffer_.resize(static_cast<std::size_t>(4 * count));
    double* leaf = buffer_.data();
    double* left = leaf + count;
    double* right = left + count;
    double* scratch = right + count;
    for (std::int64_t c = 0; c < count; ++c) {
        leaf[c] = children[c] == kLeafValue ? 1.0 : 0.0;
    }
    weights(leaf, left, scratch);
    std::reverse(leaf, leaf + count);
    weights(leaf, right, scratch);
    double value = 0.0;
    for (std::int64_t c = 0; c < count; ++c) {
        if (children[c] != kLeafValue) {
            value += (children[c] - own) * (left[c] * right[count - 1 - c]);
        }
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
    if (count < kWideNode) {
        return with_weights(children, count, own,
                            [&](const double* leaf, double* weight, double* scratch) {
                                weights_by_distance(leaf, count, keep_ / 2.0, weight, scratch);
                            });
    }
    return with_weights(children, count, own, [&](const double* leaf, double* weight, double*) {
        sweep(leaf, count, weight);
    });
}

}  // namespace kilter
