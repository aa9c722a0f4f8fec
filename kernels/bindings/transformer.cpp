// The encoder: products in integers, layers, and the rows that they make of pieces.
#include "bindings/checked.hpp"

#include "transformer.hpp"

namespace kilter {
namespace {

using ByteRows = Matrix<std::uint8_t>;
using SingleRows = Matrix<float>;
using Singles = Vector<float>;

// So large that no step between two norms becomes infinite.
constexpr double kLargest = 1e9;

void check_size(std::size_t size, std::size_t wanted, const char* name) {
    if (size != wanted) {
        refuse(std::string(name) + " has " + std::to_string(size) + " entries; it needs " + std::to_string(wanted));
    }
}

template <class T, class Given>
std::vector<T> finite(const Given& given, const char* name) {
    const Copy<T> copy(given);
    copy.check_finite(name, -kLargest, kLargest);
    return {copy.begin(), copy.end()};
}

Rounding rounding_of(double inverse, double zero) {
    return {static_cast<float>(in_range(inverse, 0.0, kLargest, "inverse")),
            static_cast<float>(in_range(zero, 0.0, 255.0, "zero"))};
}

IntegerWeights whole_weights(const Matrix<std::int8_t>& weights) {
    const std::size_t inputs = weights.shape(0);
    const std::size_t outputs = weights.shape(1);
    if (inputs == 0 || inputs % IntegerWeights::kInputs != 0 || inputs > IntegerWeights::kMostInputs || outputs == 0) {
        refuse("weights have " + std::to_string(inputs) + " rows of " + std::to_string(outputs) +
               "; there must be a multiple of " + std::to_string(IntegerWeights::kInputs) + ", at most " +
               std::to_string(IntegerWeights::kMostInputs) + ", of at least one weight");
    }
    const Copy<std::int8_t> small(weights);
    small.check_within(-IntegerWeights::kLargest, IntegerWeights::kLargest, "weights");
    return {small.data(), inputs, outputs};
}

Linear linear_of(const Matrix<std::int8_t>& weights, const Ints& shift, const Singles& unit, const Singles& bias,
                 double inverse, double zero) {
    const std::size_t outputs = weights.shape(1);
    IntegerWeights whole = whole_weights(weights);
    check_size(shift.size(), outputs, "shift");
    check_size(unit.size(), outputs, "unit");
    check_size(bias.size(), outputs, "bias");
    const Copy<std::int32_t> shifts(shift);
    return {std::move(whole),
            {shifts.begin(), shifts.end()},
            finite<float>(unit, "unit"),
            finite<float>(bias, "bias"),
            rounding_of(inverse, zero)};
}

void check_inputs(const IntegerWeights& weights, const ByteRows& rows) {
    if (rows.shape(1) != weights.inputs()) {
        refuse("rows have " + std::to_string(rows.shape(1)) + " columns; the weights take " +
               std::to_string(weights.inputs()));
    }
}

auto numbers_of(const Linear& linear, const ByteRows& rows, bool gelu) {
    check_inputs(linear.weights(), rows);
    const std::size_t count = rows.shape(0);
    const std::size_t outputs = linear.weights().outputs();
    auto found = unlocked([&] {
        const Copy<std::uint8_t> bytes(rows);
        Output<float> out(result_size(count, outputs));
        linear_numbers(linear, bytes.data(), count, gelu, out.data());
        return out;
    });
    return std::move(found).to_array({count, outputs});
}

auto gelu_bytes_of(const Linear& linear, const ByteRows& rows, double inverse, double zero) {
    check_inputs(linear.weights(), rows);
    const Rounding rounding = rounding_of(inverse, zero);
    const std::size_t count = rows.shape(0);
    const std::size_t outputs = linear.weights().outputs();
    auto found = unlocked([&] {
        const Copy<std::uint8_t> bytes(rows);
        Output<std::uint8_t> out(result_size(count, outputs));
        linear_gelu_bytes(linear, bytes.data(), count, rounding, out.data());
        return out;
    });
    return std::move(found).to_array({count, outputs});
}

auto rounded_for(const Linear& linear, const SingleRows& numbers) {
    auto found = unlocked([&] {
        const Copy<float> copy(numbers);
        copy.check_finite("numbers", -kLargest, kLargest);
        Output<std::uint8_t> out(copy.size());
        round_numbers(copy.data(), copy.size(), linear.taken(), out.data());
        return out;
    });
    return std::move(found).to_array({numbers.shape(0), numbers.shape(1)});
}

auto integer_products(const ByteRows& rows, const Matrix<std::int8_t>& weights, Int way) {
    const auto& ways = product_ways();
    if (way < 0 || static_cast<std::size_t>(way) >= ways.size()) {
        refuse("way is " + std::to_string(way) + "; this machine has ways 0 to " + std::to_string(ways.size() - 1));
    }
    const IntegerWeights whole = whole_weights(weights);
    check_inputs(whole, rows);
    const std::size_t count = rows.shape(0);
    const std::size_t outputs = weights.shape(1);
    auto found = unlocked([&] {
        const Copy<std::uint8_t> bytes(rows);
        LineVector<std::int32_t> sums(result_size(count, whole.stride()));
        whole.multiply(bytes.data(), count, 0, whole.stride(), sums.data(), ways[static_cast<std::size_t>(way)]);
        Output<std::int32_t> out(count * outputs);
        for (std::size_t row = 0; row < count; ++row) {
            std::copy_n(sums.data() + row * whole.stride(), outputs, out.data() + row * outputs);
        }
        return out;
    });
    return std::move(found).to_array({count, outputs});
}

void check_shape(const Linear& linear, std::size_t inputs, std::size_t outputs, const char* name) {
    if (linear.weights().inputs() != inputs || linear.weights().outputs() != outputs) {
        refuse(std::string(name) + " takes " + std::to_string(linear.weights().inputs()) + " columns and makes " +
               std::to_string(linear.weights().outputs()) + "; it must take " + std::to_string(inputs) + " and make " +
               std::to_string(outputs));
    }
}

Norm norm_of(const Singles& weight, const Singles& bias, std::size_t width) {
    check_size(weight.size(), width, "the weight of a norm");
    check_size(bias.size(), width, "the bias of a norm");
    return {finite<float>(weight, "weight"), finite<float>(bias, "bias")};
}

TransformerLayer layer_of(const Linear& attention, const Linear& output, const Singles& weight1, const Singles& bias1,
                          const Linear& inner, const Linear& outer, const Singles& weight2, const Singles& bias2) {
    const std::size_t width = attention.weights().inputs();
    const std::size_t inside = inner.weights().outputs();
    check_shape(attention, width, 3 * width, "attention");
    check_shape(output, width, width, "output");
    check_shape(inner, width, inside, "inner");
    check_shape(outer, inside, width, "outer");
    return {attention, output, norm_of(weight1, bias1, width), inner, outer, norm_of(weight2, bias2, width)};
}

Embedding embedding_of(const Matrix<std::int8_t>& pieces, const Singles& units, const SingleRows& places,
                       const SingleRows& shapes, const Singles& weight, const Singles& bias) {
    const std::size_t width = pieces.shape(1);
    check_size(units.size(), pieces.shape(0), "piece_units");
    if (width == 0 || width % kHeadWidth != 0 || places.shape(1) != width || shapes.shape(1) != width) {
        refuse("pieces, places and shapes have " + std::to_string(width) + ", " + std::to_string(places.shape(1)) +
               " and " + std::to_string(shapes.shape(1)) + " columns; they need equally many, a multiple of " +
               std::to_string(kHeadWidth));
    }
    const Copy<std::int8_t> whole(pieces);
    return {{whole.begin(), whole.end()},
            finite<float>(units, "piece_units"),
            finite<float>(places, "places"),
            finite<float>(shapes, "shapes"),
            norm_of(weight, bias, width)};
}

Transformer transformer_of(const Matrix<std::int8_t>& pieces, const Singles& units, const SingleRows& places,
                           const SingleRows& shapes, const Singles& weight, const Singles& bias,
                           const std::vector<TransformerLayer>& layers) {
    Embedding embedding = embedding_of(pieces, units, places, shapes, weight, bias);
    for (const TransformerLayer& layer : layers) {
        check_shape(layer.output, embedding.width(), embedding.width(), "a layer");
    }
    return {std::move(embedding), layers};
}

auto encoded(const Transformer& transformer, const Matrix<std::int64_t>& pieces, const Matrix<std::int64_t>& shapes,
             const Singles& shares, Int level) {
    const Embedding& embedding = transformer.embedding();
    const std::size_t length = pieces.shape(1);
    const std::size_t width = embedding.width();
    if (shapes.shape(0) != pieces.shape(0) || shapes.shape(1) != length) {
        refuse("pieces and shapes need equally many rows and columns");
    }
    if (length < 1 || length > embedding.place_count()) {
        refuse("sentences have " + std::to_string(length) + " pieces; it must lie between 1 and " +
               std::to_string(embedding.place_count()));
    }
    const auto deepest = static_cast<int>(transformer.depth());
    if (shares.size() > transformer.depth() + 1 || level < -1 || level > deepest) {
        refuse("there are " + std::to_string(shares.size()) + " shares, and level " + std::to_string(level) +
               "; at most " + std::to_string(deepest + 1) + ", and -1 to " + std::to_string(deepest));
    }
    const std::vector<float> parts = finite<float>(shares, "shares");
    const std::size_t rows = result_size(pieces.shape(0), length);
    const std::size_t size = result_size(rows, width);
    auto found = unlocked([&] {
        const Copy<std::int64_t> ids(pieces);
        ids.check_within(0, static_cast<std::int64_t>(embedding.piece_count()) - 1, "pieces");
        const Copy<std::int64_t> kinds(shapes);
        kinds.check_within(0, static_cast<std::int64_t>(embedding.shape_count()) - 1, "shapes");
        std::pair<Output<float>, Output<float>> out(parts.empty() ? 0 : size, level < 0 ? 0 : size);
        std::fill_n(out.first.data(), parts.empty() ? 0 : size, 0.0F);
        transformer.encode({ids.data(), kinds.data(), pieces.shape(0), length}, parts,
                           level < 0 ? 0 : static_cast<std::size_t>(level), out.first.data(),
                           level < 0 ? nullptr : out.second.data());
        return out;
    });
    return std::make_tuple(std::move(found.first).to_array({parts.empty() ? 0 : rows, width}),
                           std::move(found.second).to_array({level < 0 ? 0 : rows, width}));
}

}  // namespace

void add_transformer(nb::module_& module) {
    testing(module).def("integer_products", &integer_products, "rows"_a, "weights"_a, "way"_a,
                        "Return rows of bytes times weights, computed in one of the ways of this machine.");
    testing(module).def(
        "product_ways", [] { return product_ways().size(); },
        "Return in how many ways this machine multiplies bytes; the last is the fastest.");
    nb::class_<Linear>(module, "Linear", "A product of bytes with small integers, and what makes numbers of it.")
        .def(
            "__init__",
            [](Linear* place, const Matrix<std::int8_t>& weights, const Ints& shift, const Singles& unit,
               const Singles& bias, double inverse,
               double zero) { new (place) Linear(linear_of(weights, shift, unit, bias, inverse, zero)); },
            "weights"_a, "shift"_a, "unit"_a, "bias"_a, "inverse"_a, "zero"_a)
        .def("rounded", &rounded_for, "numbers"_a, "Return numbers as the bytes that are multiplied.")
        .def("numbers", &numbers_of, "rows"_a, "gelu"_a, "Return what rows of bytes become, or its GELU.")
        .def("gelu_bytes", &gelu_bytes_of, "rows"_a, "inverse"_a, "zero"_a,
             "Return the GELU of what rows of bytes become, rounded to bytes.");
    nb::class_<TransformerLayer>(module, "TransformerLayer", "Attention, then two products with a GELU between.")
        .def(
            "__init__",
            [](TransformerLayer* place, const Linear& attention, const Linear& output, const Singles& weight1,
               const Singles& bias1, const Linear& inner, const Linear& outer, const Singles& weight2,
               const Singles& bias2) {
                new (place) TransformerLayer(layer_of(attention, output, weight1, bias1, inner, outer, weight2, bias2));
            },
            "attention"_a, "output"_a, "weight1"_a, "bias1"_a, "inner"_a, "outer"_a, "weight2"_a, "bias2"_a);
    nb::class_<Transformer>(module, "Transformer", "What makes rows of the pieces of sentences.")
        .def(
            "__init__",
            [](Transformer* place, const Matrix<std::int8_t>& pieces, const Singles& piece_units,
               const SingleRows& places, const SingleRows& shapes, const Singles& weight, const Singles& bias,
               const std::vector<TransformerLayer>& layers) {
                new (place) Transformer(transformer_of(pieces, piece_units, places, shapes, weight, bias, layers));
            },
            "pieces"_a, "piece_units"_a, "places"_a, "shapes"_a, "weight"_a, "bias"_a, "layers"_a)
        .def("encode", &encoded, "pieces"_a, "shapes"_a, "shares"_a, "level"_a,
             "Return the sum of shares of the rows after 0, 1, ... layers, and the rows after `level` layers; none\n"
             "for no shares, none for level -1.");
}

}  // namespace kilter
