// Tree edit distance of long sentences, along the paths that take fewest steps.
//
// Instead of costs, what is saved beyond deleting the first tree and inserting the second is added up and made
// as large as can be: joining two words saves their deletion and insertion, less the rename. Nothing is saved
// by an empty forest, so that tables need no margins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "edit_cost.hpp"
#include "edit_strategy.hpp"
#include "edit_tree.hpp"

namespace kilter {

// One pair of trees after another. For n and m words it holds 16 bytes for each of n m pairs, one byte for
// the strategy, and 4 m^2 bytes where it follows a heavy path: half a gigabyte for 5,000 words. Pairs of more
// than kNarrowWords words take 8 bytes instead of 16 and of 4, and one cost model after another.
class PathSolver {
public:
    // Returns the steps that the trees would take, of about a nanosecond.
    double plan(const std::int32_t* first, std::int32_t first_size, const std::int32_t* second,
                std::int32_t second_size, int only = EditStrategy::kBest);

    // Writes a row of the trees that were planned last.
    void run(const LinkRows& links, std::int64_t segment, std::int64_t* row) const;

private:
    EditTree first_, second_;
    EditStrategy strategy_;
};

}  // namespace kilter
