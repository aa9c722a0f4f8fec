// Best links of any component: branch and bound over assignments.
#pragma once

#include "assignment.hpp"
#include "match_component.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// The bound: each group is an assignment problem of its own once every adjacency between two undecided
// links is split into halves, one for either link; so the sum over groups is never above the true cost.
// Deciding a link gives the whole saving to its neighbour. With the best cost known, rows are settled from
// the first to the last, each with the smallest column that still allows that cost.
class MatchBranch {
public:
    // Takes what it needs from steps. False if they did not suffice: choice is then the best found, and
    // empty if none was.
    bool solve(const MatchComponent& component, std::int64_t& steps, MatchChoice& choice);
    std::int64_t cost_of(const MatchComponent& component, const MatchChoice& choice) const;

private:
    enum class State : std::uint8_t { kOpen, kIn, kOut };
    struct Group {
        PlainVector<std::int32_t> rows;
        PlainVector<std::int32_t> cols;
        PlainVector<std::int32_t> cell;  // pair of row x column, or -1
        std::int64_t bound = 0;
        bool stale = true;
        bool all_rows_linked = false;  // in every best choice
        bool all_cols_linked = false;
    };
    struct Change {
        std::int32_t pair;
        State before;
    };

    bool prepare();
    std::int64_t price(std::int32_t pair) const;
    std::int64_t chunk_price(std::int32_t pair) const;
    std::int64_t crossing_price(std::int32_t pair) const;
    void find_extents();
    void set(std::int32_t pair, State state);
    void include(std::int32_t pair);
    void undo(std::size_t mark);
    void relax(Group& group);
    bool tighten();
    std::int32_t doubtful_pair() const;
    bool explore();
    bool settle();

    const MatchComponent* component_ = nullptr;
    PlainVector<Group> groups_;
    PlainVector<std::int32_t> group_of_pair_;
    PlainVector<std::int32_t> col_begin_;
    PlainVector<std::int32_t> col_pairs_;
    PlainVector<State> state_;
    PlainVector<Change> trail_;
    PlainVector<std::int64_t> reduced_;  // price less the dual prices of row and column, open pairs
    MatchChoice relaxed_;
    MatchChoice best_;
    // First and last column that each row can still take, and the same for columns.
    PlainVector<std::int32_t> row_low_, row_high_, col_low_, col_high_;
    std::int64_t base_ = 0;   // added to every link so that prices are at least 0
    std::int64_t alone_ = 0;  // what a row without link costs
    std::int64_t bound_ = 0;
    std::int64_t limit_ = 0;  // only costs up to this are of interest
    bool first_is_enough_ = false;
    std::int64_t steps_left_ = 0;
    Assignment assignment_;
    Pace pace_;
    PlainVector<std::int64_t> matrix_;
    PlainVector<std::int32_t> open_rows_;
};

}  // namespace kilter
