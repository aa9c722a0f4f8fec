#include "link_reader.hpp"

#include <limits>

#include "watch.hpp"

namespace kilter {
namespace {

bool is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Reads digits; -1 if there is none or the number is too large for a position.
std::int64_t read_number(const unsigned char*& at, const unsigned char* end) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    const unsigned char* begin = at;
    std::int64_t number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; ++at) {
        number = number > kMost ? number : 10 * number + (*at - '0');
    }
    return at == begin || number > kMost ? -1 : number;
}

}  // namespace

LinkLines read_link_lines(const unsigned char* data, std::size_t size) {
    LinkLines result;
    const unsigned char* const end = data + size;
    std::int64_t line = 0;
    const unsigned char* begin_of_line = data;
    Pace pace;
    for (const unsigned char* at = data; at < end;) {
        if (*at == '\n') {
            result.offsets.push_back(static_cast<std::int64_t>(result.signs.size()));
            ++line;
            ++at;
            pace.work(at - begin_of_line + 16);
            begin_of_line = at;
            continue;
        }
        if (is_blank(*at)) {
            ++at;
            continue;
        }
        const unsigned char* const begin = at;
        const std::int64_t first = read_number(at, end);
        const unsigned char sign = at < end ? *at : 0;
        std::int64_t second = -1;
        if (first >= 0 && (sign == '-' || sign == 's' || sign == 'p' || sign == '?')) {
            second = read_number(++at, end);
        }
        if (second >= 0 && (at == end || *at == '\n' || is_blank(*at))) {
            result.pairs.push_back(static_cast<std::int32_t>(first));
            result.pairs.push_back(static_cast<std::int32_t>(second));
            result.signs.push_back(sign);
            continue;
        }
        while (at < end && *at != '\n' && !is_blank(*at)) {
            ++at;
        }
        result.bad.push_back({line, begin - data, at - data});
    }
    if (size > 0 && end[-1] != '\n') {
        result.offsets.push_back(static_cast<std::int64_t>(result.signs.size()));
    }
    return result;
}

}  // namespace kilter
