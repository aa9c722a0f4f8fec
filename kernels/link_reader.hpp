// Reads lines of links such as `0-0 1-2 3p4`: two numbers and a sign between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kilter {

// A word of a line that is no link: bytes begin..end of the data, in zero-based `line`.
struct BadLink {
    std::int64_t line, begin, end;
};

struct LinkLines {
    std::vector<std::int32_t> pairs;    // two numbers per link, as written
    std::vector<std::uint8_t> signs;    // the byte between them: one of `-sp?`
    std::vector<std::int64_t> offsets{0};  // links of line k: offsets[k] to offsets[k + 1]
    std::vector<BadLink> bad;
};

// Blanks, tabs and carriage returns separate links; every line feed ends a line, and so does the end
// of data that does not end with one.
LinkLines read_link_lines(const unsigned char* data, std::size_t size);

}  // namespace kilter
