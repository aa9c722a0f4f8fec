// Networks of any weights that a binding lets through: the parser's, what it learns by, and the encoder.
#include <cmath>

#include "network_decoder.hpp"
#include "network_learning.hpp"
#include "network_parser.hpp"
#include "target.hpp"
#include "transformer.hpp"

namespace kilter::fuzz {
namespace {

// A number up to `most` in either direction, often one of those where something changes.
float number(FuzzedDataProvider& data, float most) {
    const float edges[] = {0.0F, -0.0F, 1.0F, -1.0F, 0.5F, 1e-30F, -1e-38F, most, -most};
    return data.ConsumeBool() ? data.PickValueInArray(edges) : data.ConsumeFloatingPointInRange<float>(-most, most);
}

// A few numbers that the bytes say, over and over: matrices are larger than inputs.
std::vector<float> numbers(FuzzedDataProvider& data, std::size_t size, float most) {
    std::vector<float> some(1 + small_size(data, 12)), found(size);
    for (float& each : some) {
        each = number(data, most);
    }
    const std::size_t skip = 1 + small_size(data, 2);
    for (std::size_t k = 0; k < size; ++k) {
        found[k] = some[k / skip % some.size()];
    }
    return found;
}

std::vector<std::int8_t> small_weights(FuzzedDataProvider& data, std::size_t size) {
    constexpr int kLargest = IntegerWeights::kLargest;
    std::vector<std::int8_t> some(1 + small_size(data, 30)), found(size);
    for (std::int8_t& each : some) {
        each = static_cast<std::int8_t>(data.ConsumeIntegralInRange<int>(-kLargest, kLargest));
    }
    for (std::size_t k = 0; k < size; ++k) {
        found[k] = some[k % some.size()];
    }
    return found;
}

// The same largest numbers as the binding's.
constexpr float kLargest = 1e4F;

PlainProduct plain(FuzzedDataProvider& data, std::size_t inputs, std::size_t outputs) {
    const std::vector<float> own = numbers(data, inputs * outputs, kLargest);
    const std::vector<float> bias = numbers(data, outputs, kLargest);
    return {own.data(), inputs, bias};
}

NormedProduct normed(FuzzedDataProvider& data, std::size_t inputs, std::size_t outputs) {
    const std::vector<std::int8_t> own = small_weights(data, inputs * outputs);
    const std::vector<float> unit = numbers(data, outputs, kLargest), bias = numbers(data, outputs, kLargest);
    return {own.data(), inputs, unit, bias};
}

NetworkParts network_parts(FuzzedDataProvider& data) {
    constexpr std::size_t kWidth = IntegerWeights::kInputs;
    const std::size_t arcs = 16 * (1 + small_size(data, 1));
    const std::size_t labels = 1 + small_size(data, 17);
    const std::size_t names = 1 + small_size(data, 17);
    const std::size_t tags = 1 + small_size(data, 9);
    const std::size_t word_width = 1 + small_size(data, 5);
    const std::size_t piece_width = 1 + small_size(data, 3);
    const std::size_t pieces = small_size(data, 3);
    const std::size_t rows = 1 + small_size(data, 3);
    std::vector<NormedProduct> layers;
    const std::size_t depth = small_size(data, 2);
    for (std::size_t layer = 0; layer < depth; ++layer) {
        layers.push_back(normed(data, kWidth, 3 * kWidth));
    }
    std::vector<float> word_rows = numbers(data, rows * word_width, kLargest);
    std::vector<float> piece_rows = numbers(data, rows * piece_width, kLargest);
    PlainProduct input = plain(data, word_width + pieces * piece_width, kWidth);
    NormedProduct heads = normed(data, kWidth, 2 * arcs + 2 * labels + tags);
    PlainProduct weighed = plain(data, arcs, arcs);
    std::vector<float> root_arc = numbers(data, arcs, kLargest), root_label = numbers(data, labels, kLargest);
    std::vector<float> distance = numbers(data, 1 + 2 * small_size(data, 3), kLargest);
    PlainProduct named = plain(data, labels, names);
    const auto root = data.ConsumeIntegralInRange<std::int32_t>(-1, static_cast<std::int32_t>(names) - 1);
    return {std::move(word_rows), std::move(piece_rows), word_width, piece_width, std::move(input), std::move(layers),
            std::move(heads), std::move(weighed), std::move(root_arc), std::move(root_label), std::move(distance),
            std::move(named), root};
}

// Short sentences, some that pass what is read together, and seldom one that passes a window of trees.
std::size_t network_sentence(FuzzedDataProvider& data) {
    static constexpr std::size_t kEdges[] = {0, 1, 2, 16, 127, 128, 129, 257, kMostTreeWords, kMostTreeWords + 1};
    return data.ConsumeIntegralInRange<int>(0, 7) == 0 ? data.PickValueInArray(kEdges) : small_size(data, 20);
}

struct Answers {
    explicit Answers(std::size_t size) : tags(size, -7), heads(size, -7), labels(size, -7) {}
    bool operator==(const Answers&) const = default;
    std::vector<std::int32_t> tags, heads, labels;
};

void network_parser(FuzzedDataProvider& data) {
    const ParserNetwork network(network_parts(data));
    const NetworkParts& parts = network.parts();
    const std::size_t known = 1 + small_size(data, 4);
    std::vector<std::int32_t> words(known), pieces(known * parts.piece_columns());
    for (std::int32_t& word : words) {
        word = data.ConsumeIntegralInRange<std::int32_t>(0, static_cast<std::int32_t>(parts.word_count()) - 1);
    }
    for (std::int32_t& piece : pieces) {
        piece = data.ConsumeIntegralInRange<std::int32_t>(0, static_cast<std::int32_t>(parts.piece_count()) - 1);
    }
    Rows<std::int32_t> text;
    const std::size_t count = small_size(data, 4);
    for (std::size_t s = 0; s < count; ++s) {
        std::vector<std::int32_t> sentence(network_sentence(data));
        const std::size_t said = std::min<std::size_t>(sentence.size(), 24);
        for (std::size_t k = 0; k < sentence.size(); ++k) {
            sentence[k] = k < said ? data.ConsumeIntegralInRange<std::int32_t>(0, static_cast<std::int32_t>(known) - 1)
                                   : sentence[k - said];
        }
        text.add(sentence);
    }
    const NetworkWords given{words.data(), pieces.data(), known};
    const Batch sentences{text.values.data(), text.offsets.data(), text.rows()};
    Answers all(text.values.size()), alone(text.values.size());
    network.parse(given, sentences, all.tags.data(), all.heads.data(), all.labels.data());
    const std::size_t depth = small_size(data, parts.layers.size());
    std::vector<float> rows(text.values.size() * parts.width()), own(rows.size());
    network.encode(given, sentences, depth, rows.data());
    for (std::size_t s = 0; s < count; ++s) {
        const auto begin = static_cast<std::size_t>(text.offsets[s]);
        const auto size = static_cast<std::size_t>(text.offsets[s + 1]) - begin;
        const std::int64_t borders[] = {0, static_cast<std::int64_t>(size)};
        const Batch one{text.values.data() + begin, borders, 1};
        network.parse(given, one, alone.tags.data() + begin, alone.heads.data() + begin, alone.labels.data() + begin);
        network.encode(given, one, depth, own.data() + begin * parts.width());
        law(is_tree(all.heads.data() + begin, size, true), "a parse is a tree with one root");
        for (std::size_t k = begin; k < begin + size; ++k) {
            law(all.tags[k] >= 0 && static_cast<std::size_t>(all.tags[k]) < parts.tags(), "a tag is a class");
            law(all.labels[k] >= 0 && static_cast<std::size_t>(all.labels[k]) < parts.labels.outputs(),
                "a label is a class");
            law(parts.root < 0 || parts.labels.outputs() == 1 ||
                    (all.labels[k] == parts.root) == (all.heads[k] < 0),
                "the root alone has its label");
        }
    }
    law(all == alone, "a sentence is parsed as by itself");
    for (std::size_t k = 0; k < rows.size(); ++k) {
        law(std::isfinite(rows[k]) && rows[k] == own[k], "a sentence is read as by itself, in finite numbers");
    }
}

void network_learning(FuzzedDataProvider& data) {
    const std::size_t half = 1 + small_size(data, 20), words = small_size(data, 12);
    const std::vector<float> sums = numbers(data, words * 6 * half, kLargest);
    const std::vector<float> slopes = numbers(data, words * 2 * half, kLargest);
    std::vector<float> gates(sums.size()), states(slopes.size()), outputs(slopes.size()), gradient(sums.size());
    recurrent_layer(sums.data(), words, half, gates.data(), states.data(), outputs.data());
    recurrent_gradient(gates.data(), states.data(), slopes.data(), words, half, gradient.data());
    // Read from the other end, with the directions exchanged, it is the same.
    const auto turned = [&](const std::vector<float>& rows, std::size_t size) {
        std::vector<float> found(rows.size());
        for (std::size_t k = 0; k < 2 * words; ++k) {
            std::copy_n(rows.data() + k * size, size, found.data() + (2 * words - 1 - k) * size);
        }
        return found;
    };
    std::vector<float> gates2(sums.size()), states2(slopes.size()), outputs2(slopes.size()), gradient2(sums.size());
    recurrent_layer(turned(sums, 3 * half).data(), words, half, gates2.data(), states2.data(), outputs2.data());
    recurrent_gradient(gates2.data(), states2.data(), turned(slopes, half).data(), words, half, gradient2.data());
    law(turned(outputs, half) == outputs2 && turned(gradient, 3 * half) == gradient2, "neither direction comes first");
    for (std::size_t k = 0; k < gates.size(); ++k) {
        law(k / half % 3 == 0 || (gates[k] >= 0.0F && gates[k] <= 1.0F), "a gate lies between 0 and 1");
    }
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        law(std::abs(outputs[k]) <= kLargest * 1.01F, "what is kept is a mean of what was given");
    }
    const std::size_t columns = small_size(data, 9), places = 1 + small_size(data, 4), count = small_size(data, 9);
    const std::vector<float> rows = numbers(data, count * columns, 64.0F);
    std::vector<std::int64_t> where(count);
    for (std::int64_t& place : where) {
        place = data.ConsumeIntegralInRange<std::int64_t>(0, static_cast<std::int64_t>(places) - 1);
    }
    std::vector<float> added(places * columns), expected(added.size());
    add_rows(rows.data(), where.data(), count, columns, added.data());
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t k = 0; k < columns; ++k) {
            expected[static_cast<std::size_t>(where[row]) * columns + k] += rows[row * columns + k];
        }
    }
    law(added == expected, "rows are added to their places");
    Adam adam(numbers(data, 1 + small_size(data, 40), kLargest));
    const std::size_t steps = small_size(data, 5);
    for (std::size_t step = 0; step < steps; ++step) {
        const std::vector<float> slope = numbers(data, adam.weights().size(), kLargest);
        adam.step(slope.data(), data.ConsumeFloatingPointInRange<float>(0.0F, 1.0F),
                  data.ConsumeFloatingPointInRange<double>(0.0, 1.0), data.ConsumeFloatingPointInRange<double>(0.0, 1.0));
        for (const float weight : adam.weights()) {
            law(std::isfinite(weight), "weights stay finite");
        }
    }
}

Linear linear(FuzzedDataProvider& data, std::size_t inputs, std::size_t outputs, float most) {
    const std::vector<std::int8_t> own = small_weights(data, inputs * outputs);
    std::vector<std::int32_t> shift(outputs, data.ConsumeIntegral<std::int32_t>());
    std::vector<float> unit = numbers(data, outputs, most), bias = numbers(data, outputs, most);
    const Rounding taken{std::abs(number(data, most)), data.ConsumeFloatingPointInRange<float>(0.0F, 255.0F)};
    return {IntegerWeights(own.data(), inputs, outputs), std::move(shift), std::move(unit), std::move(bias), taken};
}

Norm norm(FuzzedDataProvider& data, std::size_t width, float most) {
    return {numbers(data, width, most), numbers(data, width, most)};
}

void transformer(FuzzedDataProvider& data) {
    constexpr std::size_t kWidth = IntegerWeights::kInputs;
    const float most = data.ConsumeBool() ? 1e9F : 4.0F;
    const std::size_t pieces = 1 + small_size(data, 4), places = 1 + small_size(data, 19), shapes = 1 + small_size(data, 1);
    Embedding embedding{small_weights(data, pieces * kWidth), numbers(data, pieces, most),
                        numbers(data, places * kWidth, most), numbers(data, shapes * kWidth, most),
                        norm(data, kWidth, most)};
    std::vector<TransformerLayer> layers;
    const std::size_t depth = small_size(data, 2);
    for (std::size_t layer = 0; layer < depth; ++layer) {
        const std::size_t inside = kWidth * (1 + small_size(data, 1));
        layers.push_back({linear(data, kWidth, 3 * kWidth, most), linear(data, kWidth, kWidth, most),
                          norm(data, kWidth, most), linear(data, kWidth, inside, most),
                          linear(data, inside, kWidth, most), norm(data, kWidth, most)});
    }
    const Transformer network(std::move(embedding), std::move(layers));
    const std::size_t length = 1 + small_size(data, places - 1), count = small_size(data, 12);
    std::vector<std::int64_t> ids(count * length), kinds(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) {
        ids[k] = data.ConsumeIntegralInRange<std::int64_t>(0, static_cast<std::int64_t>(pieces) - 1);
        kinds[k] = data.ConsumeIntegralInRange<std::int64_t>(0, static_cast<std::int64_t>(shapes) - 1);
    }
    const std::size_t level = small_size(data, depth);
    const std::vector<float> shares = numbers(data, small_size(data, depth + 1), 4.0F);
    std::vector<float> mixed(ids.size() * kWidth), kept(mixed), mixed2(mixed), kept2(mixed);
    network.encode({ids.data(), kinds.data(), count, length}, shares, level, mixed.data(), kept.data());
    for (std::size_t s = 0; s < count; ++s) {
        const std::size_t first = s * length;
        network.encode({ids.data() + first, kinds.data() + first, 1, length}, shares, level,
                       mixed2.data() + first * kWidth, kept2.data() + first * kWidth);
    }
    for (std::size_t k = 0; k < kept.size(); ++k) {
        law(std::isfinite(kept[k]), "rows are finite");
        law(kept[k] == kept2[k] && (mixed[k] == mixed2[k] || std::isnan(mixed[k])), "a sentence is read as by itself");
    }
    const std::size_t outputs = 1 + small_size(data, 40), rows = small_size(data, 5);
    const Linear last = linear(data, kWidth, outputs, most);
    std::vector<std::uint8_t> bytes(rows * kWidth, data.ConsumeIntegral<std::uint8_t>());
    const std::vector<std::uint8_t> given = data.ConsumeRemainingBytes<std::uint8_t>();
    std::copy_n(given.begin(), std::min(given.size(), bytes.size()), bytes.begin());
    std::vector<float> plain(rows * outputs), bent(plain);
    std::vector<std::uint8_t> rounded(plain.size()), expected(plain.size());
    linear_numbers(last, bytes.data(), rows, false, plain.data());
    linear_numbers(last, bytes.data(), rows, true, bent.data());
    linear_gelu_bytes(last, bytes.data(), rows, last.taken(), rounded.data());
    round_numbers(bent.data(), bent.size(), last.taken(), expected.data());
    law(rounded == expected, "bytes are the rounded numbers");
}

const Register kNetworkParser("network-parser", network_parser);
const Register kNetworkLearning("network-learning", network_learning);
const Register kTransformer("transformer", transformer);

}  // namespace
}  // namespace kilter::fuzz
