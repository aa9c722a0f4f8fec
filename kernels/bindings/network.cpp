// The network that parses and tags.
#include "bindings/checked.hpp"

#include "lanes.hpp"
#include "network_parser.hpp"

namespace kilter {
namespace {

using SingleRows = Matrix<float>;
using Singles = Vector<float>;
using IntRows = Matrix<std::int32_t>;

// With no number beyond this, and no part wider than that, every score of an arc is finite.
constexpr double kLargest = 1e4;
constexpr std::size_t kWidest = 4096;

template <class Given>
std::vector<float> finite(const Given& given, const char* name) {
    const Copy<float> copy(given);
    copy.check_finite(name, -kLargest, kLargest);
    return {copy.begin(), copy.end()};
}

void check_size(std::size_t size, std::size_t wanted, const char* name) {
    if (size != wanted) {
        refuse(std::string(name) + " has " + std::to_string(size) + " entries; it needs " + std::to_string(wanted));
    }
}

void check_width(std::size_t width, std::size_t multiple, const char* name) {
    if (width == 0 || width > kWidest || width % multiple != 0) {
        refuse(std::string(name) + " is " + std::to_string(width) + " wide; it must be a multiple of " +
               std::to_string(multiple) + ", at most " + std::to_string(kWidest));
    }
}

void check_shape(const SingleRows& given, std::size_t rows, std::size_t columns, const char* name) {
    if (given.shape(0) != rows || given.shape(1) != columns) {
        refuse(std::string(name) + " has " + std::to_string(given.shape(0)) + " rows of " +
               std::to_string(given.shape(1)) + "; it needs " + std::to_string(rows) + " of " +
               std::to_string(columns));
    }
}

PlainProduct plain_product(const SingleRows& weights, const Singles& bias, const char* name) {
    check_size(bias.size(), weights.shape(1), "a bias");
    const std::vector<float> own = finite(weights, name);
    const std::vector<float> added = finite(bias, name);
    return {own.data(), weights.shape(0), added};
}

NormedProduct normed_product(std::span<const std::int8_t> weights, std::size_t inputs, std::span<const float> unit,
                             std::span<const float> bias, const char* name) {
    for (const std::int8_t weight : weights) {
        if (weight < -IntegerWeights::kLargest || weight > IntegerWeights::kLargest) {
            refuse(std::string(name) + " hold " + std::to_string(weight) + "; weights lie between " +
                   std::to_string(-IntegerWeights::kLargest) + " and " + std::to_string(IntegerWeights::kLargest));
        }
    }
    return {weights.data(), inputs, unit, bias};
}

std::vector<NormedProduct> layers_of(const Cube<std::int8_t>& weights, const SingleRows& unit, const SingleRows& bias,
                                     std::size_t width) {
    if (weights.shape(1) != width || weights.shape(2) != 3 * width) {
        refuse("layers have " + std::to_string(weights.shape(1)) + " rows of " + std::to_string(weights.shape(2)) +
               "; they need " + std::to_string(width) + " of " + std::to_string(3 * width));
    }
    check_shape(unit, weights.shape(0), 3 * width, "layer_scales");
    check_shape(bias, weights.shape(0), 3 * width, "layer_bias");
    const Copy<std::int8_t> whole(weights);
    const std::vector<float> units = finite(unit, "layer_scales");
    const std::vector<float> added = finite(bias, "layer_bias");
    std::vector<NormedProduct> found;
    for (std::size_t layer = 0; layer < weights.shape(0); ++layer) {
        const std::size_t size = width * 3 * width;
        found.push_back(normed_product({whole.data() + layer * size, size}, width,
                                       {units.data() + layer * 3 * width, 3 * width},
                                       {added.data() + layer * 3 * width, 3 * width}, "layers"));
    }
    return found;
}

NormedProduct heads_of(const Matrix<std::int8_t>& weights, const Singles& unit, const Singles& bias, std::size_t width,
                       std::size_t least) {
    const std::size_t outputs = weights.shape(1);
    if (weights.shape(0) != width || outputs <= least || outputs > least + kWidest) {
        refuse("heads have " + std::to_string(weights.shape(0)) + " rows of " + std::to_string(outputs) +
               "; they need " + std::to_string(width) + " of more than " + std::to_string(least) + ", at most " +
               std::to_string(least + kWidest));
    }
    check_size(unit.size(), outputs, "head_scales");
    check_size(bias.size(), outputs, "head_bias");
    const Copy<std::int8_t> whole(weights);
    return normed_product({whole.data(), whole.size()}, width, finite(unit, "head_scales"), finite(bias, "head_bias"),
                          "heads");
}

ParserNetwork network_of(const SingleRows& words, const SingleRows& pieces, const SingleRows& input,
                         const Singles& input_bias, const Cube<std::int8_t>& layers, const SingleRows& layer_scales,
                         const SingleRows& layer_bias, const Matrix<std::int8_t>& heads, const Singles& head_scales,
                         const Singles& head_bias, const SingleRows& arcs, const Singles& arc_bias,
                         const Singles& root_arc, const Singles& root_label, const Singles& distance,
                         const SingleRows& labels, const Singles& label_bias, Int root) {
    const std::size_t width = input.shape(1);
    const std::size_t arc_width = arcs.shape(0);
    const std::size_t label_width = labels.shape(0);
    check_width(width, IntegerWeights::kInputs, "input");
    check_width(arc_width, kLanes, "arcs");
    check_width(label_width, 1, "labels");
    check_width(labels.shape(1), 1, "a row of labels");
    check_width(input.shape(0), 1, "what input takes");
    check_shape(arcs, arc_width, arc_width, "arcs");
    check_size(root_arc.size(), arc_width, "root_arc");
    check_size(root_label.size(), label_width, "root_label");
    if (words.shape(0) == 0 || pieces.shape(0) == 0 || words.shape(1) == 0 || pieces.shape(1) == 0 ||
        input.shape(0) < words.shape(1) || (input.shape(0) - words.shape(1)) % pieces.shape(1) != 0) {
        refuse("words and pieces are " + std::to_string(words.shape(1)) + " and " + std::to_string(pieces.shape(1)) +
               " wide; one word and some pieces must be " + std::to_string(input.shape(0)) + ", which input takes");
    }
    if (distance.size() % 2 == 0) {
        refuse("distance has " + std::to_string(distance.size()) + " entries; it needs an odd number");
    }
    if (root < -1 || root >= static_cast<int>(labels.shape(1))) {
        refuse("root is " + std::to_string(root) + "; it is one of " + std::to_string(labels.shape(1)) +
               " labels, or -1");
    }
    return ParserNetwork(NetworkParts{
        finite(words, "words"), finite(pieces, "pieces"), words.shape(1), pieces.shape(1),
        plain_product(input, input_bias, "input"), layers_of(layers, layer_scales, layer_bias, width),
        heads_of(heads, head_scales, head_bias, width, 2 * arc_width + 2 * label_width),
        plain_product(arcs, arc_bias, "arcs"), finite(root_arc, "root_arc"), finite(root_label, "root_label"),
        finite(distance, "distance"), plain_product(labels, label_bias, "labels"), root});
}

// The words of a text, and its sentences, as copies that fit the network.
class NetworkText {
public:
    NetworkText(const NetworkParts& parts, const Ints& words, const IntRows& pieces, const Ints& ids,
                const Longs& offsets)
        : words_(words),
          pieces_(pieces),
          sentences_(ids, offsets, 0, static_cast<std::int64_t>(words.size()) - 1, "ids") {
        if (pieces.shape(0) != words.size() || pieces.shape(1) != parts.piece_columns()) {
            refuse("pieces have " + std::to_string(pieces.shape(0)) + " rows of " + std::to_string(pieces.shape(1)) +
                   "; they need " + std::to_string(words.size()) + " of " + std::to_string(parts.piece_columns()));
        }
        words_.check_within(0, static_cast<std::int32_t>(parts.word_count()) - 1, "words");
        pieces_.check_within(0, static_cast<std::int32_t>(parts.piece_count()) - 1, "pieces");
    }

    NetworkWords words() const { return {words_.data(), pieces_.data(), words_.size()}; }
    Batch sentences() const { return sentences_.batch(); }

private:
    Copy<std::int32_t> words_;
    Copy<std::int32_t> pieces_;
    Texts sentences_;
};

auto encoded(const ParserNetwork& network, const Ints& words, const IntRows& pieces, const Ints& ids,
             const Longs& offsets, Int depth) {
    const auto most = static_cast<int>(network.parts().layers.size());
    if (depth < 0 || depth > most) {
        refuse("depth is " + std::to_string(depth) + "; it lies between 0 and " + std::to_string(most));
    }
    const std::size_t width = network.parts().width();
    auto found = unlocked([&] {
        const NetworkText text(network.parts(), words, pieces, ids, offsets);
        Output<float> out(result_size(ids.size(), width));
        network.encode(text.words(), text.sentences(), static_cast<std::size_t>(depth), out.data());
        return out;
    });
    return std::move(found).to_array({ids.size(), width});
}

auto parsed(const ParserNetwork& network, const Ints& words, const IntRows& pieces, const Ints& ids,
            const Longs& offsets) {
    auto [tags, heads, labels] = unlocked([&] {
        const NetworkText text(network.parts(), words, pieces, ids, offsets);
        Output<std::int32_t> classes(ids.size()), above(ids.size()), names(ids.size());
        network.parse(text.words(), text.sentences(), classes.data(), above.data(), names.data());
        return std::make_tuple(std::move(classes), std::move(above), std::move(names));
    });
    return std::make_tuple(std::move(tags).to_array({ids.size()}), std::move(heads).to_array({ids.size()}),
                           std::move(labels).to_array({ids.size()}));
}

}  // namespace

void add_network(nb::module_& module) {
    nb::class_<ParserNetwork>(module, "ParserNetwork", "Recurrent layers that say arcs, labels and tags of words.")
        .def(
            "__init__",
            [](ParserNetwork* place, const SingleRows& words, const SingleRows& pieces, const SingleRows& input,
               const Singles& input_bias, const Cube<std::int8_t>& layers, const SingleRows& layer_scales,
               const SingleRows& layer_bias, const Matrix<std::int8_t>& heads, const Singles& head_scales,
               const Singles& head_bias, const SingleRows& arcs, const Singles& arc_bias, const Singles& root_arc,
               const Singles& root_label, const Singles& distance, const SingleRows& labels, const Singles& label_bias,
               Int root) {
                new (place) ParserNetwork(network_of(words, pieces, input, input_bias, layers, layer_scales, layer_bias,
                                                     heads, head_scales, head_bias, arcs, arc_bias, root_arc,
                                                     root_label, distance, labels, label_bias, root));
            },
            "words"_a, "pieces"_a, "input"_a, "input_bias"_a, "layers"_a, "layer_scales"_a, "layer_bias"_a, "heads"_a,
            "head_scales"_a, "head_bias"_a, "arcs"_a, "arc_bias"_a, "root_arc"_a, "root_label"_a, "distance"_a,
            "labels"_a, "label_bias"_a, "root"_a)
        .def("encode", &encoded, "words"_a, "pieces"_a, "ids"_a, "offsets"_a, "depth"_a,
             "Return the rows of all words after so many layers.")
        .def("parse", &parsed, "words"_a, "pieces"_a, "ids"_a, "offsets"_a,
             "Return tag, head and label of each word; one root a sentence, -1.");
}

}  // namespace kilter
