// What learning a network needs beside products of matrices.
#include "bindings/checked.hpp"
#include "bindings/guarded.hpp"

#include "network_learning.hpp"

namespace kilter {
namespace {

using Singles = Matrix<float>;

void check_shape(const Singles& given, std::size_t rows, std::size_t columns, const char* name) {
    if (given.shape(0) != rows || given.shape(1) != columns) {
        refuse(std::string(name) + " has " + std::to_string(given.shape(0)) + " rows of " +
               std::to_string(given.shape(1)) + " numbers; it must have " + std::to_string(rows) + " of " +
               std::to_string(columns));
    }
}

auto recurrent_layer_of(const Singles& sums, const Longs& offsets) {
    const std::size_t rows = sums.shape(0);
    const std::size_t half = sums.shape(1) / 6;
    if (half == 0 || sums.shape(1) % 6 != 0) {
        refuse("a row of sums has six parts; " + std::to_string(sums.shape(1)) + " numbers do not");
    }
    auto [gates, states, outputs] = unlocked([&] {
        const Offsets sentences(offsets, rows, "offsets");
        const Copy<float> given(sums);
        Output<float> opened(rows * half * 6), kept(rows * half * 2), shown(rows * half * 2);
        for (std::int64_t s = 0; s < sentences.segments(); ++s) {
            const auto begin = static_cast<std::size_t>(sentences[s]) * half;
            recurrent_layer(given.data() + 6 * begin, static_cast<std::size_t>(sentences.length(s)), half,
                            opened.data() + 6 * begin, kept.data() + 2 * begin, shown.data() + 2 * begin);
        }
        return std::make_tuple(std::move(opened), std::move(kept), std::move(shown));
    });
    return std::make_tuple(std::move(gates).to_array({rows, 6 * half}), std::move(states).to_array({rows, 2 * half}),
                           std::move(outputs).to_array({rows, 2 * half}));
}

auto recurrent_gradient_of(const Singles& gates, const Singles& states, const Singles& slopes, const Longs& offsets) {
    const std::size_t rows = slopes.shape(0);
    const std::size_t half = slopes.shape(1) / 2;
    if (half == 0 || slopes.shape(1) % 2 != 0) {
        refuse("a row of slopes has two halves; " + std::to_string(slopes.shape(1)) + " numbers do not");
    }
    check_shape(gates, rows, 6 * half, "gates");
    check_shape(states, rows, 2 * half, "states");
    auto found = unlocked([&] {
        const Offsets sentences(offsets, rows, "offsets");
        const Copy<float> opened(gates), kept(states), given(slopes);
        Output<float> gradient(rows * half * 6);
        for (std::int64_t s = 0; s < sentences.segments(); ++s) {
            const auto begin = static_cast<std::size_t>(sentences[s]) * half;
            recurrent_gradient(opened.data() + 6 * begin, kept.data() + 2 * begin, given.data() + 2 * begin,
                               static_cast<std::size_t>(sentences.length(s)), half, gradient.data() + 6 * begin);
        }
        return gradient;
    });
    return std::move(found).to_array({rows, 6 * half});
}

auto row_sums_of(const Singles& rows, const Longs& places, Long count) {
    const std::size_t columns = rows.shape(1);
    if (places.size() != rows.shape(0)) {
        refuse("there are " + std::to_string(places.size()) + " places for " + std::to_string(rows.shape(0)) + " rows");
    }
    if (count < 0) {
        refuse("count is " + std::to_string(count) + "; it must be 0 or more");
    }
    const auto size = static_cast<std::size_t>(count.value);
    auto found = unlocked([&] {
        const Copy<std::int64_t> checked(places);
        checked.check_within(0, count - 1, "places");
        // Rows are not copied: any number is a number, and none of them is a place.
        Output<float> sums(result_size(size, columns));
        std::fill(sums.data(), sums.data() + size * columns, 0.0F);
        add_rows(rows.data(), checked.data(), checked.size(), columns, sums.data());
        return sums;
    });
    return std::move(found).to_array({size, columns});
}

class AdamLearner {
public:
    explicit AdamLearner(const Vector<float>& weights)
        : size_(weights.size()), adam_(std::vector<float>(weights.data(), weights.data() + weights.size())) {}

    auto step(const Vector<float>& gradient, double share, double rate, double decay) {
        if (gradient.size() != size_) {
            refuse("the gradient has " + std::to_string(gradient.size()) + " numbers for " + std::to_string(size_) +
                   " weights");
        }
        in_range(share, 0, 1, "share");
        in_range(rate, 0, 1, "rate");
        in_range(decay, 0, 1, "decay");
        auto found = adam_.use([&](Adam& adam) {
            adam.step(gradient.data(), static_cast<float>(share), rate, decay);
            Output<float> weights(size_);
            std::copy(adam.weights().begin(), adam.weights().end(), weights.data());
            return weights;
        });
        return std::move(found).to_array({size_});
    }

private:
    std::size_t size_;
    Guarded<Adam> adam_;
};

}  // namespace

void add_network_learning(nb::module_& module) {
    module.def("recurrent_layer", &recurrent_layer_of, "sums"_a, "offsets"_a,
               "Return gates, states and outputs of a layer of recurrent units that reads sentences both ways.");
    module.def("recurrent_gradient", &recurrent_gradient_of, "gates"_a, "states"_a, "slopes"_a, "offsets"_a,
               "Return the gradient by the sums of such a layer, from that by its outputs.");
    module.def("row_sums", &row_sums_of, "rows"_a, "places"_a, "count"_a,
               "Return a table of so many rows, each the sum of those that have its place.");
    nb::class_<AdamLearner>(module, "AdamLearner", "Weights that follow gradients by steps of Adam.")
        .def(nb::init<const Vector<float>&>(), "weights"_a)
        .def("step", &AdamLearner::step, "gradient"_a, "share"_a, "rate"_a, "decay"_a,
             "Take a step against a share of the gradient, and return the weights.");
}

}  // namespace kilter
