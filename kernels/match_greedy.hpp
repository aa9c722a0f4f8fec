// Good links in bounded time, for sentence pairs that are too hard to search.
#pragma once

#include <utility>

#include "match_candidates.hpp"
#include "match_component.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

class MatchGreedy {
public:
    using Links = PlainVector<std::pair<std::int32_t, std::int32_t>>;

    // Most links between the free words of rows (ascending): from the first row on, the column that begins
    // the longest run (fewest chunks), or the first column (fewest crossings).
    const Links& solve(const MatchCandidates& candidates, const PlainVector<std::int32_t>& rows,
                       MatchRule rule);

private:
    static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }
    bool free(std::int32_t row, std::int32_t col) const {
        return partner_[row] < 0 && owner_[col] < 0;
    }
    void take_best(std::int32_t row, MatchRule rule);
    void take_next(std::int32_t row);
    bool augment(std::int32_t row);

    const MatchCandidates* candidates_ = nullptr;
    PlainVector<std::int32_t> partner_;
    PlainVector<std::int32_t> owner_;
    PlainVector<std::int32_t> next_col_;  // of each group
    PlainVector<std::uint8_t> visited_;
    PlainVector<std::int32_t> came_from_;
    PlainVector<std::int32_t> queue_;
    std::int64_t work_left_ = 0;
    Links links_;
    Pace pace_;
};

}  // namespace kilter
