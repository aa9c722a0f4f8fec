// Permutations: all scores, trees, block moves, pairs.
#include <cmath>
#include <stdexcept>

#include "batch.hpp"
#include "block_move.hpp"
#include "kendall.hpp"
#include "permutation_tree.hpp"
#include "permutation_window.hpp"
#include "score_batch.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

Batch as_batch(const Rows<std::int32_t>& rows) { return {rows.values.data(), rows.offsets.data(), rows.rows()}; }

Rows<std::int32_t> some_permutations(FuzzedDataProvider& data, std::int32_t most_words) {
    Rows<std::int32_t> rows;
    const std::size_t count = small_size(data, 4);
    for (std::size_t k = 0; k < count; ++k) {
        rows.add(permutation(data, sentence_length(data, most_words)));
    }
    return rows;
}

bool equal(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

void permutation_scores(FuzzedDataProvider& data) {
    Rows<std::int32_t> rows = some_permutations(data, 200);
    const ScoreOptions options{data.ConsumeFloatingPointInRange(0.0, 1.0), data.ConsumeFloatingPointInRange(0.0, 1.0),
                               data.ConsumeBool(), 0.0};
    const bool spoilt = !rows.values.empty() && data.ConsumeBool();
    if (spoilt) {  // one value is any number
        rows.values[data.ConsumeIntegralInRange<std::size_t>(0, rows.values.size() - 1)] =
            data.ConsumeIntegral<std::int32_t>();
    }
    const Batch batch = as_batch(rows);
    const auto count = static_cast<std::size_t>(batch.segments);
    const bool good = find_fault(batch).segment < 0;
    std::vector<double> scores(count * kColumns), again(count * kColumns), trees(2 * count), beer(count), flat(2 * count);
    std::vector<std::int32_t> counts(count * kCountColumns);
    std::vector<std::uint64_t> exact(count);
    try {
        score_batch(batch, options, 1, scores.data(), counts.data(), exact.data());
        law(good, "what is scored is a permutation");
    } catch (const std::invalid_argument&) {
        law(!good, "a permutation is scored");
        return;
    }
    score_batch(batch, options, kSeveral, again.data(), counts.data(), exact.data());
    law(equal(scores, again), "threads do not change a score");
    for (const double score : scores) {
        law(score >= 0.0 && score <= 1.0, "a score lies between 0 and 1");
    }
    score_batch_trees(batch, options, 1, trees.data());
    for (std::size_t k = 0; k < count; ++k) {
        law(std::abs(trees[2 * k] - scores[kPef * count + k]) < 1e-9 &&
                std::abs(trees[2 * k + 1] - scores[kPet * count + k]) < 1e-9,
            "tree scores are those of all scores");
    }
    score_batch_beer(batch, options.beta, 0.0, 1, beer.data());
    const auto measure = static_cast<Column>(data.ConsumeIntegralInRange<int>(kKendall, kFuzzy));
    score_batch_operators(batch, options, measure, 1, flat.data());
    TreeBuilder builder;
    PermutationTree tree;
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        const auto n = static_cast<std::int32_t>(batch.length(s));
        if (n == 0) {
            continue;
        }
        builder.build(batch.begin(s), n, tree);
        law(tree.start[0] == 0 && tree.end[0] == n && tree.next[0] == tree.size(), "the root spans the permutation");
        std::int32_t leaves = 0;
        for (std::size_t node = 0; node < static_cast<std::size_t>(tree.size()); ++node) {
            leaves += tree.children[node] == 0 ? 1 : 0;
        }
        law(leaves == n, "a tree has a leaf for each word");
        law(std::isfinite(log_tree_count(batch.begin(s), n)), "a number of trees has a logarithm");
    }
}

void permutation_pairs(FuzzedDataProvider& data) {
    Rows<std::int32_t> first, second;
    const std::size_t count = small_size(data, 4);
    for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t n = sentence_length(data, 200);
        first.add(permutation(data, n));
        second.add(permutation(data, n));
    }
    std::vector<double> one(count * kPairColumns), other(count * kPairColumns);
    score_pairs(as_batch(first), as_batch(second), 0.0, 1, one.data());
    score_pairs(as_batch(second), as_batch(first), 0.0, kSeveral, other.data());
    law(equal(one, other), "a pair scores as the pair turned round");
}

void block_moves(FuzzedDataProvider& data) {
    const Rows<std::int32_t> rows = some_permutations(data, 40);
    const Batch batch = as_batch(rows);
    const auto effort = data.ConsumeIntegralInRange<std::int64_t>(0, 2000);
    const BlockMoves found = find_block_moves(batch, effort, 1);
    const BlockMoves again = find_block_moves(batch, effort, kSeveral);
    law(found.moves == again.moves && found.lower == again.lower, "threads do not change moves");
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        std::vector<std::int32_t> values(batch.begin(s), batch.begin(s) + batch.length(s));
        const auto at = static_cast<std::size_t>(s);
        law(found.offsets[at + 1] - found.offsets[at] >= found.lower[at], "no set is smaller than its bound");
        for (std::int64_t k = found.offsets[at]; k < found.offsets[at + 1]; ++k) {
            const std::int32_t* move = found.moves.data() + 3 * k;
            law(0 <= move[0] && move[0] < move[1] && move[1] < move[2] &&
                    move[2] <= static_cast<std::int32_t>(values.size()),
                "a move exchanges two blocks");
            std::rotate(values.begin() + move[0], values.begin() + move[1], values.begin() + move[2]);
        }
        law(std::is_sorted(values.begin(), values.end()), "moves sort the permutation");
    }
}

const Register kScores("permutation-scores", permutation_scores);
const Register kPairs("permutation-pairs", permutation_pairs);
const Register kMoves("block-moves", block_moves);

}  // namespace
}  // namespace kilter::fuzz
