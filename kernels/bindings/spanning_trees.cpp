// Dependency trees from scores of arcs.
#include "bindings/checked.hpp"

#include <cmath>

#include "spanning_tree.hpp"

namespace kilter {
namespace {

auto spanning_trees(const Floats& scores, const Longs& lengths) {
    auto [words, heads] = unlocked([&] {
        const Copy<std::int64_t> sizes(lengths);
        // A table of more words would not fit into memory.
        sizes.check_within(0, 1 << 20, "lengths");
        std::size_t cells = 0;
        std::size_t total = 0;
        for (const std::int64_t length : sizes) {
            cells += static_cast<std::size_t>(length * (length + 1));
            total += static_cast<std::size_t>(length);
            if (cells > scores.size()) {
                break;
            }
        }
        if (cells != scores.size()) {
            refuse("there are " + std::to_string(scores.size()) + " scores; a sentence of n words has n (n + 1)");
        }
        const Copy<double> table(scores);
        for (std::size_t k = 0; k < cells; ++k) {
            if (std::isnan(table[k])) {
                refuse("score " + std::to_string(k) + " is not a number");
            }
        }
        Output<std::int32_t> found(total);
        const double* from = table.data();
        std::int32_t* out = found.data();
        for (const std::int64_t length : sizes) {
            spanning_tree(from, static_cast<std::int32_t>(length), out);
            from += length * (length + 1);
            out += length;
        }
        return std::make_pair(total, std::move(found));
    });
    return std::move(heads).to_array({words});
}

}  // namespace

void add_spanning_trees(nb::module_& module) {
    module.def("spanning_trees", &spanning_trees, "scores"_a, "lengths"_a,
               "Return the heads of the best dependency tree of each sentence, -1 for its one root.");
}

}  // namespace kilter
