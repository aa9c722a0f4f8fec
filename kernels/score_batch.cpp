#include "score_batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "beer.hpp"
#include "catalan.hpp"
#include "inversions.hpp"
#include "long_scores.hpp"
#include "permutation_tree.hpp"
#include "permutation_window.hpp"
#include "short_scores.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

std::int64_t longest(const Batch& batch) {
    std::int64_t length = 0;
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        length = std::max(length, batch.length(s));
    }
    return length;
}

// A flat score of every operator of a tree, by node. <1,2> scores 1 and <2,1> 0 in each of them.
void operator_scores_by(Column measure, const PermutationTree& tree, LongScorer& scorer,
                        PlainVector<std::int32_t>& ranks, PlainVector<double>& scores) {
    double flat[kColumns];
    scores.assign(tree.kind.size(), 0.0);
    PlainVector<std::pair<std::int32_t, std::int32_t>> lows;
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
                ranks[lows[rank].second] = static_cast<std::int32_t>(rank);
            }
            const auto size = static_cast<std::int32_t>(ranks.size());
            write_flat_scores(scorer.count_flat(ranks.data(), size), size, flat);
            scores[node] = flat[measure];
        }
    }
}

// Calls few(segment) after short_scorer has loaded segments from this one on, which are all permutations of up to 64
// words, and many(part, segment) with a longer one, checked and copied.
template <class Few, class Many>
void for_each_group(const Batch& batch, std::int64_t first, std::int64_t last, ShortScorer& short_scorer, Few few,
                    Many many) {
    PermutationWindow window;
    while (first < last) {
        check_stop();
        std::int64_t end = short_scorer.load(batch, first, last);
        if (end == first) {
            end = window.load(batch, first, first + 1);
            many(window.batch(), first);
        } else {
            if (!short_scorer.good()) {  // unless another thread has mended it meanwhile, this says what is wrong
                end = window.load(batch, first, end);
                short_scorer.load(window.batch(), 0, end - first);
            }
            few(first);
        }
        first = end;
    }
}

// A permutation into the row where columns begin.
void score_long(const Batch& batch, LongScorer& scorer, const ScoreColumns& columns) {
    double scores[kColumns];
    std::int32_t counts[kCountColumns];
    scorer.score(batch.begin(0), static_cast<std::int32_t>(batch.length(0)), scores, counts);
    for (int column = 0; column < kColumns; ++column) {
        columns.scores[column * columns.apart] = scores[column];
    }
    for (int column = 0; column < kCountColumns; ++column) {
        columns.counts[column * columns.apart] = counts[column];
    }
    *columns.trees = 0;
}

void score_pair(const std::int32_t* one, const std::int32_t* other, std::int64_t n, double empty,
                PlainVector<std::int32_t>& by_rank, InversionCounter& counter, double* row) {
    if (n <= 1) {
        std::fill(row, row + kPairColumns, n == 0 ? empty : 1.0);
        return;
    }
    by_rank.resize(n);
    std::int64_t same = 0;
    unsigned __int128 squares = 0;
    std::int64_t footrule = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        by_rank[one[i]] = other[i];
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

}  // namespace

void score_batch(const Batch& batch, const ScoreOptions& options, int jobs, double* scores,
                 std::int32_t* counts, std::uint64_t* trees) {
    const std::int64_t length = longest(batch);
    const ShortTables short_tables(options, length);
    const TreeCountTable tree_counts(length > kShortLength ? length : 0);
    const ScoreColumns columns{scores, counts, trees, batch.segments};
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            ShortScorer short_scorer(short_tables);
            LongScorer long_scorer(options, tree_counts);
            for_each_group(
                batch, first, last, short_scorer,
                [&](std::int64_t at) { short_scorer.score(options.empty, columns.from(at)); },
                [&](const Batch& part, std::int64_t at) { score_long(part, long_scorer, columns.from(at)); });
        });
}

void score_batch_trees(const Batch& batch, const ScoreOptions& options, int jobs, double* scores) {
    const std::int64_t length = longest(batch);
    const ShortTables short_tables(options, length);
    const TreeCountTable tree_counts(length > kShortLength ? length : 0);
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            ShortScorer short_scorer(short_tables);
            LongScorer long_scorer(options, tree_counts);
            for_each_group(
                batch, first, last, short_scorer,
                [&](std::int64_t at) { short_scorer.score_trees(options.empty, scores + 2 * at); },
                [&](const Batch& part, std::int64_t at) {
                    const TreeScores result =
                        long_scorer.score_trees(part.begin(0), static_cast<std::int32_t>(part.length(0)));
                    scores[2 * at] = result.pef;
                    scores[2 * at + 1] = result.pet;
                });
        });
}

void score_batch_operators(const Batch& batch, const ScoreOptions& options, Column measure, int jobs,
                           double* scores) {
    const TreeCountTable none(0);
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            TreeScorer scorer(options.beta, options.right_branching);
            TreeBuilder builder;
            PermutationTree tree;
            LongScorer flat(options, none);
            PlainVector<std::int32_t> ranks;
            PlainVector<double> operator_scores;
            for_each_window(batch, first, last, [&](const Batch& part, std::int64_t at) {
                for (std::int64_t s = 0; s < part.segments; ++s) {
                    const auto n = static_cast<std::int32_t>(part.length(s));
                    builder.build(part.begin(s), n, tree);
                    operator_scores_by(measure, tree, flat, ranks, operator_scores);
                    const TreeScores result = scorer.score(tree, operator_scores.data());
                    scores[2 * (at + s)] = n == 0 ? options.empty : result.pef;
                    scores[2 * (at + s) + 1] = n == 0 ? options.empty : result.pet;
                }
            });
        });
}

void score_batch_beer(const Batch& batch, double beta, double empty, int jobs, double* scores) {
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            BeerScorer scorer(beta);
            TreeBuilder builder;
            PermutationTree tree;
            for_each_window(batch, first, last, [&](const Batch& part, std::int64_t at) {
                for (std::int64_t s = 0; s < part.segments; ++s) {
                    const auto n = static_cast<std::int32_t>(part.length(s));
                    builder.build(part.begin(s), n, tree);
                    scores[at + s] = n == 0 ? empty : scorer.score(tree);
                }
            });
        });
}

void score_pairs(const Batch& first, const Batch& second, double empty, int jobs, double* scores) {
    for_each_block(
        first.offsets, first.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
            InversionCounter counter;
            PlainVector<std::int32_t> by_rank;
            PermutationWindow window;
            for_each_window(first, begin, end, [&](const Batch& part, std::int64_t at) {
                window.load(second, at, end);  // equal lengths: the same segments
                for (std::int64_t s = 0; s < part.segments; ++s) {
                    score_pair(part.begin(s), window.batch().begin(s), part.length(s), empty, by_rank,
                               counter, scores + (at + s) * kPairColumns);
                }
            });
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
    const TreeCountTable table(n);
    ScaledNumber trees;
    for (const std::int32_t width : linear_widths(values, n)) {
        trees.multiply(table[width]);
    }
    return trees.log();
}

}  // namespace kilter
