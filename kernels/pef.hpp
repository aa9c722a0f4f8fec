// PEFscore and PETscore from the flattened tree, without building the forest.
#pragma once

#include <cstdint>
#include <vector>

#include "catalan.hpp"
#include "flank.hpp"
#include "permutation_tree.hpp"

namespace kilter {

struct TreeScores {
    double pef = 1.0;
    double pet = 1.0;
};

// Evaluates explicit trees with one operator score per node (those of leaves are not read).
class TreeScorer {
public:
    TreeScorer(double beta, bool right_branching)
        : beta_(beta), keep_(1.0 - beta), right_branching_(right_branching), linear_(1.0 - beta) {}

    TreeScores score(const PermutationTree& tree, const double* operator_scores);

private:
    double branching_value(const double* children, std::int64_t count, double own) const;
    double prime_value(const double* children, std::int64_t count, double own) const;

    double beta_, keep_;
    bool right_branching_;
    LinearValue linear_;
    std::vector<double> pef_, pet_, pef_children_, pet_children_;
};

// A sink of ShiftReduce that evaluates a permutation on the way and keeps nothing of its tree:
// published operator scores, left-branching PETscore, counts of nodes and trees.
class ScoringSink {
public:
    ScoringSink(double beta, double gamma, const TreeCountTable& tree_counts)
        : beta_(beta), keep_(1.0 - beta), gamma_(gamma), linear_(1.0 - beta), tree_counts_(tree_counts) {}

    void clear(std::int32_t n);
    void shift() { open_.push_back({0, 0, kLeafValue, 0.0}); }
    void extend(const OpenNode& below, const OpenNode& newest, std::int32_t);
    void pair(const OpenNode& below, const OpenNode& newest, std::int32_t kind, std::int32_t);
    void prime(const NodeStack& stack, std::size_t index, const OpenNode& newest, std::int32_t);
    void finish(const OpenNode& root);

    TreeScores scores;
    ScaledNumber trees;
    std::int32_t nodes = 0, max_operator = 0;

private:
    // What is known of a node on the stack beyond OpenNode; its children's values are the top of
    // values_ from base on.
    struct Payload {
        std::int64_t base, inner;
        double pet;  // left-branching so far; kLeafValue for a leaf
        double pef;  // of a prime node
    };
    double own_score(std::int32_t kind) const { return kind == kMonotone ? 1.0 : gamma_; }
    double take(const OpenNode& node, const Payload& payload);

    double beta_, keep_, gamma_;
    LinearValue linear_;
    const TreeCountTable& tree_counts_;
    WorkVector<Payload> open_;
    WorkVector<double> values_;
};

}  // namespace kilter
