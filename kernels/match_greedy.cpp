#include "match_greedy.hpp"

#include <algorithm>
#include <cstdlib>

namespace kilter {
namespace {

constexpr std::int64_t kWork = std::int64_t{1} << 24;

}  // namespace

const MatchGreedy::Links& MatchGreedy::solve(const MatchCandidates& candidates,
                                             const PlainVector<std::int32_t>& rows,
                                             MatchRule rule) {
    candidates_ = &candidates;
    partner_.assign(candidates.rows(), -1);
    owner_.assign(candidates.cols(), -1);
    next_col_.assign(candidates.groups.size(), 0);
    work_left_ = kWork;
    for (const std::int32_t row : rows) {
        if (partner_[row] < 0) {
            work_left_ > 0 ? take_best(row, rule) : take_next(row);
        }
    }
    // What was taken greedily may block a row of an incomplete group although there is room for all.
    work_left_ = std::max(work_left_, kWork / 2);
    visited_.assign(candidates.cols(), 0);
    came_from_.resize(candidates.cols());
    for (const std::int32_t row : rows) {
        const auto group = static_cast<std::size_t>(candidates.group_of_row(row));
        if (partner_[row] < 0 && !candidates.groups[group].complete && augment(row)) {
            visited_.assign(candidates.cols(), 0);
        }
    }
    links_.clear();
    for (const std::int32_t row : rows) {
        if (partner_[row] >= 0) {
            links_.emplace_back(row, partner_[row]);
        }
    }
    return links_;
}

void MatchGreedy::take_best(std::int32_t row, MatchRule rule) {
    const MatchCandidates& candidates = *candidates_;
    const MatchGroup& group = candidates.groups[candidates.group_of_row(row)];
    std::int32_t best = -1;
    std::int32_t best_length = 0;
    std::int32_t best_gain = 0;
    // A word that is repeated throughout has a long run at every column: the best of those that the work allows.
    for (std::int32_t k = 0; k < group.cols && (best < 0 || work_left_ > 0); ++k) {
        const std::int32_t col = candidates.group_cols[group.first_col + k];
        --work_left_;
        pace_.work(1);
        if (owner_[col] >= 0 || !candidates.related(row, col)) {
            continue;
        }
        std::int32_t length = 1;
        if (rule == MatchRule::kChunks) {
            while (candidates.related(row + length, col + length) &&
                   free(row + length, col + length)) {
                ++length;
            }
            work_left_ -= length;
            pace_.work(length);
        }
        const bool before = row > 0 && col > 0 &&
                            (candidates.linked(row - 1, col - 1) || partner_[row - 1] == col - 1);
        const bool after = candidates.linked(row + length, col + length);
        const std::int32_t gain =
            rule == MatchRule::kChunks ? length + (before ? 1 : 0) + (after ? 1 : 0) : 1;
        const bool nearer = rule == MatchRule::kChunks &&
                            std::abs(row - col) < std::abs(row - best);
        if (best < 0 || gain > best_gain || (gain == best_gain && nearer)) {
            best = col;
            best_gain = gain;
            best_length = length;
        }
    }
    for (std::int32_t k = 0; k < best_length; ++k) {
        partner_[row + k] = best + k;
        owner_[best + k] = row + k;
    }
}

// The next free column, without looking further; only where every row matches every column.
void MatchGreedy::take_next(std::int32_t row) {
    const std::int32_t g = candidates_->group_of_row(row);
    const MatchGroup& group = candidates_->groups[g];
    if (!group.complete) {
        return;
    }
    std::int32_t& next = next_col_[g];
    while (next < group.cols) {
        const std::int32_t col = candidates_->group_cols[group.first_col + next];
        if (owner_[col] < 0) {
            partner_[row] = col;
            owner_[col] = row;
            return;
        }
        ++next;
    }
}

// Breadth first, with columns visited by earlier failures left out: they lead nowhere.
bool MatchGreedy::augment(std::int32_t row) {
    const MatchCandidates& candidates = *candidates_;
    queue_.assign(1, row);
    for (std::size_t head = 0; head < queue_.size() && work_left_ > 0; ++head) {
        const std::int32_t here = queue_[head];
        const MatchGroup& group = candidates.groups[candidates.group_of_row(here)];
        for (std::int32_t k = 0; k < group.cols; ++k) {
            std::int32_t col = candidates.group_cols[group.first_col + k];
            --work_left_;
            pace_.work(1);
            if (visited_[col] || !candidates.related(here, col)) {
                continue;
            }
            visited_[col] = 1;
            came_from_[col] = here;
            if (owner_[col] >= 0) {
                queue_.push_back(owner_[col]);
                continue;
            }
            for (;;) {
                const std::int32_t from = came_from_[col];
                owner_[col] = from;
                std::swap(partner_[from], col);
                if (from == row) {
                    return true;
                }
            }
        }
    }
    return false;
}

}  // namespace kilter
