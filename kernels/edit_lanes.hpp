// Tree edit distance of sentences under all cost models at once, as lanes of one machine register.
#pragma once

#include <cstdint>
#include <vector>

#include "edit_cost.hpp"
#include "postorder.hpp"
#include "work_vector.hpp"

namespace kilter {

// Zhang and Shasha's recurrence with the forests of all keyroots of the second tree beside one another
// in one row, so that a row is one long loop without branches. Keeps its tables between pairs.
class LaneSolver {
public:
    LaneSolver() : costs_(lane_costs()) {}

    // Whether the tables are small enough; numbers must be narrow, too.
    static bool fits(const Postorder& first, const Postorder& second);

    EditLanes run(const Postorder& first, const Postorder& second, const SegmentLinks& links);

private:
    friend struct LaneSteps;

    CostTable<EditLanes> costs_;
    WorkVector<EditLanes> trees_;    // distances of subtrees, one entry more per row than words
    WorkVector<EditLanes> forests_;  // distances of forests below one keyroot of the first tree
    WorkVector<EditLanes> renames_;  // laid out as trees_
    WorkVector<EditLanes> deletes_, deleted_, inserts_, inserted_, mismatches_, below_;

    // One entry per column of a row of forests. A column that stands for an empty forest has the place
    // after the last word, where all distances are out of reach.
    PlainVector<std::int32_t> places_, backs_;  // the last word; the column without its subtree
    WorkVector<EditLanes> column_inserts_, spine_;
};

}  // namespace kilter
