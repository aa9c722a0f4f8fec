#include "permutation_reader.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace kilter {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();

unsigned char closing_bracket(unsigned char c) {
    switch (c) {
        case '[': return ']';
        case '(': return ')';
        case '<': return '>';
        default: return 0;
    }
}

int continuation_bytes(unsigned char lead) {
    return lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
}

}  // namespace

void PermutationReader::clear() {
    values.clear();
    offsets.assign(1, 0);
    lines.clear();
    problems.erase(problems.begin(),
                   problems.begin() + static_cast<std::ptrdiff_t>(complete_problems()));
}

void PermutationReader::start_line() {
    column_ = 0;
    skipping_ = in_number_ = after_comma_ = need_comma_value_ = closed_ = was_bracketed_ = false;
    closing_ = 0;
    bars_ = collecting_ = 0;
    number_ = 0;
    current_.clear();
    part_ends_.clear();
}

void PermutationReader::fail(Problem problem, std::int64_t position, std::int64_t value,
                             std::int64_t other) {
    problems.push_back({line_, problem, position, value, other});
    skipping_ = true;
}

void PermutationReader::end_number() {
    if (in_number_) {
        current_.push_back(static_cast<std::int32_t>(number_));
        in_number_ = false;
        after_comma_ = false;
        need_comma_value_ = true;
        number_ = 0;
    }
}

// Closes one permutation of the line; what follows belongs to the next.
void PermutationReader::end_part() {
    end_number();
    if (after_comma_) {
        fail(Problem::kMissingNumber, column_, 0, 0);
    } else if (closing_ != 0 && !closed_) {
        fail(Problem::kOpenBracket, column_, 0, 0);
    } else {
        part_ends_.push_back(current_.size());
        closing_ = 0;
        closed_ = need_comma_value_ = was_bracketed_ = false;
    }
}

void PermutationReader::read_in_line(unsigned char c) {
    if (c != '|' && bars_ % 3 != 0) {
        fail(Problem::kUnexpectedCharacter, column_ - 1, '|', 0);
        return;
    }
    if (c >= '0' && c <= '9') {
        if (closed_) {
            if (!pairs_) {
                fail(Problem::kUnexpectedCharacter, column_, c, 0);
                return;
            }
            end_part();
        }
        in_number_ = true;
        number_ = number_ * 10 + (c - '0');
        if (number_ > kLargest) {
            fail(Problem::kNumberTooLarge, static_cast<std::int64_t>(current_.size()) + 1, 0, 0);
        }
    } else if (c == '\t' && pairs_) {
        const std::size_t begin = part_ends_.empty() ? 0 : part_ends_.back();
        end_number();
        if (current_.size() > begin || was_bracketed_) {
            end_part();
        }
    } else if (c == ' ' || c == '\t' || c == '\r') {
        end_number();
    } else if (c == ',') {
        end_number();
        if (!need_comma_value_ || closed_) {
            fail(Problem::kMissingNumber, column_, 0, 0);
            return;
        }
        after_comma_ = true;
        need_comma_value_ = false;
    } else if (closing_bracket(c) != 0) {
        end_number();
        if (closed_ && pairs_) {
            end_part();
        }
        const std::size_t begin = part_ends_.empty() ? 0 : part_ends_.back();
        if (closing_ != 0 || current_.size() > begin || after_comma_) {
            fail(Problem::kUnexpectedCharacter, column_, c, 0);
            return;
        }
        closing_ = closing_bracket(c);
        was_bracketed_ = true;
    } else if (closing_ != 0 && !closed_ && c == closing_) {
        end_number();
        if (after_comma_) {
            fail(Problem::kMissingNumber, column_, 0, 0);
            return;
        }
        closed_ = true;
    } else if (c == '|' && pairs_) {
        if (++bars_ % 3 == 0) {
            end_part();
        }
    } else {
        fail(Problem::kUnexpectedCharacter, column_, c, 0);
        collecting_ = continuation_bytes(c);
    }
}

void PermutationReader::feed(const unsigned char* data, std::size_t size) {
    std::size_t i = 0;
    while (i < size) {
        if (skipping_) {
            while (collecting_ > 0 && i < size && (data[i] & 0xc0) == 0x80) {
                problems.back().value = problems.back().value << 8 | data[i++];
                --collecting_;
            }
            if (i == size) {
                return;
            }
            collecting_ = 0;
            const void* end = std::memchr(data + i, '\n', size - i);
            if (end == nullptr) {
                column_ = 1;
                return;
            }
            i = static_cast<std::size_t>(static_cast<const unsigned char*>(end) - data);
        }
        const unsigned char c = data[i++];
        if (c == '\n') {
            end_line();
        } else {
            ++column_;
            read_in_line(c);
        }
    }
}

void PermutationReader::finish() {
    if (column_ > 0 || skipping_) {
        end_line();
    }
}

bool PermutationReader::check_part(std::size_t begin, std::size_t end) {
    const auto n = static_cast<std::int64_t>(end - begin);
    seen_.assign(static_cast<std::size_t>((n + 63) / 64), 0);
    const auto word = [&](std::int64_t v) -> std::int64_t& {
        return seen_[static_cast<std::size_t>(v / 64)];
    };
    const auto bit = [](std::int64_t v) {
        return static_cast<std::int64_t>(std::uint64_t{1} << (v % 64));
    };
    for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t v = std::int64_t{current_[i]} - first_value_;
        const auto place = static_cast<std::int64_t>(i - begin) + 1;
        if (v < 0) {
            fail(Problem::kZero, place, 0, 0);
            return false;
        }
        if (v >= n) {
            for (std::size_t j = i + 1; j < end; ++j) {
                const std::int64_t later = std::int64_t{current_[j]} - first_value_;
                if (later >= 0 && later < n) {
                    word(later) |= bit(later);
                }
            }
            std::int64_t missing = 0;
            while ((word(missing) & bit(missing)) != 0) {
                ++missing;
            }
            fail(Problem::kOutOfRange, place, current_[i], missing + first_value_);
            return false;
        }
        if ((word(v) & bit(v)) != 0) {
            const auto earlier = std::find(current_.begin() + static_cast<std::ptrdiff_t>(begin),
                                           current_.end(), current_[i]);
            fail(Problem::kRepeated, place, current_[i],
                 earlier - current_.begin() - static_cast<std::ptrdiff_t>(begin) + 1);
            return false;
        }
        word(v) |= bit(v);
    }
    return true;
}

void PermutationReader::end_line() {
    const auto accept = [&] {
        if (skipping_) {
            return false;
        }
        const bool anything = was_bracketed_ || in_number_ || !current_.empty() ||
                              !part_ends_.empty() || after_comma_ || bars_ > 0;
        if (!anything) {
            fail(Problem::kEmptyLine, 1, 0, 0);
            return false;
        }
        if (bars_ % 3 != 0) {
            fail(Problem::kUnexpectedCharacter, column_, '|', 0);
            return false;
        }
        end_number();
        const std::size_t begin = part_ends_.empty() ? 0 : part_ends_.back();
        const bool trailing = part_ends_.size() < 2 || current_.size() > begin || was_bracketed_;
        if (trailing) {
            end_part();
        }
        if (skipping_) {
            return false;
        }
        if (!pairs_) {
            return check_part(0, current_.size());
        }
        if (part_ends_.size() > 2) {
            fail(Problem::kThird, 1, 0, 0);
            return false;
        }
        if (part_ends_.size() < 2) {
            fail(Problem::kNoSecond, 1, 0, 0);
            return false;
        }
        const std::size_t first = part_ends_[0];
        const std::size_t second = part_ends_[1] - first;
        if (first != second) {
            fail(Problem::kLengths, 1, static_cast<std::int64_t>(first),
                 static_cast<std::int64_t>(second));
            return false;
        }
        return check_part(0, first) && check_part(first, part_ends_[1]);
    };
    if (accept()) {
        for (const std::int32_t value : current_) {
            values.push_back(value - first_value_);
        }
        const auto base = offsets.back();
        for (const std::size_t end : part_ends_) {
            offsets.push_back(base + static_cast<std::int64_t>(end));
        }
        lines.push_back(line_);
    }
    start_line();
    ++line_;
}

}  // namespace kilter
