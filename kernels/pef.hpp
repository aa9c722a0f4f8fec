// PEFscore and PETscore from the flattened tree, without building the forest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "permutation_tree.hpp"

namespace kilter {

inline constexpr double kLeafValue = -1.0;  // stands for "a leaf" among values of children

struct TreeScores {
    double pef = 1.0;
    double pet = 1.0;
};

// Evaluates one tree after another; keeps its working space between calls.
class TreeScorer {
public:
    TreeScorer(double beta, double gamma, bool right_branching)
        : beta_(beta), keep_(1.0 - beta), gamma_(gamma), right_branching_(right_branching) {}

    // Scores with the published operator scores: 1 monotone, gamma inverted, 0 prime.
    TreeScores score(const PermutationTree& tree);
    // Scores with one operator score per node of the tree (those of leaves are not read).
    TreeScores score(const PermutationTree& tree, const double* operator_scores);

    // The value of a linear node from those of its children, averaged over all its binary trees.
    double linear_value(const double* children, std::int64_t count, std::int64_t inner, double own);

private:
    template <class OperatorScore>
    TreeScores evaluate(const PermutationTree& tree, OperatorScore operator_score);
    double one_by_one(const double* children, std::int64_t count, double own) const;
    double all_at_once(const double* children, std::int64_t count, double own);
    double branching_value(const double* children, std::int64_t count, double own) const;
    double prime_value(const double* children, std::int64_t count, double own) const;

    double beta_, keep_, gamma_;
    bool right_branching_;
    std::vector<double> pef_, pet_, pef_children_, pet_children_, flanks_;
};

}  // namespace kilter
