// Readers of bytes: permutations, links, words.
#include "interner.hpp"
#include "link_reader.hpp"
#include "permutation_reader.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

bool same(const LineProblem& a, const LineProblem& b) {
    return a.line == b.line && a.problem == b.problem && a.position == b.position && a.value == b.value &&
           a.other == b.other;
}

// Bytes cut anywhere are read as the same bytes in one piece are.
void permutation_reader(FuzzedDataProvider& data) {
    const bool pairs = data.ConsumeBool();
    const bool zero_based = data.ConsumeBool();
    const std::size_t step = 1 + small_size(data, 16);
    const std::vector<unsigned char> bytes = data.ConsumeRemainingBytes<unsigned char>();
    PermutationReader whole(pairs, zero_based);
    whole.feed(bytes.data(), bytes.size());
    whole.finish();
    PermutationReader cut(pairs, zero_based);
    Rows<std::int32_t> values;
    std::vector<std::int64_t> lines;
    std::vector<LineProblem> problems;
    const auto take = [&](bool last) {
        for (std::size_t k = 0; k + 1 < cut.offsets.size(); ++k) {
            values.add({cut.values.begin() + cut.offsets[k], cut.values.begin() + cut.offsets[k + 1]});
        }
        lines.insert(lines.end(), cut.lines.begin(), cut.lines.end());
        const std::size_t complete = last ? cut.problems.size() : cut.complete_problems();
        problems.insert(problems.end(), cut.problems.begin(),
                        cut.problems.begin() + static_cast<std::ptrdiff_t>(complete));
        cut.clear();
    };
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        // A copy of its own, so that a read beyond the piece is seen.
        const std::vector<unsigned char> piece(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                                               bytes.begin() +
                                                   static_cast<std::ptrdiff_t>(std::min(at + step, bytes.size())));
        cut.feed(piece.data(), piece.size());
        take(false);
    }
    cut.finish();
    take(true);
    law(values.values == whole.values && values.offsets == whole.offsets, "pieces hold the permutations of the whole");
    law(lines == whole.lines && cut.lines_read() == whole.lines_read(), "pieces count lines as the whole does");
    law(problems.size() == whole.problems.size() &&
            std::equal(problems.begin(), problems.end(), whole.problems.begin(), same),
        "pieces have the problems of the whole");
    law(whole.lines.size() * (pairs ? 2 : 1) + 1 == whole.offsets.size(), "a line has one or two permutations");
    for (std::size_t k = 0; k + 1 < whole.offsets.size(); ++k) {
        std::vector<std::int32_t> row(whole.values.begin() + whole.offsets[k],
                                      whole.values.begin() + whole.offsets[k + 1]);
        std::sort(row.begin(), row.end());
        for (std::size_t i = 0; i < row.size(); ++i) {
            law(row[i] == static_cast<std::int32_t>(i), "what is read is a permutation");
        }
    }
}

void link_reader(FuzzedDataProvider& data) {
    const std::vector<unsigned char> bytes = data.ConsumeRemainingBytes<unsigned char>();
    const LinkLines read = read_link_lines(bytes.data(), bytes.size());
    const auto feeds = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
    const std::size_t lines = feeds + (bytes.empty() || bytes.back() == '\n' ? 0 : 1);
    law(read.offsets.size() == lines + 1, "every line has its links");
    law(read.pairs.size() == 2 * read.signs.size() &&
            read.offsets.back() == static_cast<std::int64_t>(read.signs.size()),
        "offsets end with the number of links");
    law(std::is_sorted(read.offsets.begin(), read.offsets.end()), "offsets rise");
    for (const std::int32_t position : read.pairs) {
        law(position >= 0, "positions are not negative");
    }
    for (const std::uint8_t sign : read.signs) {
        law(sign == '-' || sign == 's' || sign == 'p' || sign == '?', "a sign is one of -sp?");
    }
    for (const BadLink& bad : read.bad) {
        law(bad.line >= 0 && bad.line < static_cast<std::int64_t>(lines) && bad.begin >= 0 &&
                bad.begin < bad.end && bad.end <= static_cast<std::int64_t>(bytes.size()),
            "a bad link lies in the data");
    }
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

void interner(FuzzedDataProvider& data) {
    Interner words;
    std::vector<std::int32_t> numbers;
    std::size_t before = 0;
    while (data.remaining_bytes() > 0) {
        const bool tokenized = data.ConsumeBool();
        const std::string line = data.ConsumeRandomLengthString();
        numbers.clear();
        if (tokenized) {
            words.split(line, numbers);
        } else {
            words.split_13a(line, numbers);
        }
        std::size_t letters = 0;
        for (const std::int32_t number : numbers) {
            law(number >= 0 && static_cast<std::size_t>(number) < words.size(), "a word has a number");
            const std::string& word = words.word(static_cast<std::size_t>(number));
            law(!word.empty() && words.number(word) == number, "a number has its word");
            law(tokenized || line.empty() || is_continuation(line[0]) || word.find(' ') == std::string::npos,
                "no word holds a blank");
            letters += word.size();
        }
        law(letters <= line.size(), "no letter is made up");
        law(words.size() >= before, "words stay");
        before = words.size();
    }
}

const Register kPermutationReader("permutation-reader", permutation_reader);
const Register kLinkReader("link-reader", link_reader);
const Register kInterner("interner", interner);

}  // namespace
}  // namespace kilter::fuzz
