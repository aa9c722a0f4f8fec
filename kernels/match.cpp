#include "match.hpp"

#include <algorithm>
#include <cstdlib>

#include "fenwick.hpp"
#include "match_branch.hpp"
#include "match_enumeration.hpp"
#include "match_greedy.hpp"
#include "threads.hpp"
#include "union_find.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::int64_t kReductionWork = std::int64_t{1} << 20;

// One stage of one sentence pair.
class SegmentMatcher {
public:
    SegmentMatcher(const MatchKeys& keys, const MatchOptions& options)
        : candidates(keys), options_(options) {}

    // Expects the earlier links in candidates. False if the bound was hit.
    bool solve();

    MatchCandidates candidates;

private:
    bool chunks() const { return options_.rule == MatchRule::kChunks; }
    void list_free(const MatchGroup& group);
    bool reduce_chunks(const MatchGroup& group);
    void reduce_crossings(const MatchGroup& group);
    std::int32_t sure_neighbours(std::int32_t row, std::int32_t col) const;
    std::int32_t possible_neighbours(std::int32_t row, std::int32_t col) const;
    void count_crossings();
    void join_groups();
    bool may_cross_differently(const MatchGroup& one, const MatchGroup& other) const;
    void build(const PlainVector<std::int32_t>& members);
    void add_row(std::int32_t row);
    bool solve_component(const PlainVector<std::int32_t>& members);
    bool take_greedily();
    bool on_one_diagonal() const;

    MatchOptions options_;
    std::int64_t steps_left_ = 0;
    std::int64_t reduction_left_ = 0;
    UnionFind sets_;  // of groups
    PlainVector<PlainVector<std::int32_t>> members_;
    // The free rows and columns of a group, and what could be gained in them.
    PlainVector<std::int32_t> rows_;
    PlainVector<std::int32_t> cols_;
    struct TopTwo {
        std::int32_t first = 0;
        std::int32_t second = 0;
        std::int32_t place = -1;
        void see(std::int32_t value, std::int32_t at_place) {
            if (place < 0 || value > first) {
                second = place < 0 ? 0 : first;
                first = value;
                place = at_place;
            } else {
                second = std::max(second, value);
            }
        }
        std::int32_t without(std::int32_t at_place) const {
            return at_place == place ? second : first;
        }
    };
    PlainVector<TopTwo> row_gain_;
    PlainVector<TopTwo> col_gain_;
    PlainVector<std::int32_t> crossings_;  // by pair, with the links there are
    Fenwick<std::int32_t> linked_cols_;
    MatchComponent component_;
    PlainVector<std::int32_t> component_rows_;
    PlainVector<std::int32_t> component_cols_;
    PlainVector<std::int32_t> col_number_;   // of a column in the component
    PlainVector<std::int32_t> pair_number_;  // of a pair in the component
    PlainVector<std::int32_t> band_;         // of a row in its group, for crossings
    MatchChoice choice_;
    MatchChoice other_choice_;
    MatchEnumeration enumeration_;
    MatchBranch branch_;
    MatchGreedy greedy_;
};

bool SegmentMatcher::solve() {
    if (!candidates.group(kMaxMatchPairs)) {
        return take_greedily();
    }
    if (candidates.groups.empty()) {
        return true;
    }
    steps_left_ = options_.bound;
    reduction_left_ = kReductionWork;
    if (chunks()) {
        for (bool changed = true; changed && reduction_left_ > 0;) {
            changed = false;
            for (const MatchGroup& group : candidates.groups) {
                changed |= reduce_chunks(group);
            }
        }
    } else {
        for (const MatchGroup& group : candidates.groups) {
            reduce_crossings(group);
        }
        count_crossings();
    }
    join_groups();
    bool proven = true;
    for (std::size_t g = 0; g < candidates.groups.size(); ++g) {
        if (!members_[g].empty()) {
            proven &= solve_component(members_[g]);
        }
    }
    return proven || on_one_diagonal();
}

void SegmentMatcher::list_free(const MatchGroup& group) {
    rows_.clear();
    cols_.clear();
    for (std::int32_t k = 0; k < group.rows; ++k) {
        const std::int32_t row = candidates.group_rows[group.first_row + k];
        if (candidates.group_of_row(row) >= 0) {
            rows_.push_back(row);
        }
    }
    for (std::int32_t k = 0; k < group.cols; ++k) {
        const std::int32_t col = candidates.group_cols[group.first_col + k];
        if (candidates.group_of_col(col) >= 0) {
            cols_.push_back(col);
        }
    }
}

std::int32_t SegmentMatcher::sure_neighbours(std::int32_t row, std::int32_t col) const {
    return (candidates.linked(row - 1, col - 1) ? 1 : 0) +
           (candidates.linked(row + 1, col + 1) ? 1 : 0);
}

std::int32_t SegmentMatcher::possible_neighbours(std::int32_t row, std::int32_t col) const {
    return sure_neighbours(row, col) + (candidates.pair(row - 1, col - 1) >= 0 ? 1 : 0) +
           (candidates.pair(row + 1, col + 1) >= 0 ? 1 : 0);
}

// Links a pair whose sure adjacencies outnumber all that any other links of its two words could have: in
// a complete group the other links can be exchanged for it, which loses fewer adjacencies than it gains.
bool SegmentMatcher::reduce_chunks(const MatchGroup& group) {
    if (!group.complete) {
        return false;
    }
    list_free(group);
    reduction_left_ -= static_cast<std::int64_t>(rows_.size() * cols_.size());
    if (rows_.size() == 1 && cols_.size() == 1) {
        candidates.link(rows_[0], cols_[0]);
        return true;
    }
    row_gain_.assign(rows_.size(), {});
    col_gain_.assign(cols_.size(), {});
    bool any_sure = false;
    for (std::size_t x = 0; x < rows_.size(); ++x) {
        for (std::size_t y = 0; y < cols_.size(); ++y) {
            const std::int32_t gain = possible_neighbours(rows_[x], cols_[y]);
            row_gain_[x].see(gain, static_cast<std::int32_t>(y));
            col_gain_[y].see(gain, static_cast<std::int32_t>(x));
            any_sure |= gain > 0;
        }
    }
    bool changed = false;
    for (std::size_t x = 0; any_sure && x < rows_.size(); ++x) {
        // Only the best column of a row can outdo the others.
        const std::int32_t y = row_gain_[x].place;
        const std::int32_t others = row_gain_[x].without(row_gain_[x].place) +
                                    col_gain_[y].without(static_cast<std::int32_t>(x));
        if (candidates.pair(rows_[x], cols_[y]) >= 0 &&
            sure_neighbours(rows_[x], cols_[y]) > others) {
            candidates.link(rows_[x], cols_[y]);
            changed = true;
        }
    }
    return changed;
}

// In a complete group two links that cross can be exchanged for two that do not, with fewer crossings in
// all; so the best links keep their order, and equally many words have no choice.
void SegmentMatcher::reduce_crossings(const MatchGroup& group) {
    if (!group.complete || group.rows != group.cols) {
        return;
    }
    for (std::int32_t k = 0; k < group.rows; ++k) {
        candidates.link(candidates.group_rows[group.first_row + k],
                        candidates.group_cols[group.first_col + k]);
    }
}

void SegmentMatcher::count_crossings() {
    crossings_.resize(candidates.pairs());
    const std::int32_t cols = candidates.cols();
    PlainVector<std::int32_t> left_of(cols + 1, 0);  // linked columns before this one
    for (std::int32_t col = 0; col < cols; ++col) {
        left_of[col + 1] = left_of[col] + (candidates.owner(col) >= 0 ? 1 : 0);
    }
    linked_cols_.reset(cols);
    std::int32_t seen = 0;
    for (std::int32_t row = 0; row < candidates.rows(); ++row) {
        if (candidates.partner(row) >= 0) {
            ++seen;
            linked_cols_.add(candidates.partner(row), 1);
            continue;
        }
        const std::int32_t g = candidates.group_of_row(row);
        if (g < 0) {
            continue;
        }
        const MatchGroup& group = candidates.groups[g];
        for (std::int32_t k = 0; k < group.cols; ++k) {
            const std::int32_t col = candidates.group_cols[group.first_col + k];
            const std::int64_t pair = candidates.pair(row, col);
            if (pair >= 0) {
                const std::int32_t before = linked_cols_.prefix(col);  // links of earlier rows to earlier columns
                crossings_[pair] = (seen - before) + (left_of[col] - before);
            }
        }
    }
}

// Whether the number of crossings between the links of two groups depends on which links they are.
bool SegmentMatcher::may_cross_differently(const MatchGroup& one, const MatchGroup& other) const {
    const auto apart = [](const PlainVector<std::int32_t>& words, std::int32_t first_a,
                          std::int32_t size_a, std::int32_t first_b, std::int32_t size_b) {
        return words[first_a + size_a - 1] < words[first_b] ||
               words[first_b + size_b - 1] < words[first_a];
    };
    return !apart(candidates.group_rows, one.first_row, one.rows, other.first_row, other.rows) ||
           !apart(candidates.group_cols, one.first_col, one.cols, other.first_col, other.cols);
}

// Fills members_: the groups whose links have to be chosen together.
void SegmentMatcher::join_groups() {
    const auto count = static_cast<std::int32_t>(candidates.groups.size());
    sets_.reset(count);
    PlainVector<std::uint8_t> alive(count, 0);
    for (std::int32_t g = 0; g < count; ++g) {
        const MatchGroup& group = candidates.groups[g];
        list_free(group);
        alive[g] = !rows_.empty() && !cols_.empty();
        if (!chunks()) {
            for (std::int32_t other = 0; alive[g] && other < g; ++other) {
                if (alive[other] &&
                    may_cross_differently(group, candidates.groups[other])) {
                    sets_.join(other, g);
                }
            }
            continue;
        }
        for (const std::int32_t row : rows_) {
            for (const std::int32_t col : cols_) {
                if (candidates.pair(row, col) >= 0 && candidates.pair(row + 1, col + 1) >= 0) {
                    sets_.join(candidates.group_of_row(row + 1), g);
                }
            }
        }
    }
    if (members_.ssize() < count) {
        members_.resize(count);
    }
    for (std::int32_t g = 0; g < count; ++g) {
        members_[g].clear();
    }
    for (std::int32_t g = 0; g < count; ++g) {
        if (alive[g]) {
            members_[sets_.find(g)].push_back(g);
        }
    }
}

void SegmentMatcher::add_row(std::int32_t row) {
    const MatchGroup& group = candidates.groups[candidates.group_of_row(row)];
    const bool in_order = !chunks() && group.complete;
    for (std::int32_t k = 0; k < group.cols; ++k) {
        const std::int32_t col = candidates.group_cols[group.first_col + k];
        const std::int64_t pair = candidates.pair(row, col);
        const std::int32_t shift = in_order ? k - band_[row] : 0;
        if (pair < 0 || (in_order && (shift < std::min(0, group.cols - group.rows) ||
                                      shift > std::max(0, group.cols - group.rows)))) {
            continue;
        }
        const auto number = static_cast<std::int32_t>(component_.pairs.size());
        const std::int64_t before = chunks() ? candidates.pair(row - 1, col - 1) : -1;
        const std::int32_t previous = before < 0 ? -1 : pair_number_[before];
        if (previous >= 0) {
            component_.pairs[previous].after = number;
        }
        pair_number_[pair] = number;
        component_.pairs.push_back({static_cast<std::int32_t>(component_.row_group.size()),
                                    col_number_[col], previous, -1,
                                    2 * std::int64_t{std::abs(row - col)}});
    }
}

void SegmentMatcher::build(const PlainVector<std::int32_t>& members) {
    component_.rule = options_.rule;
    component_.pairs.clear();
    component_.row_group.clear();
    component_.groups.clear();
    component_.first_pair.assign(1, 0);
    component_rows_.clear();
    component_cols_.clear();
    pair_number_.resize(candidates.pairs());
    col_number_.resize(candidates.cols());
    band_.resize(candidates.rows());
    for (const std::int32_t g : members) {
        const MatchGroup& group = candidates.groups[g];
        list_free(group);
        component_.groups.push_back({static_cast<std::int32_t>(rows_.size()),
                                     static_cast<std::int32_t>(cols_.size()), group.complete});
        component_rows_.insert(component_rows_.end(), rows_.begin(), rows_.end());
        component_cols_.insert(component_cols_.end(), cols_.begin(), cols_.end());
        for (std::size_t x = 0; x < rows_.size(); ++x) {
            band_[rows_[x]] = static_cast<std::int32_t>(x);
        }
    }
    if (members.size() > 1) {
        std::sort(component_rows_.begin(), component_rows_.end());
        std::sort(component_cols_.begin(), component_cols_.end());
    }
    component_.cols = static_cast<std::int32_t>(component_cols_.size());
    for (std::int32_t c = 0; c < component_.cols; ++c) {
        col_number_[component_cols_[c]] = c;
    }
    std::int64_t distances = 0;
    for (const std::int32_t row : component_rows_) {
        add_row(row);
        const auto g = std::lower_bound(members.begin(), members.end(), candidates.group_of_row(row));
        component_.row_group.push_back(static_cast<std::int32_t>(g - members.begin()));
        std::int64_t farthest = 0;
        for (std::int32_t p = component_.first_pair.back(); p < component_.pairs.ssize(); ++p) {
            farthest = std::max(farthest, component_.pairs[p].cost / 2);
        }
        distances += farthest;
        component_.first_pair.push_back(static_cast<std::int32_t>(component_.pairs.size()));
    }
    component_.unit = distances + 1;
    for (MatchComponent::Pair& pair : component_.pairs) {
        const std::int32_t row = component_rows_[pair.row];
        const std::int32_t col = component_cols_[pair.col];
        pair.cost += 2 * component_.unit *
                     (chunks() ? -sure_neighbours(row, col)
                               : crossings_[candidates.pair(row, col)]);
    }
}

bool SegmentMatcher::solve_component(const PlainVector<std::int32_t>& members) {
    build(members);
    std::int64_t used = 0;
    bool proven =
        enumeration_.solve(component_, std::min(options_.trials, steps_left_), used, choice_);
    steps_left_ -= used;
    if (!proven) {
        proven = branch_.solve(component_, steps_left_, choice_);
    }
    if (!proven) {
        other_choice_.assign(component_.rows(), -1);
        for (const auto& [row, col] :
             greedy_.solve(candidates, component_rows_, options_.rule)) {
            const std::int32_t p = pair_number_[candidates.pair(row, col)];
            other_choice_[component_.at(p).row] = p;
        }
        if (choice_.empty() || branch_.cost_of(component_, other_choice_) <
                                   branch_.cost_of(component_, choice_)) {
            choice_.swap(other_choice_);
        }
    }
    for (const std::int32_t p : choice_) {
        if (p >= 0) {
            candidates.link(component_rows_[component_.at(p).row],
                            component_cols_[component_.at(p).col]);
        }
    }
    return proven;
}

bool SegmentMatcher::take_greedily() {
    if (!chunks()) {
        for (const MatchGroup& group : candidates.groups) {
            reduce_crossings(group);
        }
    }
    component_rows_.clear();
    for (std::int32_t row = 0; row < candidates.rows(); ++row) {
        if (candidates.group_of_row(row) >= 0) {
            component_rows_.push_back(row);
        }
    }
    for (const auto& [row, col] : greedy_.solve(candidates, component_rows_, options_.rule)) {
        candidates.link(row, col);
    }
    return component_rows_.empty() || on_one_diagonal();
}

// One chunk without any distance is best, however it was found: every other set of as many links on the
// diagonal could be joined to it.
bool SegmentMatcher::on_one_diagonal() const {
    std::int32_t begin = 0;
    while (begin < candidates.rows() && candidates.partner(begin) < 0) {
        ++begin;
    }
    std::int32_t end = begin;
    while (end < candidates.rows() && candidates.partner(end) == end) {
        ++end;
    }
    for (std::int32_t row = end; row < candidates.rows(); ++row) {
        if (candidates.partner(row) >= 0) {
            return false;
        }
    }
    return std::all_of(candidates.groups.begin(), candidates.groups.end(),
                       [](const MatchGroup& group) { return group.complete; });
}

}  // namespace

MatchLinks match_batch(const Batch& first, const Batch& second, const EarlierLinks& earlier,
                       const MatchKeys& keys, const MatchOptions& options) {
    const std::int64_t segments = first.segments;
    PlainVector<std::int64_t> room(segments + 1, 0);
    for (std::int64_t s = 0; s < segments; ++s) {
        room[s + 1] = room[s] + std::min(first.length(s), second.length(s));
    }
    MatchLinks result;
    result.links.resize(2 * room.back());
    result.offsets.assign(segments + 1, 0);
    result.bounded.assign(segments, 0);
    for_each_block(first.offsets, segments, options.jobs, [&](std::int64_t from, std::int64_t to) {
        SegmentMatcher matcher(keys, options);
        Pace pace;
        for (std::int64_t s = from; s < to; ++s) {
            pace.work(64 * (first.length(s) + second.length(s) + 1));
            matcher.candidates.start(first.begin(s),
                                     static_cast<std::int32_t>(first.length(s)),
                                     second.begin(s),
                                     static_cast<std::int32_t>(second.length(s)));
            if (keys.cell_offsets != nullptr) {
                matcher.candidates.offer(keys.cells + 2 * keys.cell_offsets[s],
                                         keys.cell_offsets[s + 1] - keys.cell_offsets[s]);
            }
            for (std::int64_t k = earlier.offsets[s]; k < earlier.offsets[s + 1]; ++k) {
                matcher.candidates.link(earlier.links[2 * k], earlier.links[2 * k + 1]);
            }
            result.bounded[s] = matcher.solve() ? 0 : 1;
            std::int32_t* link = result.links.data() + 2 * room[s];
            for (std::int32_t row = 0; row < matcher.candidates.rows(); ++row) {
                if (matcher.candidates.partner(row) >= 0) {
                    *link++ = row;
                    *link++ = matcher.candidates.partner(row);
                }
            }
            result.offsets[s + 1] = (link - result.links.data()) / 2 - room[s];
        }
    });
    for (std::int64_t s = 0; s < segments; ++s) {
        const auto begin = result.links.begin() + 2 * room[s];
        const std::int64_t count = result.offsets[s + 1];
        std::copy(begin, begin + 2 * count, result.links.begin() + 2 * result.offsets[s]);
        result.offsets[s + 1] += result.offsets[s];
    }
    result.links.resize(2 * result.offsets.back());
    return result;
}

}  // namespace kilter
