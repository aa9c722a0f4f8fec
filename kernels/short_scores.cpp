#include "short_scores.hpp"

#include <algorithm>

#include "multiversion.hpp"
#include "permutation_tree.hpp"

namespace kilter {

namespace {

Word all_bits_if(bool condition) { return condition ? ~Word{0} : Word{0}; }

JoinCase join_case(const ShortTables& tables, std::size_t below, std::size_t newest, std::size_t kind) {
    static_assert(kLeaf == 0 && kMonotone == 1 && kInverted == 2 && kPrime == 3);
    JoinCase join;
    join.starts = all_bits_if(below == kLeaf);
    join.grows = all_bits_if(below == kind);
    join.adds = join.starts | join.grows;
    join.leaves = all_bits_if(newest == kLeaf || newest == kind);
    join.inner_below = ~join.adds & 1;
    join.inner_newest = ~join.leaves & 1;
    join.own = kind == kMonotone ? 1.0 : tables.gamma;
    join.beta_own = tables.beta * join.own;
    join.kind = kind;
    return join;
}

}  // namespace

ShortTables::ShortTables(const ScoreOptions& options, std::int64_t longest)
    : beta(options.beta),
      keep(1.0 - options.beta),
      gamma(options.gamma),
      right_branching(options.right_branching),
      tree_counts(small_tree_counts()),
      exact_tree_counts{},
      half_keep{},
      leaf_sum{},
      power{},
      cases{} {
    std::copy(kilter::exact_tree_counts().begin(), kilter::exact_tree_counts().end(),
              exact_tree_counts.begin());
    tree_counts[0] = 1.0;  // of nodes that go on
    exact_tree_counts[0] = 1;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        cases[k] = join_case(*this, k / 8, k / 2 % 4, kMonotone + k % 2);
    }
    power[0] = 1.0;
    for (std::size_t x = 1; x < power.size(); ++x) {
        half_keep[x] = keep / 2.0 / static_cast<double>(x);
        power[x] = power[x - 1] * keep;
    }
    const auto most = static_cast<std::size_t>(std::min(longest, kShortLength));
    flanks[0][0] = 1.0;
    for (std::size_t x = 1; x < most; ++x) {
        leaf_sum[x] = leaf_sum[x - 1] + flanks[0][x - 1];
        flanks[0][x] = half_keep[x] * (leaf_sum[x] + flanks[0][x - 1]);
    }
    for (std::size_t g = 1; g < most; ++g) {
        double sum = leaf_sum[g - 1] + flanks[0][g - 1];
        double weight = flanks[g][0] = half_keep[g] * sum;
        for (std::size_t x = 1; g + x < most; ++x) {
            sum += weight;
            weight = flanks[g][x] = half_keep[g + x] * (sum + weight);
        }
    }
}

namespace {

// By 180 degrees: the left-branching tree of what comes out is the right-branching one of what was there, and every
// other score is the same. What is no permutation does not become one.
void turn(std::uint8_t* p, int n) {
    std::reverse(p, p + n);
    for (int i = 0; i < n; ++i) {
        p[i] = static_cast<std::uint8_t>(n - 1 - p[i]) & 63;
    }
}

}  // namespace

ShortScorer::ShortScorer(const ShortTables& tables) : tables_(tables), group_(new ShortGroup) {
    static_assert(kLeaf == 0 && kMonotone == 1 && kInverted == 2);
    group_->run_scores[kLeaf] = 0.0;
    group_->run_scores[kMonotone] = 1.0;
    group_->run_scores[kInverted] = tables.gamma;
    std::fill_n(group_->values, sizeof group_->values, std::uint8_t{0});
}

std::int64_t ShortScorer::load(const Batch& batch, std::int64_t first, std::int64_t last) {
    ShortGroup& group = *group_;
    const std::int64_t begin = batch.offsets[first];
    const std::int64_t most = std::min(last, first + ShortGroup::kRows);
    std::int32_t segments = 0;
    std::int32_t longest = 0;
    std::int64_t at = begin;
    std::int64_t end = first;
    while (end < most) {
        const std::int64_t next = batch.offsets[end + 1];
        if (next - at > kShortLength || next - begin > ShortGroup::kWords) {
            break;
        }
        const auto row = static_cast<std::int32_t>(end - first);
        const auto length = static_cast<std::int32_t>(next - at);
        group.length[row] = length;
        group.segment[segments] = {static_cast<std::int32_t>(at - begin), length, row, 0, 0};
        segments += length > 0;
        longest = std::max(longest, length);
        at = next;
        ++end;
    }
    group.rows = end - first;
    group.segments = segments;
    group.longest = longest;
    group.words = static_cast<std::int32_t>(at - begin);
    std::uint8_t* const values = group.values + ShortGroup::kBefore;
    good_ = narrow_values(batch.values + begin, at - begin, values);
    if (good_) {
        if (tables_.right_branching) {
            for (std::int32_t s = 0; s < segments; ++s) {
                turn(values + group.segment[s].at, group.segment[s].length);
            }
        }
        good_ = find_runs(group);
    }
    return end;
}

void ShortScorer::score(double empty, const ScoreColumns& columns) {
    find_joins(*group_);
    count_order(*group_);
    join_nodes(*group_, tables_, true);
    write_columns(*group_, empty, columns);
}

void ShortScorer::score_trees(double empty, double* scores) {
    find_joins(*group_);
    join_nodes(*group_, tables_, false);
    for (std::int64_t row = 0; row < group_->rows; ++row) {
        const bool none = group_->length[row] == 0;
        scores[2 * row] = none ? empty : group_->pef[row];
        scores[2 * row + 1] = none ? empty : group_->pet[row];
    }
}

}  // namespace kilter
