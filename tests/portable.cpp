// Runs the kernels on made-up input and prints a hash of the bits of each answer: the same on every machine
// and with every compiler. No random device, no clock, no file.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "batch.hpp"
#include "beer.hpp"
#include "bleu_score.hpp"
#include "derp.hpp"
#include "em_aligner.hpp"
#include "information.hpp"
#include "integer_product.hpp"
#include "kendall.hpp"
#include "link_pairs.hpp"
#include "link_rule.hpp"
#include "made_up.hpp"
#include "match.hpp"
#include "meaning.hpp"
#include "network_parser.hpp"
#include "ngram.hpp"
#include "rank_correlation.hpp"
#include "reordering_score.hpp"
#include "resample.hpp"
#include "ribes.hpp"
#include "row_product.hpp"
#include "score_batch.hpp"
#include "shift_edit.hpp"
#include "spanning_tree.hpp"
#include "symmetrization.hpp"
#include "transformer.hpp"
#include "tree_edit.hpp"
#include "word_error.hpp"

namespace {

using namespace kilter;
using namespace kilter::made_up;

constexpr int kJobs = 2;

// FNV-1a.
class Hash {
public:
    template <class T>
    void add(const std::vector<T>& values) {
        for (const T& value : values) {
            unsigned char bytes[sizeof(T)];
            std::memcpy(bytes, &value, sizeof(T));
            for (const unsigned char byte : bytes) {
                state_ = (state_ ^ byte) * 0x100000001b3ULL;
            }
        }
    }
    void print(const char* name) const {
        std::printf("%-12s %016llx\n", name, static_cast<unsigned long long>(state_));
    }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

template <class... Vectors>
void print(const char* name, const Vectors&... vectors) {
    Hash hash;
    (hash.add(vectors), ...);
    hash.print(name);
}

void scores(Rng& rng) {
    const Rows column = permutations(rng);
    const std::size_t rows = column.size();
    for (const bool right : {false, true}) {
        Floats found(rows * kColumns), both(rows * 2), kendalls(rows * 2);
        Ints counts(rows * kCountColumns);
        std::vector<std::uint64_t> exact(rows);
        const ScoreOptions options{0.6, 0.25, right, 0.0};
        score_batch(column.batch(), options, kJobs, found.data(), counts.data(), exact.data());
        score_batch_trees(column.batch(), options, kJobs, both.data());
        score_batch_operators(column.batch(), options, kKendall, kJobs, kendalls.data());
        print(right ? "right" : "left", found, counts, exact, both, kendalls);
        for (const kilter::Column measure : {kKendallSqrt, kSpearman, kHamming, kUlam, kFuzzy}) {
            score_batch_operators(column.batch(), options, measure, kJobs, kendalls.data());
            print("operators", kendalls);
        }
    }
    Floats kendall(rows), beer(rows), pairs(rows * kPairColumns);
    score_batch_kendall(column.batch(), 0.0, kJobs, kendall.data());
    score_batch_beer(column.batch(), 0.6, 0.0, kJobs, beer.data());
    const Rows other = permutations(rng);
    score_pairs(column.batch(), other.batch(), 0.0, kJobs, pairs.data());
    print("flat", kendall, beer, pairs);
}

void texts(Rng& rng) {
    const Rows hypothesis = words(rng, 12, 60);
    const Rows reference = words(rng, 12, 60);
    const std::size_t rows = hypothesis.size();
    Longs ngrams(rows * kNgramColumns), ribes(rows * kRibesColumns);
    Ints positions(hypothesis.values.size());
    count_ngrams(hypothesis.batch(), {reference.batch()}, kJobs, ngrams.data());
    match_ribes(hypothesis.batch(), reference.batch(), kJobs, ribes.data(), positions.data());
    Floats bleu(rows);
    const Floats counts(ngrams.begin(), ngrams.end());
    bleu_scores(counts.data(), static_cast<std::int64_t>(rows), kNgramOrder, {BleuSmoothing::kExponential, true, false},
                bleu.data());
    print("words", ngrams, ribes, positions, bleu);
    Longs errors(rows * kWordErrorColumns);
    count_word_errors(hypothesis.batch(), reference.batch(), kJobs, errors.data());
    Floats bits(rows * kInformationOrder);
    sum_information(hypothesis.batch(), {reference.batch(), hypothesis.batch()}, kInformationOrder, bits.data());
    print("errors", errors);
    print("information", bits);  // its logarithms are those of the system's library
    Longs shifted(rows), plain(rows);
    count_shift_edits(hypothesis.batch(), reference.batch(), kJobs, shifted.data());
    count_shift_edits_plainly(hypothesis.batch(), reference.batch(), plain.data());
    print("shifts", shifted, plain);

    Ints keys;
    for (std::int32_t word = 0; word < 12; ++word) {
        keys.push_back(word / 2);
    }
    const Longs none(rows + 1, 0);
    for (const MatchRule rule : {MatchRule::kChunks, MatchRule::kCrossings}) {
        const MatchLinks found = match_batch(hypothesis.batch(), reference.batch(), {nullptr, none.data()},
                                             {nullptr, keys.data(), 6}, {rule, 1 << 20, 256, kJobs});
        print(rule == MatchRule::kChunks ? "chunks" : "crossings", found.links, found.offsets, found.bounded);
        if (rule == MatchRule::kCrossings) {
            continue;
        }
        const LinkRows links{found.links.data(), found.offsets.data(), hypothesis.segments()};
        Longs crossed(rows * 2);
        count_link_pairs(links, true, kJobs, crossed.data());
        const Rows first = trees(rng, hypothesis);
        const Rows second = trees(rng, reference);
        Longs all;
        for (std::int64_t s = 0; s < hypothesis.segments(); ++s) {
            all.push_back(s);
        }
        const TreePairs pairs{all.data(), all.data(), all.data(), hypothesis.segments()};
        Longs edits(rows * kEditColumns), paths(rows * kPathColumns), flat(rows * kPathColumns);
        edit_distances(first.trees(), second.trees(), pairs, links, kJobs, edits.data());
        Longs by_side(rows * kEditColumns);
        edit_distances(first.trees(), second.trees(), pairs, links, kJobs, by_side.data(), true);
        path_disparities({first.trees(), hypothesis.values.data()}, {second.trees(), reference.values.data()}, pairs,
                         links, PathKind::kLabels, kJobs, paths.data());
        flat_path_disparities(links, kJobs, flat.data());
        print("trees", crossed, edits, by_side, paths, flat);
    }
}

void alignment(Rng& rng) {
    const Rows source = words(rng, 20, 80);
    const Rows target = words(rng, 25, 80);
    const Bitext bitext{source.batch(), target.batch(), 20, 25};
    EmTrainer trainer(bitext, 5, 1 << 20, kJobs);
    for (int k = 0; k < 3; ++k) {
        trainer.model1();
    }
    for (int k = 0; k < 3; ++k) {
        trainer.hmm({0.2, 0.1}, true);
    }
    const EmDirection& forward = trainer.direction(0);
    Ints path(target.values.size()), posterior(target.values.size());
    decode(bitext, forward.table.view(), forward.jumps, {0.2, 0.1}, Decoding::kBestPath, kJobs, path.data());
    decode(bitext, forward.table.view(), forward.jumps, {0.2, 0.1}, Decoding::kPosterior, kJobs, posterior.data());
    print("em", Floats(forward.table.probabilities.begin(), forward.table.probabilities.end()), forward.jumps.weights,
          path, posterior);
}

void resamples(Rng& rng) {
    constexpr std::int64_t segments = 500;
    std::vector<std::uint8_t> drawn_counts(100 * segments), halves(drawn_counts);
    count_draws({7, Stream::kIndices, segments}, {0, segments}, {0, 100}, kJobs, drawn_counts.data());
    count_draws({7, Stream::kFlips, segments}, {0, segments}, {0, 100}, kJobs, halves.data());
    Ints ranks, places;
    for (std::int32_t k = 0; k < segments; ++k) {
        ranks.push_back(rng.below(60));
        places.push_back(k);
    }
    Floats rho(50);
    resample_spearman({ranks.data(), 60}, {places.data(), segments}, places.data(), segments, segments, 3, 50, kJobs,
                      rho.data());
    Floats arcs;
    for (int k = 0; k < 30 * 31; ++k) {
        arcs.push_back(rng.share());
    }
    Ints heads(30);
    spanning_tree(arcs.data(), 30, heads.data());
    print("resamples", drawn_counts, halves, rho, heads);
    std::vector<std::uint32_t> drawn(1000);
    draw_indices(7, 3, 300'000'000, 0, 1000, drawn.data());
    print("draws", drawn);
    std::vector<float> rows;
    for (int k = 0; k < 11 * 37; ++k) {
        rows.push_back(static_cast<float>(rng.share()));
    }
    std::vector<float> products(5 * 6);
    row_products(rows.data(), 5, rows.data() + 5 * 37, 6, 37, products.data());
    print("products", Floats(products.begin(), products.end()));
    // Two sentences and an empty one, each with each.
    const Longs sentences{0, 5, 5, 11};
    Longs firsts, seconds, first_rows{0}, second_rows{0};
    for (std::size_t first = 0; first < 3; ++first) {
        for (std::size_t second = 0; second < 3; ++second) {
            firsts.push_back(static_cast<std::int64_t>(first));
            seconds.push_back(static_cast<std::int64_t>(second));
            first_rows.push_back(first_rows.back() + sentences[first + 1] - sentences[first]);
            second_rows.push_back(second_rows.back() + sentences[second + 1] - sentences[second]);
        }
    }
    std::vector<float> first_words(33 * kFirstColumns), second_words(33 * kSecondColumns);
    Floats totals(9 * kTotalColumns);
    meanings({rows.data(), 37, sentences.data(), 3},
             {firsts.data(), seconds.data(), first_rows.data(), second_rows.data(), 9}, {0.3, 0.05, 0.06, 0.6}, kJobs,
             first_words.data(), second_words.data(), totals.data());
    print("meanings", first_words, second_words, totals);
}

// Ways differ between machines, their sums do not: one line for all of them, and another where one is alone.
void integers(Rng& rng) {
    constexpr std::size_t kRows = 67, kInputs = 128, kOutputs = 83;
    std::vector<std::uint8_t> rows(kRows * kInputs);
    for (std::uint8_t& byte : rows) {
        byte = static_cast<std::uint8_t>(rng.below(256));
    }
    std::vector<std::int8_t> whole(kInputs * kOutputs);
    for (std::int8_t& weight : whole) {
        weight = static_cast<std::int8_t>(rng.below(129) - 64);
    }
    const IntegerWeights weights(whole.data(), kInputs, kOutputs);
    // The same rows as parts of longer ones.
    constexpr std::size_t kStep = kInputs + 3 * IntegerWeights::kInputs;
    std::vector<std::uint8_t> apart(kRows * kStep, 255);
    for (std::size_t row = 0; row < kRows; ++row) {
        std::memcpy(apart.data() + row * kStep, rows.data() + row * kInputs, kInputs);
    }
    Ints first;
    for (const ProductWay way : product_ways()) {
        Ints sums(kRows * weights.stride()), parts(sums);
        weights.multiply(rows.data(), kRows, 0, weights.stride(), sums.data(), way);
        weights.multiply({apart.data(), kRows, kStep}, 0, weights.stride(), parts.data(), way);
        if (first.empty()) {
            print("integers", sums);
            first = sums;
        }
        if (sums != first || parts != first) {
            print("other way", sums, parts);
        }
    }
}

std::vector<float> singles(Rng& rng, std::size_t count, double low, double high) {
    std::vector<float> found;
    for (std::size_t k = 0; k < count; ++k) {
        found.push_back(static_cast<float>(low + (high - low) * rng.share()));
    }
    return found;
}

Linear linear(Rng& rng, std::size_t inputs, std::size_t outputs) {
    std::vector<std::int8_t> whole(inputs * outputs);
    Ints shift(outputs);
    for (std::size_t k = 0; k < whole.size(); ++k) {
        whole[k] = static_cast<std::int8_t>(rng.below(129) - 64);
        shift[k % outputs] += 120 * whole[k];
    }
    return {IntegerWeights(whole.data(), inputs, outputs),
            shift,
            singles(rng, outputs, 5e-5, 2e-4),
            singles(rng, outputs, -0.3, 0.3),
            {40.0F, 120.0F}};
}

void network(Rng& rng) {
    constexpr std::size_t kWidth = 64, kInside = 128, kPieces = 30, kPlaces = 40, kShapes = 3;
    const auto norm = [&] { return Norm{singles(rng, kWidth, 0.5, 1.2), singles(rng, kWidth, -0.1, 0.1)}; };
    std::vector<TransformerLayer> layers;
    for (int k = 0; k < 2; ++k) {
        Linear attention = linear(rng, kWidth, 3 * kWidth), output = linear(rng, kWidth, kWidth);
        Norm norm1 = norm();
        Linear inner = linear(rng, kWidth, kInside), outer = linear(rng, kInside, kWidth);
        layers.push_back({attention, output, norm1, inner, outer, norm()});
    }
    std::vector<std::int8_t> pieces(kPieces * kWidth);
    for (std::int8_t& number : pieces) {
        number = static_cast<std::int8_t>(rng.below(255) - 127);
    }
    Embedding embedding{pieces, singles(rng, kPieces, 0.005, 0.01), singles(rng, kPlaces * kWidth, -0.3, 0.3),
                        singles(rng, kShapes * kWidth, -0.3, 0.3), norm()};
    const Transformer transformer(std::move(embedding), std::move(layers));
    const std::vector<float> shares{0.25F, -0.5F, 1.5F};
    for (const std::size_t length : {1U, 5U, 33U, 40U}) {
        constexpr std::size_t kSentences = 4;
        Longs ids, shapes;
        for (std::size_t k = 0; k < kSentences * length; ++k) {
            ids.push_back(rng.below(kPieces));
            shapes.push_back(rng.below(kShapes));
        }
        std::vector<float> mixed(ids.size() * kWidth), kept(mixed.size());
        transformer.encode({ids.data(), shapes.data(), kSentences, length}, shares, 1, mixed.data(), kept.data());
        print("network", mixed, kept);
    }
    const Linear last = linear(rng, kWidth, 49);
    std::vector<std::uint8_t> rows(100 * kWidth), bytes(100 * 49);
    for (std::uint8_t& byte : rows) {
        byte = static_cast<std::uint8_t>(rng.below(256));
    }
    std::vector<float> plain(bytes.size()), bent(bytes.size());
    linear_numbers(last, rows.data(), 100, false, plain.data());
    linear_numbers(last, rows.data(), 100, true, bent.data());
    linear_gelu_bytes(last, rows.data(), 100, {40.0F, 12.0F}, bytes.data());
    print("heads", plain, bent, bytes);
}

std::vector<std::int8_t> weights(Rng& rng, std::size_t count) {
    std::vector<std::int8_t> found;
    for (std::size_t k = 0; k < count; ++k) {
        found.push_back(static_cast<std::int8_t>(rng.below(129) - 64));
    }
    return found;
}

NormedProduct normed(Rng& rng, std::size_t inputs, std::size_t outputs) {
    const std::vector<std::int8_t> whole = weights(rng, inputs * outputs);
    return {whole.data(), inputs, singles(rng, outputs, 2e-3, 6e-3), singles(rng, outputs, -0.5, 0.5)};
}

PlainProduct plain(Rng& rng, std::size_t inputs, std::size_t outputs) {
    const std::vector<float> own = singles(rng, inputs * outputs, -0.4, 0.4);
    return {own.data(), inputs, singles(rng, outputs, -0.4, 0.4)};
}

void network_parser(Rng& rng) {
    constexpr std::size_t kWidth = 64, kArcs = 32, kNames = 20, kTags = 9, kKnown = 30, kPieces = 8, kColumns = 3;
    std::vector<float> vectors = singles(rng, kKnown * 20, -1, 1), small = singles(rng, kPieces * 12, -1, 1);
    PlainProduct input = plain(rng, 20 + kColumns * 12, kWidth);
    std::vector<NormedProduct> layers;
    for (int k = 0; k < 2; ++k) {
        layers.push_back(normed(rng, kWidth, 3 * kWidth));
    }
    NormedProduct heads = normed(rng, kWidth, 2 * kArcs + 2 * kNames + kTags);
    PlainProduct arcs = plain(rng, kArcs, kArcs);
    std::vector<float> root_arc = singles(rng, kArcs, -1, 1), root_label = singles(rng, kNames, -1, 1);
    std::vector<float> distance = singles(rng, 9, -1, 1);
    const ParserNetwork parser(
        {vectors, small, 20, 12, input, layers, heads, arcs, root_arc, root_label, distance, plain(rng, kNames, 7), 3});
    Ints known, pieces, ids;
    for (int word = 0; word < 40; ++word) {
        known.push_back(rng.below(kKnown));
        for (std::size_t k = 0; k < kColumns; ++k) {
            pieces.push_back(rng.below(kPieces));
        }
    }
    Longs offsets{0};
    for (const int length : {1, 0, 7, 25, 60, 90, 150}) {
        for (int k = 0; k < length; ++k) {
            ids.push_back(rng.below(40));
        }
        offsets.push_back(offsets.back() + length);
    }
    const NetworkWords words{known.data(), pieces.data(), known.size()};
    const Batch sentences{ids.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    std::vector<float> rows(ids.size() * kWidth);
    parser.encode(words, sentences, 2, rows.data());
    Ints tags(ids.size()), above(ids.size()), names(ids.size());
    parser.parse(words, sentences, tags.data(), above.data(), names.data());
    print("parser", rows, tags, above, names);
}

}  // namespace

int main() {
    Rng rng;
    scores(rng);
    texts(rng);
    alignment(rng);
    resamples(rng);
    integers(rng);
    network(rng);
    network_parser(rng);
}
