#include "row_format.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "watch.hpp"

namespace kilter {
namespace {

template <class Integer>
void append_integer(Integer value, std::string& out) {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

// The shortest digits that read back as the same number, laid out as Python's repr does: positional for
// exponents from -4 to 15, with ".0" where no fraction is left.
void append_exact(double value, std::string& out) {
    char buffer[40];
    const auto result =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string_view text(buffer, static_cast<std::size_t>(result.ptr - buffer));
    if (!std::isfinite(value)) {
        out.append(text);
        return;
    }
    if (text.front() == '-') {
        out.push_back('-');
        text.remove_prefix(1);
    }
    const std::size_t mark = text.find('e');
    int exponent = 0;
    std::from_chars(text.data() + mark + 2, text.data() + text.size(), exponent);
    if (text[mark + 1] == '-') {
        exponent = -exponent;
    }
    std::string digits(1, text[0]);
    if (mark > 2) {
        digits.append(text.substr(2, mark - 2));
    }
    if (exponent < -4 || exponent >= 16) {
        out.append(text.substr(0, mark + 2));
        const int magnitude = std::abs(exponent);
        if (magnitude < 10) {
            out.push_back('0');
        }
        append_integer(magnitude, out);
        return;
    }
    if (exponent < 0) {
        out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
        return;
    }
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() <= whole) {
        out.append(digits).append(whole - digits.size(), '0').append(".0");
    } else {
        out.append(digits, 0, whole).append(1, '.').append(digits, whole);
    }
}

// Four decimals; what is smaller than that shows its size.
void append_readable(double value, std::string& out) {
    char buffer[400];
    const bool tiny = value != 0.0 && std::abs(value) < 5e-5;
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value,
                                      tiny ? std::chars_format::scientific : std::chars_format::fixed,
                                      tiny ? 1 : 4);
    out.append(buffer, result.ptr);
}

void append_cell(const FormatColumn& column, std::int64_t row, const RowStyle& style, std::string& out) {
    switch (column.kind) {
        case FormatColumn::Kind::kFloat:
            style.people ? append_readable(column.floats[row], out) : append_exact(column.floats[row], out);
            break;
        case FormatColumn::Kind::kInteger32:
            append_integer(column.integers32[row], out);
            break;
        case FormatColumn::Kind::kInteger64:
            append_integer(column.integers64[row], out);
            break;
        case FormatColumn::Kind::kUnsigned64:
            append_integer(column.unsigneds[row], out);
            break;
        case FormatColumn::Kind::kFlag:
            out.append(column.flags[row] != 0 ? (style.people ? "yes" : "true")
                                        : (style.people ? "no" : "false"));
            break;
        case FormatColumn::Kind::kList: {
            const std::int64_t end = column.integers64[row + 1];
            for (std::int64_t i = column.integers64[row]; i < end; ++i) {
                if (i > column.integers64[row]) {
                    out.append(style.list_separator);
                }
                append_integer(std::int64_t{column.integers32[i]} + style.list_base, out);
            }
            break;
        }
        case FormatColumn::Kind::kText:
            out.append(column.texts[static_cast<std::size_t>(row)]);
            break;
    }
}

}  // namespace

void format_rows(std::int64_t rows, const std::vector<FormatColumn>& columns,
                 const std::vector<std::string>& literals, const std::vector<std::int64_t>& widths,
                 const RowStyle& style, std::string& out) {
    Pace pace;
    for (std::int64_t row = 0; row < rows; ++row) {
        pace.work(64 * (1 + static_cast<std::int64_t>(columns.size())));
        out.append(literals[0]);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::size_t start = out.size();
            append_cell(columns[c], row, style, out);
            const auto width = static_cast<std::size_t>(widths[c]);
            if (out.size() - start < width) {
                out.insert(start, width - (out.size() - start), ' ');
            }
            out.append(literals[c + 1]);
        }
    }
}

}  // namespace kilter
