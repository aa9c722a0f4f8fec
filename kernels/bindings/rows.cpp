// Rows of tables as text.
#include "bindings/arrays.hpp"

#include "row_format.hpp"

namespace kilter {
namespace {

// A column is an array of numbers or flags, a pair (values, offsets) of lists, or a list of texts.
FormatColumn as_column(nb::handle object, std::int64_t rows) {
    using Kind = FormatColumn::Kind;
    FormatColumn column;
    const auto check = [&](std::size_t size) {
        if (static_cast<std::int64_t>(size) != rows) {
            throw nb::value_error("every column has one entry per row");
        }
    };
    if (nb::isinstance<nb::tuple>(object)) {
        const auto pair = nb::cast<nb::tuple>(object);
        const auto values = nb::cast<Vector<std::int32_t>>(pair[0]);
        const auto offsets = nb::cast<Vector<std::int64_t>>(pair[1]);
        as_batch(values, offsets);
        check(offsets.size() - 1);
        column.kind = Kind::kList;
        column.integers32 = values.data();
        column.integers64 = offsets.data();
        return column;
    }
    if (nb::isinstance<nb::list>(object)) {
        const auto texts = nb::cast<nb::list>(object);
        check(texts.size());
        column.kind = Kind::kText;
        for (nb::handle text : texts) {
            Py_ssize_t size = 0;
            const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
            if (data == nullptr) {
                throw nb::python_error();
            }
            column.texts.emplace_back(data, static_cast<std::size_t>(size));
        }
        return column;
    }
    const auto array = nb::cast<nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>>(object);
    check(array.shape(0));
    column.stride = array.stride(0);
    if (array.dtype() == nb::dtype<double>()) {
        column.kind = Kind::kFloat;
        column.floats = static_cast<const double*>(array.data());
    } else if (array.dtype() == nb::dtype<std::int32_t>()) {
        column.kind = Kind::kInteger32;
        column.integers32 = static_cast<const std::int32_t*>(array.data());
    } else if (array.dtype() == nb::dtype<std::int64_t>()) {
        column.kind = Kind::kInteger64;
        column.integers64 = static_cast<const std::int64_t*>(array.data());
    } else if (array.dtype() == nb::dtype<std::uint64_t>()) {
        column.kind = Kind::kUnsigned64;
        column.unsigneds = static_cast<const std::uint64_t*>(array.data());
    } else if (array.dtype() == nb::dtype<bool>()) {
        column.kind = Kind::kFlag;
        column.flags = static_cast<const bool*>(array.data());
    } else {
        throw nb::value_error("a column holds float64, int32, int64, uint64 or bool");
    }
    return column;
}

// The objects behind the columns are kept alive by the caller's list.
nb::bytes rows_as_text(std::int64_t rows, nb::list objects, std::vector<std::string> literals,
                       std::vector<std::int64_t> widths, bool people, std::string list_separator,
                       std::int32_t list_base) {
    if (literals.size() != objects.size() + 1 || widths.size() != objects.size()) {
        throw nb::value_error("one width per column and one literal more than columns");
    }
    std::vector<FormatColumn> columns;
    for (nb::handle object : objects) {
        columns.push_back(as_column(object, rows));
    }
    std::string out;
    {
        nb::gil_scoped_release release;
        format_rows(rows, columns, literals, widths, {people, std::move(list_separator), list_base}, out);
    }
    return nb::bytes(out.data(), out.size());
}

}  // namespace

void add_rows(nb::module_& module) {
    module.def("format_rows", &rows_as_text, "rows"_a, "columns"_a, "literals"_a, "widths"_a,
               "people"_a, "list_separator"_a, "list_base"_a);
}

}  // namespace kilter
