#include "batch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "beer.hpp"
#include "catalan.hpp"
#include "inversions.hpp"
#include "long_scores.hpp"
#include "permutation_window.hpp"
#include "short_scores.hpp"
#include "threads.hpp"
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
                        std::vector<std::int32_t>& ranks, std::vector<double>& scores) {
    double flat[kColumns];
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
            const auto size = static_cast<std::int32_t>(ranks.size());
            write_flat_scores(scorer.count_flat(ranks.data(), size), size, flat);
            scores[node] = flat[measure];
        }
    }
}

// Permutations are turned round before the kernel looks at them if trees branch to the right.
PermutationWindow::Check check_for(const ScoreOptions& options) {
    return options.right_branching ? PermutationWindow::Check::kAll : PermutationWindow::Check::kWords;
}

// Calls few(begin, end) for runs of segments of up to 64 words, and many(segment) for longer ones. Ends with
// false where few() says so.
template <class Few, class Many>
bool for_each_run(const Batch& batch, Few few, Many many) {
    for (std::int64_t s = 0; s < batch.segments;) {
        std::int64_t end = s;
        while (end < batch.segments && batch.length(end) <= kShortLength) {
            ++end;
        }
        if (end == s) {
            many(s++);
            continue;
        }
        if (!few(s, end)) {
            return false;
        }
        s = end;
    }
    return true;
}

// Rows of a few segments, which stay in the nearest cache until they are moved into columns.
class ScoreRows {
public:
    double* scores(std::int64_t segments) { return room(scores_, segments * kColumns); }
    std::int32_t* counts(std::int64_t segments) { return room(counts_, segments * kCountColumns); }

    // Columns are `apart` numbers from one another.
    void move(std::int64_t segments, std::int64_t apart, double* scores, std::int32_t* counts) const {
        turn(scores_.data(), kColumns, segments, apart, scores);
        turn(counts_.data(), kCountColumns, segments, apart, counts);
    }

private:
    template <class Number>
    static Number* room(WorkVector<Number>& numbers, std::int64_t size) {
        if (numbers.size() < static_cast<std::size_t>(size)) {
            numbers.resize(static_cast<std::size_t>(size));
        }
        return numbers.data();
    }

    template <class Number>
    static void turn(const Number* rows, std::int64_t columns, std::int64_t segments,
                     std::int64_t apart, Number* out) {
        for (std::int64_t column = 0; column < columns; ++column) {
            for (std::int64_t s = 0; s < segments; ++s) {
                out[column * apart + s] = rows[s * columns + column];
            }
        }
    }

    WorkVector<double> scores_;
    WorkVector<std::int32_t> counts_;
};

void score_pair(const std::int32_t* one, const std::int32_t* other, std::int64_t n, double empty,
                std::vector<std::int32_t>& by_rank, InversionCounter& counter, double* row) {
    if (n <= 1) {
        std::fill(row, row + kPairColumns, n == 0 ? empty : 1.0);
        return;
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

}  // namespace

void score_batch(const Batch& batch, const ScoreOptions& options, int jobs, double* scores,
                 std::int32_t* counts, std::uint64_t* trees) {
    const ShortTables short_tables(options);
    const std::int64_t length = longest(batch);
    const TreeCountTable tree_counts(
        length > kShortLength ? static_cast<std::size_t>(length) : std::size_t{0});
    const auto check = check_for(options);
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            ScoreRows rows;
            LongScorer long_scorer(options, tree_counts);
            for_each_window(batch, first, last, check, [&](const Batch& part, std::int64_t at) {
                double* const score_rows = rows.scores(part.segments);
                std::int32_t* const count_rows = rows.counts(part.segments);
                std::uint64_t* const tree_rows = trees + at;
                const bool found = for_each_run(
                    part,
                    [&](std::int64_t begin, std::int64_t end) {
                        if (!score_short_block(part.values, part.offsets, begin, end, short_tables,
                                               options.empty, score_rows, count_rows, tree_rows)) {
                            return false;
                        }
                        for (std::int64_t s = begin; s < end; ++s) {
                            if (part.length(s) > kLargestExactWidth) {
                                tree_rows[s] = 0;
                            }
                        }
                        return true;
                    },
                    [&](std::int64_t s) {
                        long_scorer.score(part.begin(s), static_cast<std::int32_t>(part.length(s)),
                                          score_rows + s * kColumns, count_rows + s * kCountColumns);
                        tree_rows[s] = 0;
                    });
                rows.move(part.segments, batch.segments, scores + at, counts + at);
                return found;
            });
        });
}

void score_batch_trees(const Batch& batch, const ScoreOptions& options, int jobs, double* scores) {
    const ShortTables short_tables(options);
    const std::int64_t length = longest(batch);
    const TreeCountTable tree_counts(
        length > kShortLength ? static_cast<std::size_t>(length) : std::size_t{0});
    const auto check = check_for(options);
    for_each_block(
        batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
            LongScorer long_scorer(options, tree_counts);
            for_each_window(batch, first, last, check, [&](const Batch& part, std::int64_t at) {
                double* const rows = scores + 2 * at;
                return for_each_run(
                    part,
                    [&](std::int64_t begin, std::int64_t end) {
                        return score_short_trees(part.values, part.offsets, begin, end, short_tables,
                                                 options.empty, rows);
                    },
                    [&](std::int64_t s) {
                        const TreeScores result = long_scorer.score_trees(
                            part.begin(s), static_cast<std::int32_t>(part.length(s)));
                        rows[2 * s] = result.pef;
                        rows[2 * s + 1] = result.pet;
                    });
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
            std::vector<std::int32_t> ranks;
            std::vector<double> operator_scores;
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
            std::vector<std::int32_t> by_rank;
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
    const TreeCountTable table(static_cast<std::size_t>(n));
    ScaledNumber trees;
    for (const std::int32_t width : linear_widths(values, n)) {
        trees.multiply(table[static_cast<std::size_t>(width)]);
    }
    return trees.log();
}

}  // namespace kilter
