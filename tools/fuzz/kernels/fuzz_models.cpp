// Weights as model files hold them: taggers, parsers greedy and with a beam, products of bytes and what is made of them.
#include "arc_beam.hpp"
#include "arc_hybrid.hpp"
#include "integer_product.hpp"
#include "perceptron_tagger.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

std::vector<std::int8_t> weights(FuzzedDataProvider& data, std::size_t count) {
    std::vector<std::int8_t> found(count);
    const auto fill = data.ConsumeIntegral<std::int8_t>();
    std::fill(found.begin(), found.end(), fill);
    const std::vector<std::int8_t> bytes = data.ConsumeBytes<std::int8_t>(small_size(data, count));
    std::copy(bytes.begin(), bytes.end(), found.begin());
    return found;
}

void perceptron(FuzzedDataProvider& data) {
    const int bits = data.ConsumeIntegralInRange<int>(1, 6);
    const int labels = data.ConsumeIntegralInRange<int>(1, 9);
    const std::size_t rows = std::size_t{1} << static_cast<unsigned>(bits);
    const std::vector<std::int8_t> move_weights = weights(data, 3 * rows);
    const std::vector<std::int8_t> label_weights = weights(data, static_cast<std::size_t>(labels) * rows);
    const PerceptronTable moves{move_weights.data(), bits, 3};
    const PerceptronTable names{label_weights.data(), bits, labels};
    const std::int32_t n = sentence_length(data, 40);
    const std::size_t columns = data.ConsumeBool() ? few_parts : many_parts;
    std::vector<std::uint32_t> parts(static_cast<std::size_t>(n) * columns);
    for (std::uint32_t& part : parts) {
        part = data.ConsumeBool() ? data.ConsumeIntegralInRange<std::uint32_t>(0, 3) : data.ConsumeIntegral<std::uint32_t>();
    }
    const WordRows words{parts.data(), n, columns};
    const auto size = static_cast<std::size_t>(n);
    std::vector<std::int32_t> tags(size), heads(size), found(size);
    tag_words(names, words, tags.data());
    for (const std::int32_t tag : tags) {
        law(tag >= 0 && tag < labels, "a tag is a class");
    }
    parse_words(moves, names, words, tags.data(), heads.data(), found.data());
    law(is_tree(heads.data(), size, true), "a parse is a tree with one root");
    const BeamSettings settings{data.ConsumeIntegralInRange<int>(1, 6), data.ConsumeIntegralInRange<int>(1, 10)};
    const std::size_t most = 1 + small_size(data, 4);
    const auto trees = beam_trees(moves, names, words, tags.data(), settings, most);
    law(!trees.empty() && trees.size() <= most, "there is a best tree, and no more than asked for");
    for (std::size_t k = 0; k < trees.size(); ++k) {
        law(trees[k].heads.size() == size && is_tree(trees[k].heads.data(), size, true), "each is a tree with one root");
        law(k == 0 || trees[k - 1].score >= trees[k].score, "the best comes first");
        for (const std::int32_t name : trees[k].names) {
            law(name >= 0 && name < labels, "a label is a class");
        }
    }
    const std::vector<std::int32_t> right = tree(data, n);
    LearningTable learned_moves(bits, 3), learned_names(bits, labels), learned_tags(bits, labels);
    learn_tags(learned_tags, words, tags.data());
    learn_tree(learned_moves, learned_names, words, tags.data(), right.data(), tags.data(), data.ConsumeBool());
    learn_beam(learned_moves, learned_names, words, tags.data(), right.data(), tags.data(), settings.width);
    std::vector<double> means(learned_moves.size());
    learned_moves.means(means.data());
}

void integer_product(FuzzedDataProvider& data) {
    const std::size_t inputs = IntegerWeights::kInputs * (1 + small_size(data, 3));
    const std::size_t outputs = 1 + small_size(data, 40);
    const std::size_t count = small_size(data, 40);
    std::vector<std::int8_t> matrix = weights(data, inputs * outputs);
    for (std::int8_t& weight : matrix) {
        weight = static_cast<std::int8_t>(std::clamp<int>(weight, -IntegerWeights::kLargest, IntegerWeights::kLargest));
    }
    std::vector<std::uint8_t> rows(count * inputs, data.ConsumeIntegral<std::uint8_t>());
    const std::vector<std::uint8_t> bytes = data.ConsumeRemainingBytes<std::uint8_t>();
    std::copy_n(bytes.begin(), std::min(bytes.size(), rows.size()), rows.begin());
    const IntegerWeights packed(matrix.data(), inputs, outputs);
    std::vector<std::int32_t> expected(count * packed.stride());
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t out = 0; out < outputs; ++out) {
            std::int32_t sum = 0;
            for (std::size_t in = 0; in < inputs; ++in) {
                sum += rows[row * inputs + in] * matrix[in * outputs + out];
            }
            expected[row * packed.stride() + out] = sum;
        }
    }
    for (const ProductWay way : product_ways()) {
        std::vector<std::int32_t> sums(count * packed.stride(), -1);
        packed.multiply(rows.data(), count, 0, packed.stride(), sums.data(), way);
        law(sums == expected, "every way gives the plain sums");
    }
}

const Register kPerceptron("perceptron", perceptron);
const Register kIntegerProduct("integer-product", integer_product);

}  // namespace
}  // namespace kilter::fuzz
