// Best links of a small component: every choice in turn, the smallest link list first.
#pragma once

#include "match_component.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

class MatchEnumeration {
public:
    // False if the component is too large, or when more than max_nodes choices were looked at.
    bool solve(const MatchComponent& component, std::int64_t max_nodes, std::int64_t& steps,
               MatchChoice& choice);

private:
    void visit(std::int32_t row, std::int64_t cost);

    const MatchComponent* component_ = nullptr;
    PlainVector<std::int64_t> least_from_;  // least cost of this row and all after it
    PlainVector<std::int32_t> alone_left_;  // rows of each group that still have to stay alone
    MatchChoice current_;
    MatchChoice* best_ = nullptr;
    std::int64_t best_cost_ = 0;
    std::int64_t nodes_left_ = 0;
    std::uint64_t used_ = 0;
    Pace pace_;
};

}  // namespace kilter
