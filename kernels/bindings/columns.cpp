// Columns of tables as Parquet stores them.
#include "bindings/arrays.hpp"

#include "column_page.hpp"

namespace kilter {
namespace {

// Any number is a value: there is nothing to check, and nothing is read twice.
std::optional<std::tuple<Array<std::uint64_t>, Array<std::int32_t>>> values_once(
    Vector<std::uint64_t> values, Long most) {
    auto found = unlocked([&] {
        return distinct_values(values.data(), static_cast<std::int64_t>(values.size()), most);
    });
    if (!found) {
        return std::nullopt;
    }
    return std::tuple(to_array(std::move(found->values)), to_array(std::move(found->places)));
}

Array<std::uint8_t> bits_packed(Ints numbers, Int width) {
    if (width < 1 || width > 32) {
        refuse("a number has " + std::to_string(width) + " bits; it has 1 to 32");
    }
    return to_array(unlocked([&] {
        return pack_bits(numbers.data(), static_cast<std::int64_t>(numbers.size()), width);
    }));
}

}  // namespace

void add_columns(nb::module_& module) {
    module.def("distinct_values", &values_once, "values"_a, "most"_a,
               "Return different values in the order of their first, and which of them each is; None if too many.");
    module.def("pack_bits", &bits_packed, "numbers"_a, "width"_a,
               "Return the lowest bits of numbers one after another, as Parquet packs them.");
}

}  // namespace kilter
