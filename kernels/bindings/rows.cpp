// Rows of tables as text.
#include "bindings/checked.hpp"

#include <deque>
#include <variant>

#include "row_format.hpp"

namespace kilter {
namespace {

// A column is an array of numbers or flags, a pair (values, offsets) of lists, or a list of texts. What it
// refers to lives as long as the column.
class OwnedColumn {
public:
    OwnedColumn(nb::handle object, std::int64_t rows) : rows_(rows) {
        if (nb::isinstance<nb::tuple>(object)) {
            take_lists(nb::borrow<nb::tuple>(object));
        } else if (nb::isinstance<nb::list>(object)) {
            take_texts(nb::borrow<nb::list>(object));
        } else {
            take_numbers(object);
        }
    }
    FormatColumn column;

private:
    using Kind = FormatColumn::Kind;
    using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;

    void check_size(std::size_t size) const {
        if (static_cast<std::int64_t>(size) != rows_) {
            refuse("a column has " + std::to_string(size) + " entries for " + std::to_string(rows_) + " rows");
        }
    }
    void take_lists(const nb::tuple& pair) {
        Ints values;
        Longs offsets;
        if (pair.size() != 2 || !nb::try_cast(pair[0], values, false) || !nb::try_cast(pair[1], offsets, false)) {
            throw nb::type_error("a column of lists is a pair of int32 values and int64 offsets");
        }
        auto& borders = kept_.emplace_back(Offsets(offsets, values.size(), "offsets"));
        check_size(static_cast<std::size_t>(std::get<Offsets>(borders).segments()));
        column.kind = Kind::kList;
        column.integers64 = std::get<Offsets>(borders).data();
        column.integers32 = std::get<Copy<std::int32_t>>(kept_.emplace_back(Copy<std::int32_t>(values))).data();
    }
    void take_texts(const nb::list& texts) {
        check_size(texts.size());
        column.kind = Kind::kText;
        for (nb::handle text : texts) {
            texts_.push_back(nb::borrow(text));
            Py_ssize_t size = 0;
            const char* data = PyUnicode_Check(texts_.back().ptr())
                                   ? PyUnicode_AsUTF8AndSize(texts_.back().ptr(), &size)
                                   : throw nb::type_error("a column of texts holds str alone");
            if (data == nullptr) {
                throw nb::python_error();
            }
            column.texts.emplace_back(data, static_cast<std::size_t>(size));
        }
    }
    void take_numbers(nb::handle object) {
        Numbers array;
        if (object.is_none() || !nb::try_cast(object, array, false)) {
            throw nb::type_error("a column is an array of numbers, a pair of arrays or a list of texts");
        }
        check_size(array.shape(0));
        if (array.dtype() == nb::dtype<double>()) {
            column.kind = Kind::kFloat;
            column.floats = gathered<double>(array);
        } else if (array.dtype() == nb::dtype<std::int32_t>()) {
            column.kind = Kind::kInteger32;
            column.integers32 = gathered<std::int32_t>(array);
        } else if (array.dtype() == nb::dtype<std::int64_t>()) {
            column.kind = Kind::kInteger64;
            column.integers64 = gathered<std::int64_t>(array);
        } else if (array.dtype() == nb::dtype<std::uint64_t>()) {
            column.kind = Kind::kUnsigned64;
            column.unsigneds = gathered<std::uint64_t>(array);
        } else if (array.dtype() == nb::dtype<bool>()) {
            column.kind = Kind::kFlag;
            column.flags = gathered<std::uint8_t>(array);
        } else {
            throw nb::type_error("a column of numbers holds float64, int32, int64, uint64 or bool");
        }
    }
    // A column of a table has gaps between its entries.
    template <class T>
    const T* gathered(const Numbers& array) {
        std::vector<T> values(array.shape(0));
        const auto* from = static_cast<const char*>(array.data());
        const auto step = array.stride(0) * static_cast<std::int64_t>(sizeof(T));
        for (std::size_t k = 0; k < values.size(); ++k) {
            std::memcpy(&values[k], from + static_cast<std::int64_t>(k) * step, sizeof(T));
        }
        return std::get<Copy<T>>(kept_.emplace_back(Copy<T>(values))).data();
    }

    std::int64_t rows_;
    std::deque<std::variant<Offsets, Copy<double>, Copy<std::int32_t>, Copy<std::int64_t>, Copy<std::uint64_t>,
                            Copy<std::uint8_t>>>
        kept_;
    std::vector<nb::object> texts_;  // a str keeps its UTF-8 as long as it lives
};

nb::bytes rows_as_text(Long rows, const nb::list& columns, const std::vector<std::string>& literals,
                       const std::vector<Long>& widths, bool people, const std::string& list_separator,
                       Whole<std::int32_t> list_base) {
    if (columns.size() == 0 || literals.size() != columns.size() + 1 || widths.size() != columns.size()) {
        refuse("there are columns, one width for each, and one literal more than columns");
    }
    std::vector<std::int64_t> places;
    for (const Long width : widths) {
        if (width < 0 || width > 1 << 16) {
            refuse("a width is " + std::to_string(width) + "; it lies between 0 and 65536");
        }
        places.push_back(width);
    }
    // An object may run Python code while it is taken for an array, and change the list.
    std::vector<nb::object> objects;
    for (nb::handle object : columns) {
        objects.push_back(nb::borrow(object));
    }
    std::deque<OwnedColumn> owned;
    std::vector<FormatColumn> formats;
    for (const nb::object& object : objects) {
        formats.push_back(owned.emplace_back(object, rows).column);
    }
    const std::string out = unlocked([&] {
        std::string text;
        format_rows(rows, formats, literals, places, {people, list_separator, list_base}, text);
        return text;
    });
    return nb::bytes(out.data(), out.size());
}

}  // namespace

void add_rows(nb::module_& module) {
    module.def("format_rows", &rows_as_text, "rows"_a, "columns"_a, "literals"_a, "widths"_a, "people"_a,
               "list_separator"_a, "list_base"_a,
               nb::sig("def format_rows(rows: int, columns: list[numpy.typing.NDArray[typing.Any] | "
                       "tuple[numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.int64]] | list[str]], "
                       "literals: list[str], widths: list[int], people: bool, list_separator: str, list_base: int) "
                       "-> bytes"),
               "Return rows of columns as UTF-8: literals before, between and after the cells.");
}

}  // namespace kilter
