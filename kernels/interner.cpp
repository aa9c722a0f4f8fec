#include "interner.hpp"

namespace kilter {
namespace {

// The length in bytes of the white space character that starts here, 0 if none does: what
// str.split() of Python takes for white space.
std::size_t white_space(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t k) {
        return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
    };
    const unsigned first = byte(0);
    if (first == ' ' || (first >= 0x09 && first <= 0x0d) || (first >= 0x1c && first <= 0x1f)) {
        return 1;
    }
    if (first == 0xc2) {
        return byte(1) == 0x85 || byte(1) == 0xa0 ? 2 : 0;
    }
    if (first == 0xe1) {
        return byte(1) == 0x9a && byte(2) == 0x80 ? 3 : 0;
    }
    if (first == 0xe2) {
        const bool spaces = byte(1) == 0x80 && (byte(2) <= 0x8a || byte(2) == 0xa8 ||
                                                byte(2) == 0xa9 || byte(2) == 0xaf);
        return spaces || (byte(1) == 0x81 && byte(2) == 0x9f) ? 3 : 0;
    }
    if (first == 0xe3) {
        return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
    }
    return 0;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_point(char c) { return c == '.' || c == ','; }

// The ASCII punctuation that 13a always separates.
bool is_separated(char c) {
    return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
           (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

}  // namespace

std::int32_t Interner::number(std::string_view word) {
    const auto found = numbers_.find(word);
    if (found != numbers_.end()) {
        return found->second;
    }
    const auto number = static_cast<std::int32_t>(words_.size());
    words_.emplace_back(word);
    numbers_.emplace(words_.back(), number);
    return number;
}

void Interner::split(std::string_view line, std::vector<std::int32_t>& numbers) {
    std::size_t start = 0;
    std::size_t at = 0;
    while (at < line.size()) {
        const std::size_t blank = white_space(line, at);
        if (blank == 0) {
            ++at;
            continue;
        }
        if (at > start) {
            numbers.push_back(number(line.substr(start, at - start)));
        }
        at += blank;
        start = at;
    }
    if (at > start) {
        numbers.push_back(number(line.substr(start, at - start)));
    }
}

// Four substitutions one after the other, each from left to right without overlaps. They may work on
// bytes: what they look for is ASCII, and a byte of a longer character is as little a digit as the
// character.
void Interner::split_13a(std::string_view line, std::vector<std::int32_t>& numbers) {
    separated_.assign(1, ' ');
    for (const char c : line) {
        if (is_separated(c)) {
            separated_.append({' ', c, ' '});
        } else {
            separated_.push_back(c);
        }
    }
    separated_.push_back(' ');
    dotted_.clear();
    for (std::size_t i = 0; i < separated_.size(); ++i) {  // points not after a digit
        dotted_.push_back(separated_[i]);
        if (!is_digit(separated_[i]) && i + 1 < separated_.size() && is_point(separated_[i + 1])) {
            dotted_.append({' ', separated_[i + 1], ' '});
            ++i;
        }
    }
    dashed_.clear();
    for (std::size_t i = 0; i < dotted_.size(); ++i) {  // points not before a digit
        if (is_point(dotted_[i]) && i + 1 < dotted_.size() && !is_digit(dotted_[i + 1])) {
            dashed_.append({' ', dotted_[i], ' ', dotted_[i + 1]});
            ++i;
        } else {
            dashed_.push_back(dotted_[i]);
        }
    }
    separated_.clear();
    for (std::size_t i = 0; i < dashed_.size(); ++i) {  // dashes after a digit
        separated_.push_back(dashed_[i]);
        if (is_digit(dashed_[i]) && i + 1 < dashed_.size() && dashed_[i + 1] == '-') {
            separated_.append(" - ");
            ++i;
        }
    }
    split(separated_, numbers);
}

}  // namespace kilter
