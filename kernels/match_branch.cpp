#include "match_branch.hpp"

#include <algorithm>

namespace kilter {
namespace {

constexpr std::int64_t kNoLimit = Assignment::kForbidden;

bool cross(const MatchComponent::Pair& p, const MatchComponent::Pair& q) {
    return (p.row < q.row) != (p.col < q.col);
}

}  // namespace

bool MatchBranch::solve(const MatchComponent& component, std::int64_t& steps, MatchChoice& choice) {
    component_ = &component;
    choice.clear();
    best_.clear();
    steps_left_ = steps;
    if (!prepare()) {
        return false;
    }
    limit_ = kNoLimit;
    first_is_enough_ = false;
    explore();
    const bool proven = steps_left_ > 0 && settle();
    steps = std::max<std::int64_t>(steps_left_, 0);
    choice = best_;
    return proven;
}

bool MatchBranch::prepare() {
    const MatchComponent& component = *component_;
    const auto pairs = component.pairs.size();
    const bool chunks = component.rule == MatchRule::kChunks;
    base_ = chunks ? 4 * component.unit : 0;
    alone_ = 2;
    for (std::int32_t row = 0; row < component.rows(); ++row) {
        std::int64_t worst = 0;
        for (std::int32_t p = component.begin(row); p < component.end(row); ++p) {
            worst = std::max(worst, component.at(p).cost);
        }
        alone_ += base_ + worst + (chunks ? 0 : 2 * component.unit * component.rows());
        if (alone_ > kNoLimit / (2 * (component.rows() + 1))) {
            return false;
        }
    }

    groups_.resize(component.groups.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const MatchComponent::Group& from = component.groups[g];
        groups_[g].rows.clear();
        groups_[g].cols.clear();
        groups_[g].stale = true;
        groups_[g].bound = 0;
        groups_[g].all_rows_linked = from.complete && from.rows <= from.cols;
        groups_[g].all_cols_linked = from.complete && from.rows > from.cols;
    }
    group_of_pair_.resize(pairs);
    col_begin_.assign(component.cols + 1, 0);
    PlainVector<std::int32_t> group_of_col(component.cols, -1);
    for (std::int32_t row = 0; row < component.rows(); ++row) {
        const std::int32_t g = component.row_group[row];
        groups_[g].rows.push_back(row);
        for (std::int32_t p = component.begin(row); p < component.end(row); ++p) {
            group_of_pair_[p] = g;
            group_of_col[component.at(p).col] = g;
            ++col_begin_[component.at(p).col + 1];
        }
    }
    PlainVector<std::int32_t> place(component.cols, 0);
    for (std::int32_t col = 0; col < component.cols; ++col) {
        col_begin_[col + 1] += col_begin_[col];
        if (group_of_col[col] >= 0) {
            Group& group = groups_[group_of_col[col]];
            place[col] = static_cast<std::int32_t>(group.cols.size());
            group.cols.push_back(col);
        }
    }
    col_pairs_.resize(pairs);
    PlainVector<std::int32_t> next(col_begin_.begin(), col_begin_.end() - 1);
    for (std::size_t p = 0; p < pairs; ++p) {
        const std::int32_t col = component.pairs[p].col;
        col_pairs_[next[col]++] = static_cast<std::int32_t>(p);
    }
    for (Group& group : groups_) {
        group.cell.assign(group.rows.size() * group.cols.size(), -1);
        for (std::int64_t x = 0; x < group.rows.ssize(); ++x) {
            for (std::int32_t p = component.begin(group.rows[x]); p < component.end(group.rows[x]);
                 ++p) {
                group.cell[x * group.cols.ssize() + place[component.at(p).col]] = p;
            }
        }
    }

    state_.assign(pairs, State::kOpen);
    trail_.clear();
    reduced_.assign(pairs, 0);
    relaxed_.assign(component.rows(), -1);
    return true;
}

std::int64_t MatchBranch::price(std::int32_t pair) const {
    return component_->rule == MatchRule::kChunks ? chunk_price(pair) : crossing_price(pair);
}

// An adjacency saves 2 units: half at either end while both links are open, all of it at the open one when
// the other is in, all of it at the later one when both are in.
std::int64_t MatchBranch::chunk_price(std::int32_t pair) const {
    const MatchComponent::Pair& p = component_->at(pair);
    const bool open = state_[pair] == State::kOpen;
    std::int64_t saved = 0;
    if (p.before >= 0) {
        const State other = state_[p.before];
        saved += other == State::kIn ? 2 : other == State::kOpen && open ? 1 : 0;
    }
    if (p.after >= 0) {
        const State other = state_[p.after];
        saved += open ? (other == State::kIn ? 2 : other == State::kOpen ? 1 : 0) : 0;
    }
    return base_ + p.cost - saved * component_->unit;
}

// A crossing of two links that are in costs the later one; of an open one and one that is in, the open
// one. Of two open ones each pays half as soon as the other word has nowhere to go without crossing.
std::int64_t MatchBranch::crossing_price(std::int32_t pair) const {
    const MatchComponent::Pair& p = component_->at(pair);
    const bool open = state_[pair] == State::kOpen;
    std::int64_t halves = 0;
    for (const Group& group : groups_) {
        for (const std::int32_t row : group.rows) {
            const std::int32_t chosen = relaxed_[row];
            if (chosen >= 0 && state_[chosen] == State::kIn) {
                if (row != p.row && cross(p, component_->at(chosen)) && (open || row < p.row)) {
                    halves += 2;
                }
            } else if (open && group.all_rows_linked && row != p.row &&
                       row_low_[row] <= row_high_[row]) {
                halves += row < p.row ? row_low_[row] > p.col : row_high_[row] < p.col;
            }
        }
        if (open && group.all_cols_linked) {
            for (const std::int32_t col : group.cols) {
                if (col != p.col && col_low_[col] <= col_high_[col]) {
                    halves += col < p.col ? col_low_[col] > p.row : col_high_[col] < p.row;
                }
            }
        }
    }
    return p.cost + halves * component_->unit;
}

// Only open pairs count: words whose link is in have an empty extent.
void MatchBranch::find_extents() {
    const std::int32_t rows = component_->rows();
    const std::int32_t cols = component_->cols;
    row_low_.assign(rows, component_->cols);
    row_high_.assign(rows, -1);
    col_low_.assign(cols, component_->rows());
    col_high_.assign(cols, -1);
    for (std::size_t p = 0; p < state_.size(); ++p) {
        if (state_[p] == State::kOpen) {
            const MatchComponent::Pair& pair = component_->pairs[p];
            row_low_[pair.row] = std::min(row_low_[pair.row], pair.col);
            row_high_[pair.row] = std::max(row_high_[pair.row], pair.col);
            col_low_[pair.col] = std::min(col_low_[pair.col], pair.row);
            col_high_[pair.col] = std::max(col_high_[pair.col], pair.row);
        } else if (state_[p] == State::kIn) {
            relaxed_[component_->pairs[p].row] = static_cast<std::int32_t>(p);
        }
    }
    steps_left_ -= static_cast<std::int64_t>(state_.size());
}

void MatchBranch::set(std::int32_t pair, State state) {
    trail_.push_back({pair, state_[pair]});
    state_[pair] = state;
    groups_[group_of_pair_[pair]].stale = true;
    const MatchComponent::Pair& p = component_->at(pair);
    for (const std::int32_t near : {p.before, p.after}) {
        if (near >= 0) {
            groups_[group_of_pair_[near]].stale = true;
        }
    }
}

void MatchBranch::include(std::int32_t pair) {
    const MatchComponent::Pair& p = component_->at(pair);
    for (std::int32_t q = component_->begin(p.row); q < component_->end(p.row); ++q) {
        if (q != pair && state_[q] == State::kOpen) {
            set(q, State::kOut);
        }
    }
    for (std::int32_t k = col_begin_[p.col]; k < col_begin_[p.col + 1]; ++k) {
        const std::int32_t q = col_pairs_[k];
        if (q != pair && state_[q] == State::kOpen) {
            set(q, State::kOut);
        }
    }
    set(pair, State::kIn);
}

void MatchBranch::undo(std::size_t mark) {
    while (trail_.size() > mark) {
        const Change change = trail_.back();
        set(change.pair, change.before);
        trail_.pop_back();
        trail_.pop_back();
    }
}

void MatchBranch::relax(Group& group) {
    group.stale = false;
    group.bound = 0;
    const std::int64_t width = group.cols.ssize();
    const std::int64_t cells_per_price =
        component_->rule == MatchRule::kChunks ? 1 : component_->rows();
    open_rows_.clear();
    matrix_.clear();
    for (std::int64_t x = 0; x < group.rows.ssize(); ++x) {
        const std::int32_t* cells = group.cell.data() + x * width;
        std::int32_t in = -1;
        bool open = false;
        for (std::int64_t y = 0; y < width; ++y) {
            if (cells[y] >= 0 && state_[cells[y]] != State::kOut) {
                (state_[cells[y]] == State::kIn ? in = cells[y] : open = true);
            }
        }
        steps_left_ -= width * cells_per_price;
        relaxed_[group.rows[x]] = in;
        if (in >= 0) {
            group.bound += price(in);
        } else if (!open) {
            group.bound += alone_;
        } else {
            open_rows_.push_back(static_cast<std::int32_t>(x));
            for (std::int64_t y = 0; y < width; ++y) {
                const bool possible = cells[y] >= 0 && state_[cells[y]] == State::kOpen;
                matrix_.push_back(possible ? price(cells[y]) : Assignment::kForbidden);
            }
        }
    }
    std::int64_t steps = 0;
    const auto open_count = static_cast<std::int32_t>(open_rows_.size());
    group.bound += assignment_.solve(open_count, static_cast<std::int32_t>(width), matrix_.data(),
                                     alone_, steps);
    steps_left_ -= steps;
    for (std::int32_t k = 0; k < open_count; ++k) {
        const std::int32_t x = open_rows_[k];
        const std::int32_t* cells = group.cell.data() + x * width;
        const std::int32_t y = assignment_.column_of(k);
        relaxed_[group.rows[x]] = y < 0 ? -1 : cells[y];
        for (std::int64_t c = 0; c < width; ++c) {
            if (cells[c] >= 0 && state_[cells[c]] == State::kOpen) {
                reduced_[cells[c]] = matrix_[k * width + c] - assignment_.row_price(k) -
                                         assignment_.column_price(static_cast<std::int32_t>(c));
            }
        }
    }
}

// Bounds the cost from here on, and rules out the pairs that would lift it above the limit. False if no
// choice within the limit is left.
bool MatchBranch::tighten() {
    for (bool changed = true; changed && steps_left_ > 0;) {
        const bool any_stale =
            std::any_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.stale; });
        if (component_->rule == MatchRule::kCrossings && any_stale) {
            find_extents();
        }
        bound_ = 0;
        for (Group& group : groups_) {
            // A crossing may involve any two links, so there every group depends on every decision.
            if (group.stale || (component_->rule == MatchRule::kCrossings && any_stale)) {
                relax(group);
            }
            bound_ += group.bound;
        }
        bound_ += bound_ & 1;  // true costs are even
        if (bound_ > limit_) {
            return false;
        }
        changed = false;
        if (limit_ < kNoLimit) {
            for (std::size_t p = 0; p < state_.size(); ++p) {
                if (state_[p] == State::kOpen && bound_ + reduced_[p] > limit_ + 1) {
                    set(static_cast<std::int32_t>(p), State::kOut);
                    changed = true;
                }
            }
            steps_left_ -= static_cast<std::int64_t>(state_.size());
        }
    }
    return true;
}

// An open link that the relaxed choice takes for more (or less) than it is worth; -1 if there is none.
std::int32_t MatchBranch::doubtful_pair() const {
    std::int32_t found = -1;
    std::int32_t most = 0;
    for (const std::int32_t p : relaxed_) {
        if (p < 0 || state_[p] != State::kOpen) {
            continue;
        }
        const MatchComponent::Pair& pair = component_->at(p);
        std::int32_t doubts = 0;
        if (component_->rule == MatchRule::kChunks) {
            for (const std::int32_t near : {pair.before, pair.after}) {
                doubts += near >= 0 && state_[near] == State::kOpen &&
                          relaxed_[component_->at(near).row] != near;
            }
        } else {
            for (const std::int32_t q : relaxed_) {
                doubts += q >= 0 && q != p && state_[q] == State::kOpen &&
                          cross(pair, component_->at(q));
            }
        }
        if (doubts > most) {
            most = doubts;
            found = p;
        }
    }
    return found;
}

std::int64_t MatchBranch::cost_of(const MatchComponent& component, const MatchChoice& choice) const {
    std::int64_t total = 0;
    for (std::size_t row = 0; row < choice.size(); ++row) {
        if (choice[row] < 0) {
            total += alone_;
            continue;
        }
        const MatchComponent::Pair& pair = component.at(choice[row]);
        total += base_ + pair.cost;
        if (component.rule == MatchRule::kCrossings) {
            for (std::size_t earlier = 0; earlier < row; ++earlier) {
                if (choice[earlier] >= 0 && cross(pair, component.at(choice[earlier]))) {
                    total += 2 * component.unit;
                }
            }
        } else if (pair.before >= 0 && choice[row - 1] == pair.before) {
            total -= 2 * component.unit;
        }
    }
    return total;
}

// Looks for a choice within the limit. True when the search is to stop: the first one was enough, or the
// steps are used up.
bool MatchBranch::explore() {
    const std::size_t mark = trail_.size();
    for (;;) {
        const std::int64_t steps = steps_left_;
        const bool possible = tighten();
        pace_.work(steps - steps_left_ + 16);
        if (!possible) {
            undo(mark);
            return false;
        }
        if (steps_left_ <= 0) {
            undo(mark);
            return true;
        }
        const std::int64_t cost = cost_of(*component_, relaxed_);
        if (cost <= limit_) {
            best_ = relaxed_;
            limit_ = first_is_enough_ ? limit_ : cost - 2;
            if (first_is_enough_ || bound_ > limit_) {
                undo(mark);
                return first_is_enough_;
            }
        }
        const std::int32_t pair = doubtful_pair();
        const std::size_t before = trail_.size();
        include(pair);
        const bool stop = explore();
        undo(before);
        if (stop) {
            undo(mark);
            return true;
        }
        set(pair, State::kOut);
    }
}

// With the best cost known: the smallest link list of that cost.
bool MatchBranch::settle() {
    const MatchComponent& component = *component_;
    limit_ = cost_of(component, best_);
    first_is_enough_ = true;
    for (std::int32_t row = 0; row < component.rows(); ++row) {
        if (!tighten()) {
            return false;
        }
        std::int32_t p = component.begin(row);
        for (; p < component.end(row) && p != best_[row]; ++p) {
            if (state_[p] != State::kOpen) {
                continue;
            }
            const std::size_t mark = trail_.size();
            const MatchChoice known = best_;
            include(p);
            const bool found = explore();
            undo(mark);
            if (steps_left_ <= 0) {
                best_ = known;
                return false;
            }
            if (found) {
                break;
            }
            set(p, State::kOut);
        }
        if (p < component.end(row)) {
            if (state_[p] == State::kOpen) {
                include(p);
            }
        } else {
            for (std::int32_t q = component.begin(row); q < component.end(row); ++q) {
                if (state_[q] == State::kOpen) {
                    set(q, State::kOut);
                }
            }
        }
    }
    return true;
}

}  // namespace kilter
