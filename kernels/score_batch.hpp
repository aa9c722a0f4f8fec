// Scores of many permutations at once.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "score_row.hpp"

namespace kilter {

// Functions of this file copy and check the values while they go through them: what is no permutation is
// a std::invalid_argument that names the segment. Offsets rise, and nobody changes them.

// kColumns columns of scores and kCountColumns of counts, one after another; `trees` is exact up to 37 elements, else 0.
void score_batch(const Batch& batch, const ScoreOptions& options, int jobs, double* scores,
                 std::int32_t* counts, std::uint64_t* trees);

// PEFscore and PETscore alone, two per row.
void score_batch_trees(const Batch& batch, const ScoreOptions& options, int jobs, double* scores);

// PEFscore and PETscore (two per row) with a flat score (kKendall to kFuzzy) of each operator as its score.
void score_batch_operators(const Batch& batch, const ScoreOptions& options, Column measure, int jobs,
                           double* scores);

// The forest score of BEER 1.1, one per row.
void score_batch_beer(const Batch& batch, double beta, double empty, int jobs, double* scores);

// Two batches of equal lengths: Kendall, Hamming, Spearman and footrule similarity per row.
inline constexpr int kPairColumns = 4;
void score_pairs(const Batch& first, const Batch& second, double empty, int jobs, double* scores);

// Widths of the linear nodes with three or more children: the number of trees is the product of
// Catalan(width - 1) over them.
std::vector<std::int32_t> linear_widths(const std::int32_t* values, std::int32_t n);

// Natural logarithm of the number of trees.
double log_tree_count(const std::int32_t* values, std::int32_t n);

}  // namespace kilter
