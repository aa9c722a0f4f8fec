// How much of a child's value reaches its linear node, on average over all binary trees of the node.
#pragma once

#include <cstdint>

#include "work_vector.hpp"

namespace kilter {

inline constexpr double kLeafValue = -1.0;  // stands for "a leaf" among values of children

// The value of a linear node with operator score `own` from the values of its children:
//   own + sum over non-leaf children c of (value_c - own) * left weight(c) * right weight(c)
// Subtracting `own` leaves only what survives the cuts: a cut of a span keeps the share 1 - beta of each
// side's half, all of it if the other side is a single leaf. Giving every gap an independent random
// time makes the first cut of any span uniform, and left and right cuts independent. The weight of a
// child on one side follows, walking outward (W and S over the distance x):
//   S(x) = S(x-1) + W(x-1),  W(x) = (1-beta)/(2x) * (S(x) + [sibling at distance x is a leaf] W(x-1))
class LinearValue {
public:
    explicit LinearValue(double keep) : keep_(keep) {}

    double value(const double* children, std::int64_t count, std::int64_t inner, double own);

private:
    double one_by_one(const double* children, std::int64_t count, double own) const;

    double keep_;
    WorkVector<double> buffer_;
};

}  // namespace kilter
