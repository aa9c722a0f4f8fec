// Reads permutations, one or two a line, from chunks of bytes of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kilter {

enum class Problem : std::int32_t {
    kEmptyLine = 1,
    kUnexpectedCharacter,  // value: its bytes, other: nothing
    kMissingNumber,        // two commas, or a comma at an end
    kNumberTooLarge,
    kOpenBracket,          // never closed
    kZero,                 // in a one-based line
    kOutOfRange,           // other: the smallest number that is missing
    kRepeated,             // other: where the number stood before
    kNoSecond,             // pairs: only one permutation
    kThird,                // pairs: more than two
    kLengths               // pairs: value and other are the two lengths
};

struct LineProblem {
    std::int64_t line;      // one-based
    Problem problem;
    std::int64_t position;  // one-based: column of a character, or place of a number
    std::int64_t value;
    std::int64_t other;
};

// Lines are decimal numbers, separated by blanks or single commas, in brackets or not. In a line of
// two permutations `|||`, a tab, or a closed bracket separates them.
class PermutationReader {
public:
    PermutationReader(bool pairs, bool zero_based) : pairs_(pairs), first_value_(zero_based ? 0 : 1) {}

    void feed(const unsigned char* data, std::size_t size);
    void finish();  // the last line may lack its line end

    // Complete permutations since the last clear, zero-based; two for every line of pairs.
    std::vector<std::int32_t> values;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::int64_t> lines;
    std::vector<LineProblem> problems;
    std::int64_t lines_read() const { return line_ - 1; }
    // All problems but one whose character goes on in the next chunk.
    std::size_t complete_problems() const { return problems.size() - (collecting_ > 0 ? 1 : 0); }
    void clear();  // keeps a problem that is not complete

private:
    void end_line();
    void end_number();
    void end_part();
    void fail(Problem problem, std::int64_t position, std::int64_t value, std::int64_t other);
    bool check_part(std::size_t begin, std::size_t end);
    void read_in_line(unsigned char c);
    void start_line();

    bool pairs_;
    std::int32_t first_value_;
    std::int64_t line_ = 1;
    std::int64_t column_ = 0;
    bool skipping_ = false, in_number_ = false, after_comma_ = false, need_comma_value_ = false;
    bool closed_ = false, was_bracketed_ = false;
    unsigned char closing_ = 0;
    int bars_ = 0, collecting_ = 0;
    std::int64_t number_ = 0;
    std::vector<std::int32_t> current_;
    std::vector<std::size_t> part_ends_;
    std::vector<std::int64_t> seen_;
};

}  // namespace kilter
