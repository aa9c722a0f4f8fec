#include "batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "beer.hpp"
#include "catalan.hpp"
#include "inversions.hpp"
#include "long_scores.hpp"
#include "short_scores.hpp"
#include "threads.hpp"

namespace kilter {
namespace {

std::int64_t longest(const Batch& batch) {
    std::int64_t length = 0;
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        length = std::max(length, batch.offsets[s + 1] - batch.offsets[s]);
    }
    return length;
}

// Kendall score of every operator of a tree, by node.
void operator_kendalls(const PermutationTree& tree, InversionCounter& counter,
                       std::vector<std::int32_t>& ranks, std::vector<double>& scores) {
    scores.assign(tree.kind.size(), 0.0);
    std::vector<std::pair<std::int32_t, std::int32_t>> lows;
    for (std::size_t node = 0; node < tree.kind.size(); ++node) {
        if (tree.kind[node] == kMonotone) {
            scores[node] = 1.0;
        } else if (tree.kind[node] == kPrime) {
            lows.clear();
            auto child = node + 1;
            for (std::int32_t c = 0; c < tree.children[node]; ++c) {
                lows.emplace_back(tree.low[child], c);
                child = static_cast<std::size_t>(tree.next[child]);
            }
            std::sort(lows.begin(), lows.end());
            ranks.resize(lows.size());
            for (std::size_t rank = 0; rank < lows.size(); ++rank) {
                ranks[static_cast<std::size_t>(lows[rank].second)] = static_cast<std::int32_t>(rank);
            }
            const auto size = static_cast<std::int64_t>(ranks.size());
            const auto pairs = static_cast<double>(size * (size - 1) / 2);
            scores[node] =
                (pairs - static_cast<double>(counter.count(ranks.data(), size))) / pairs;
        }
    }
}

}  // namespace

void score_batch(const Batch& batch, const ScoreOptions& options, int jobs, double* scores,
                 std::int32_t* counts, std::uint64_t* trees) {
    const ShortTables short_tables(options);
    const std::int64_t length = longest(batch);
    const TreeCountTable tree_counts(
        length > kShortLength ? static_cast<std::size_t>(length) : std::size_t{0});
    const auto is_short = [&](std::int64_t s) {
        return batch.offsets[s + 1] - batch.offsets[s] <= kShortLength;
    };
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            LongScorer long_scorer(options, tree_counts);
            for (std::int64_t s = first; s < last;) {
                if (is_short(s)) {
                    std::int64_t end = s + 1;
                    while (end < last && is_short(end)) {
                        ++end;
                    }
                    score_short_block(batch.values, batch.offsets, s, end, short_tables,
                                      options.empty, scores, counts, trees);
                    for (; s < end; ++s) {
                        if (batch.offsets[s + 1] - batch.offsets[s] > kLargestExactWidth) {
                            trees[s] = 0;
                        }
                    }
                } else {
                    long_scorer.score(batch.values + batch.offsets[s],
                                      static_cast<std::int32_t>(batch.offsets[s + 1] - batch.offsets[s]),
                                      scores + s * kColumns, counts + s * kCountColumns);
                    trees[s] = 0;
                    ++s;
                }
            }
        });
}

void score_batch_trees(const Batch& batch, const ScoreOptions& options, int jobs, double* scores) {
    const ShortTables short_tables(options);
    const std::int64_t length = longest(batch);
    const TreeCountTable tree_counts(
        length > kShortLength ? static_cast<std::size_t>(length) : std::size_t{0});
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            LongScorer long_scorer(options, tree_counts);
            for (std::int64_t s = first; s < last; ++s) {
                const std::int64_t n = batch.offsets[s + 1] - batch.offsets[s];
                if (n > kShortLength) {
                    const TreeScores result = long_scorer.score_trees(
                        batch.values + batch.offsets[s], static_cast<std::int32_t>(n));
                    scores[2 * s] = result.pef;
                    scores[2 * s + 1] = result.pet;
                    continue;
                }
                std::int64_t end = s + 1;
                while (end < last && batch.offsets[end + 1] - batch.offsets[end] <= kShortLength) {
                    ++end;
                }
                score_short_trees(batch.values, batch.offsets, s, end, short_tables, options.empty,
                                  scores);
                s = end - 1;
            }
        });
}

void score_batch_kendall_operators(const Batch& batch, const ScoreOptions& options, int jobs,
                                   double* scores) {
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            TreeScorer scorer(options.beta, options.right_branching);
            TreeBuilder builder;
            PermutationTree tree;
            InversionCounter counter;
            std::vector<std::int32_t> ranks;
            std::vector<double> operator_scores;
            for (std::int64_t s = first; s < last; ++s) {
                const auto n = static_cast<std::int32_t>(batch.offsets[s + 1] - batch.offsets[s]);
                builder.build(batch.values + batch.offsets[s], n, tree);
                operator_kendalls(tree, counter, ranks, operator_scores);
                const TreeScores result = scorer.score(tree, operator_scores.data());
                scores[2 * s] = n == 0 ? options.empty : result.pef;
                scores[2 * s + 1] = n == 0 ? options.empty : result.pet;
            }
        });
}

void score_batch_beer(const Batch& batch, double beta, double empty, int jobs, double* scores) {
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            BeerScorer scorer(beta);
            TreeBuilder builder;
            PermutationTree tree;
            for (std::int64_t s = first; s < last; ++s) {
                const auto n = static_cast<std::int32_t>(batch.offsets[s + 1] - batch.offsets[s]);
                builder.build(batch.values + batch.offsets[s], n, tree);
                scores[s] = n == 0 ? empty : scorer.score(tree);
            }
        });
}

void score_pairs(const Batch& first, const Batch& second, double empty, int jobs, double* scores) {
    for_each_block(
        first.offsets, first.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
            InversionCounter counter;
            std::vector<std::int32_t> by_rank;
            for (std::int64_t s = begin; s < end; ++s) {
                const std::int64_t n = first.offsets[s + 1] - first.offsets[s];
                const std::int32_t* one = first.values + first.offsets[s];
                const std::int32_t* other = second.values + second.offsets[s];
                double* row = scores + s * kPairColumns;
                if (n <= 1) {
                    std::fill(row, row + kPairColumns, n == 0 ? empty : 1.0);
                    continue;
                }
                by_rank.resize(static_cast<std::size_t>(n));
                std::int64_t same = 0;
                unsigned __int128 squares = 0;
                std::int64_t footrule = 0;
                for (std::int64_t i = 0; i < n; ++i) {
                    by_rank[static_cast<std::size_t>(one[i])] = other[i];
                    const std::int64_t shift = one[i] - other[i];
                    same += shift == 0;
                    squares += static_cast<std::uint64_t>(shift * shift);
                    footrule += std::abs(shift);
                }
                const auto length = static_cast<double>(n);
                const auto pairs = static_cast<double>(n * (n - 1) / 2);
                const double cube = length * (length * length - 1.0);
                const auto most = static_cast<double>(n * n / 2);
                row[0] = (pairs - static_cast<double>(counter.count(by_rank.data(), n))) / pairs;
                row[1] = static_cast<double>(same) / length;
                row[2] = (cube - 3.0 * static_cast<double>(squares)) / cube;
                row[3] = (most - static_cast<double>(footrule)) / most;
            }
        });
}

std::vector<std::int32_t> linear_widths(const std::int32_t* values, std::int32_t n) {
    TreeBuilder builder;
    PermutationTree tree;
    builder.build(values, n, tree);
    std::vector<std::int32_t> widths;
    for (std::size_t node = 0; node < tree.kind.size(); ++node) {
        if ((tree.kind[node] == kMonotone || tree.kind[node] == kInverted) &&
            tree.children[node] > 2) {
            widths.push_back(tree.children[node]);
        }
    }
    return widths;
}

double log_tree_count(const std::int32_t* values, std::int32_t n) {
    const TreeCountTable table(static_cast<std::size_t>(n));
    ScaledNumber trees;
    for (const std::int32_t width : linear_widths(values, n)) {
        trees.multiply(table[static_cast<std::size_t>(width)]);
    }
    return trees.log();
}

Fault find_fault(const Batch& batch) {
    std::vector<std::int64_t> seen_in;  // the segment in which a value was last seen, plus one
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        const std::int32_t* values = batch.values + batch.offsets[s];
        const std::int64_t n = batch.offsets[s + 1] - batch.offsets[s];
        if (n <= kShortLength) {
            std::uint64_t seen = 0;
            bool in_range = true;
            for (std::int64_t i = 0; i < n; ++i) {
                in_range &= static_cast<std::uint32_t>(values[i]) < static_cast<std::uint32_t>(n);
                seen |= std::uint64_t{1} << (values[i] & 63);
            }
            if (in_range && (n == 0 || seen == ~std::uint64_t{0} >> (64 - n))) {
                continue;
            }
        }
        if (static_cast<std::int64_t>(seen_in.size()) < n) {
            seen_in.resize(static_cast<std::size_t>(n), 0);
        }
        for (std::int64_t i = 0; i < n; ++i) {
            if (values[i] < 0 || values[i] >= n) {
                return {s, i, -1};
            }
            std::int64_t& seen = seen_in[static_cast<std::size_t>(values[i])];
            if (seen == s + 1) {
                return {s, i, std::find(values, values + i, values[i]) - values};
            }
            seen = s + 1;
        }
    }
    return {};
}

}  // namespace kilter
