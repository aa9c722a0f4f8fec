// Kendall's score alone, for callers that need nothing else.
#pragma once

#include "batch.hpp"

namespace kilter {

// The share of pairs in order, one per row; `empty` for the permutation of length 0.
void score_batch_kendall(const Batch& batch, double empty, int jobs, double* scores);

}  // namespace kilter
