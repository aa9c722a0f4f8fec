// Rows of a table as text: columns of numbers in, bytes out, the same bytes that Python would print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kilter {

// One column; exactly one of the pointers is set, by its kind.
struct FormatColumn {
    enum class Kind { kFloat, kInteger32, kInteger64, kUnsigned64, kFlag, kList, kText };
    Kind kind = Kind::kFloat;
    const double* floats = nullptr;
    const std::int32_t* integers32 = nullptr;  // also the values of lists
    const std::int64_t* integers64 = nullptr;  // also the offsets of lists
    const std::uint64_t* unsigneds = nullptr;
    const std::uint8_t* flags = nullptr;  // anything but 0 is true
    std::vector<std::string_view> texts;
};

struct RowStyle {
    bool people = false;              // four decimals and yes/no, not full precision and true/false
    std::string list_separator = " ";  // between the values of a list
    std::int32_t list_base = 1;        // added to the values of a list
};

// Appends `rows` rows: literals[0] column[0] literals[1] column[1] ... literals[k], each cell padded on
// the left to its width.
void format_rows(std::int64_t rows, const std::vector<FormatColumn>& columns,
                 const std::vector<std::string>& literals, const std::vector<std::int64_t>& widths,
                 const RowStyle& style, std::string& out);

}  // namespace kilter
