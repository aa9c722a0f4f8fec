// Times the kernels on made-up input, one thread each: nanoseconds of processor time per unit, the best of some rounds.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "beer.hpp"
#include "bleu_score.hpp"
#include "derp.hpp"
#include "em_aligner.hpp"
#include "integer_product.hpp"
#include "kendall.hpp"
#include "link_pairs.hpp"
#include "made_up.hpp"
#include "match.hpp"
#include "rank_correlation.hpp"
#include "resample.hpp"
#include "ribes.hpp"
#include "row_product.hpp"
#include "score_batch.hpp"
#include "shift_edit.hpp"
#include "spanning_tree.hpp"
#include "tree_edit.hpp"
#include "word_error.hpp"

namespace {

using namespace kilter;
using namespace kilter::made_up;

constexpr int kRounds = 7;
const char* wanted = "";  // names of kernels begin with it

double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

// Calls work() until it has taken a twentieth of a second, some times, and prints what a unit of it takes.
template <class Work>
void time(const char* name, std::size_t units, const char* unit, Work work) {
    if (std::strncmp(name, wanted, std::strlen(wanted)) != 0) {
        return;
    }
    double best = 1e9;
    for (int round = 0; round < kRounds; ++round) {
        const double start = processor_seconds();
        double taken = 0.0;
        int calls = 0;
        while (taken < 0.05) {
            work();
            ++calls;
            taken = processor_seconds() - start;
        }
        best = std::min(best, taken / calls);
    }
    std::printf("%-24s %10.1f ns per %s\n", name, 1e9 * best / static_cast<double>(units), unit);
}

void permutation_kernels(Rng& rng) {
    Rows rows;
    for (int k = 0; k < 4000; ++k) {
        Rows one;
        for (std::int32_t word = 0; word < 25; ++word) {
            one.values.push_back(word);
        }
        for (int move = 0; move < 6; ++move) {
            std::swap(one.values[static_cast<std::size_t>(rng.below(25))],
                      one.values[static_cast<std::size_t>(rng.below(25))]);
        }
        rows.values.insert(rows.values.end(), one.values.begin(), one.values.end());
        rows.end();
    }
    const std::size_t count = rows.size();
    Floats scores(count * kColumns), pairs(count * kPairColumns);
    Ints counts(count * kCountColumns);
    std::vector<std::uint64_t> trees(count);
    const ScoreOptions options{0.6, 0.25, false, 0.0};
    time("score", count, "permutation of 25 words",
         [&] { score_batch(rows.batch(), options, 1, scores.data(), counts.data(), trees.data()); });
    time("score_kendall", count, "permutation", [&] { score_batch_kendall(rows.batch(), 0.0, 1, scores.data()); });
    time("score_beer", count, "permutation", [&] { score_batch_beer(rows.batch(), 0.6, 0.0, 1, scores.data()); });
    time("score_operators", count, "permutation",
         [&] { score_batch_operators(rows.batch(), options, kSpearman, 1, scores.data()); });
    time("score_pairs", count, "pair", [&] { score_pairs(rows.batch(), rows.batch(), 0.0, 1, pairs.data()); });
    // A linear node whose children are all nodes: the slowest case of the score.
    Rows wide;
    for (std::int32_t word = 0; word < 10'000; ++word) {
        wide.values.push_back(word ^ 1);
    }
    wide.end();
    time("score_wide_node", wide.values.size(), "word",
         [&] { score_batch(wide.batch(), options, 1, scores.data(), counts.data(), trees.data()); });
}

void text_kernels(Rng& rng) {
    const Rows hypothesis = words(rng, 200, 1000), reference = words(rng, 200, 1000);
    const std::size_t rows = hypothesis.size(), size = hypothesis.values.size();
    Longs ngrams(rows * kNgramColumns), ribes(rows * kRibesColumns), errors(rows * kWordErrorColumns), shifts(rows);
    Ints positions(size);
    time("count_ngrams", size, "word",
         [&] { count_ngrams(hypothesis.batch(), {reference.batch()}, 1, ngrams.data()); });
    const Floats counts(ngrams.begin(), ngrams.end());
    Floats bleu(rows);
    time("bleu_scores", rows, "row", [&] {
        bleu_scores(counts.data(), static_cast<std::int64_t>(rows), kNgramOrder,
                    {BleuSmoothing::kExponential, true, false}, bleu.data());
    });
    time("match_ribes", size, "word",
         [&] { match_ribes(hypothesis.batch(), reference.batch(), 1, ribes.data(), positions.data()); });
    time("count_word_errors", size, "word",
         [&] { count_word_errors(hypothesis.batch(), reference.batch(), 1, errors.data()); });
    time("count_shift_edits", size, "word",
         [&] { count_shift_edits(hypothesis.batch(), reference.batch(), 1, shifts.data()); });
    Ints keys;
    for (std::int32_t word = 0; word < 200; ++word) {
        keys.push_back(word / 2);
    }
    const Longs none(rows + 1, 0);
    MatchLinks found;
    time("match", size, "word", [&] {
        found = match_batch(hypothesis.batch(), reference.batch(), {nullptr, none.data()}, {nullptr, keys.data(), 100},
                            {MatchRule::kChunks, 1 << 20, 256, 1});
    });
    found = match_batch(hypothesis.batch(), reference.batch(), {nullptr, none.data()}, {nullptr, keys.data(), 100},
                        {MatchRule::kChunks, 1 << 20, 256, 1});
    const LinkRows links{found.links.data(), found.offsets.data(), hypothesis.segments()};
    Longs crossed(rows * 2), edits(rows * kEditColumns), paths(rows * kPathColumns), all;
    time("count_link_pairs", rows, "segment", [&] { count_link_pairs(links, true, 1, crossed.data()); });
    const Rows first = trees(rng, hypothesis), second = trees(rng, reference);
    for (std::int64_t s = 0; s < hypothesis.segments(); ++s) {
        all.push_back(s);
    }
    const TreePairs pairs{all.data(), all.data(), all.data(), hypothesis.segments()};
    time("edit_distances", rows, "pair of trees",
         [&] { edit_distances(first.trees(), second.trees(), pairs, links, 1, edits.data()); });
    time("edit_distances_long", rows, "pair of trees",
         [&] { edit_distances(first.trees(), second.trees(), pairs, links, 1, edits.data(), true); });
    time("path_disparities", rows, "pair of trees", [&] {
        path_disparities({first.trees(), hypothesis.values.data()}, {second.trees(), reference.values.data()}, pairs,
                         links, PathKind::kLabels, 1, paths.data());
    });
    EmTrainer trainer({hypothesis.batch(), reference.batch(), 200, 200}, 5, 1 << 20, 1);
    time("em_model1", size, "word", [&] { trainer.model1(); });
    time("em_hmm", size, "word", [&] { trainer.hmm({0.2, 0.1}, true); });
}

void number_kernels(Rng& rng) {
    constexpr std::int64_t segments = 3000, resamples = 100;
    std::vector<std::uint8_t> counts(segments * resamples);
    time("count_draws", counts.size(), "draw",
         [&] { count_draws({7, Stream::kIndices, segments}, {0, segments}, {0, resamples}, 1, counts.data()); });
    Ints ranks, segment;
    for (std::int32_t k = 0; k < segments; ++k) {
        ranks.push_back(rng.below(60));
        segment.push_back(k);
    }
    Floats rho(resamples);
    time("resample_spearman", counts.size(), "draw", [&] {
        resample_spearman({ranks.data(), 60}, {segment.data(), segments}, segment.data(), segments, segments, 3,
                          resamples, 1, rho.data());
    });
    Floats arcs;
    for (int k = 0; k < 30 * 31; ++k) {
        arcs.push_back(rng.share());
    }
    Ints heads(30);
    time("spanning_tree", 1, "tree of 30 words", [&] { spanning_tree(arcs.data(), 30, heads.data()); });
    std::vector<float> left(200 * 256), products(100 * 100);
    for (float& number : left) {
        number = static_cast<float>(rng.share());
    }
    time("row_products", products.size(), "product of 256 numbers",
         [&] { row_products(left.data(), 100, left.data() + 100 * 256, 100, 256, products.data()); });
    constexpr std::size_t kRows = 96, kInputs = 256, kOutputs = 256;
    std::vector<std::uint8_t> rows(kRows * kInputs);
    for (std::uint8_t& byte : rows) {
        byte = static_cast<std::uint8_t>(rng.below(256));
    }
    std::vector<std::int8_t> whole(kInputs * kOutputs);
    for (std::int8_t& weight : whole) {
        weight = static_cast<std::int8_t>(rng.below(129) - 64);
    }
    const IntegerWeights weights(whole.data(), kInputs, kOutputs);
    Ints sums(kRows * weights.stride());
    for (const ProductWay way : product_ways()) {
        const char* const names[] = {"integer_product_plain", "integer_product_avx2", "integer_product_vnni",
                                     "integer_product_dot"};
        time(names[static_cast<std::size_t>(way)], kRows * kOutputs, "product of 256 bytes",
             [&] { weights.multiply(rows.data(), kRows, 0, weights.stride(), sums.data(), way); });
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 1) {
        wanted = arguments[1];
    }
    Rng rng;
    permutation_kernels(rng);
    text_kernels(rng);
    number_kernels(rng);
}
