// Products of rows of vectors.
#include "bindings/checked.hpp"

#include "row_product.hpp"

namespace kilter {
namespace {

auto row_products_of(const Matrix<float>& left, const Matrix<float>& right) {
    const std::size_t rows = left.shape(0);
    const std::size_t others = right.shape(0);
    const std::size_t columns = left.shape(1);
    if (right.shape(1) != columns) {
        refuse("rows have " + std::to_string(columns) + " and " + std::to_string(right.shape(1)) +
               " columns; both sides need equally many");
    }
    auto found = unlocked([&] {
        Output<float> products(result_size(rows, others));
        const Copy<float> first(left);
        const Copy<float> second(right);
        row_products(first.data(), rows, second.data(), others, columns, products.data());
        return products;
    });
    return std::move(found).to_array({rows, others});
}

}  // namespace

void add_row_products(nb::module_& module) {
    module.def("row_products", &row_products_of, "left"_a, "right"_a,
               "Return the product of every row of one matrix with every row of another.");
}

}  // namespace kilter
