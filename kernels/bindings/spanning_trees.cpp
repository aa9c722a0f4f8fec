// Dependency trees from scores of arcs.
#include "bindings/arrays.hpp"

#include <cmath>
#include <string>

#include "spanning_tree.hpp"

namespace kilter {
namespace {

auto spanning_trees(const Vector<double>& scores, const Vector<std::int64_t>& lengths) {
    // A table of more words would not fit into memory; the bound keeps the sums below from overflowing.
    constexpr std::int64_t most = 1 << 20;
    std::int64_t cells = 0;
    std::int64_t words = 0;
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        const std::int64_t length = lengths.data()[k];
        if (length < 0 || length > most) {
            throw nb::value_error("a sentence has from 0 to 1048576 words");
        }
        cells += length * (length + 1);
        words += length;
    }
    if (cells != static_cast<std::int64_t>(scores.size())) {
        throw nb::value_error("a sentence of n words has n (n + 1) scores");
    }
    for (std::int64_t k = 0; k < cells; ++k) {
        if (std::isnan(scores.data()[k])) {
            throw nb::value_error(("score " + std::to_string(k) + " is not a number").c_str());
        }
    }
    Output<std::int32_t> heads(static_cast<std::size_t>(words));
    {
        nb::gil_scoped_release release;
        const double* table = scores.data();
        std::int32_t* out = heads.data();
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            const std::int64_t length = lengths.data()[k];
            spanning_tree(table, static_cast<std::int32_t>(length), out);
            table += length * (length + 1);
            out += length;
        }
    }
    return std::move(heads).to_array({static_cast<std::size_t>(words)});
}

}  // namespace

void add_spanning_trees(nb::module_& module) {
    module.def("spanning_trees", &spanning_trees, "scores"_a, "lengths"_a);
}

}  // namespace kilter
