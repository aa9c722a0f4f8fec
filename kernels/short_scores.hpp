// All scores of permutations of at most 64 elements, many of them side by side: machine words as sets.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "batch.hpp"
#include "catalan.hpp"
#include "score_row.hpp"
#include "short_group.hpp"

namespace kilter {

inline constexpr std::int64_t kShortLength = 64;

// How two nodes are joined, by their kinds. Masks have all bits or none.
struct JoinCase {
    Word starts;                     // the first is a word
    Word adds;                       // or is of the kind of both together: it gets another child
    Word grows;                      // the latter alone
    Word leaves;                     // the second is a word, or of that kind
    Word inner_below, inner_newest;  // 1 if the first and the second become a child that is no leaf
    double own, beta_own;            // what that kind scores, and its part in what the node is worth
    Word kind;
};

// What depends on the options only, for permutations of up to `longest` elements.
struct ShortTables {
    ShortTables(const ScoreOptions& options, std::int64_t longest);

    double beta, keep, gamma;
    bool right_branching;
    std::array<double, 65> tree_counts;
    std::array<std::uint64_t, 65> exact_tree_counts;  // wraps above the exact widths
    std::array<double, 65> half_keep;                 // keep / (2 x)
    std::array<double, 65> leaf_sum;                  // S of x leaves on one side of a child
    std::array<double, 65> power;                     // keep^x
    std::array<JoinCase, 32> cases;  // by kind of the first and of the second, and whether the second is lower
    // W of what is on one side of a child: x leaves if g is 0, else g - 1 leaves, no leaf, and x leaves.
    std::array<std::array<double, 64>, 64> flanks;
};

// Scores permutations of at most kShortLength elements, as many at a time as fit into a group.
class ShortScorer {
public:
    explicit ShortScorer(const ShortTables& tables);

    // Copies short segments from `first` on, and returns the one after them: at least one, unless the first is long.
    std::int64_t load(const Batch& batch, std::int64_t first, std::int64_t last);

    // Whether all that were copied are permutations; only then they may be scored.
    [[nodiscard]] bool good() const { return good_; }

    // Columns of which the first of them has the first row.
    void score(double empty, const ScoreColumns& columns);

    // PEFscore and PETscore alone, two a row, for callers that need nothing else.
    void score_trees(double empty, double* scores);

private:
    const ShortTables& tables_;
    std::unique_ptr<ShortGroup> group_;
    bool good_ = false;
};

}  // namespace kilter
