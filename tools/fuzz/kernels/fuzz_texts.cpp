// Numbered words: n-grams, RIBES, errors, likeness; rows of a table as text.
#include <cmath>

#include "common_ngram.hpp"
#include "ngram.hpp"
#include "ribes.hpp"
#include "row_format.hpp"
#include "shift_edit.hpp"
#include "target.hpp"
#include "word_error.hpp"
#include "word_likeness.hpp"

namespace kilter::fuzz {
namespace {

Batch as_tokens(const Rows<std::int32_t>& rows) {
    return {rows.values.data(), rows.offsets.data(), rows.rows()};
}

void text_counts(FuzzedDataProvider& data) {
    constexpr std::int32_t kWords = 7;
    Rows<std::int32_t> first, second, letters;
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        first.add(words(data, 140, kWords));
        second.add(words(data, 140, kWords));
    }
    for (std::int32_t k = 0; k < kWords; ++k) {
        std::vector<std::int32_t> form(small_size(data, 6));
        for (std::int32_t& letter : form) {
            letter = data.ConsumeBool() ? data.ConsumeIntegralInRange<std::int32_t>(97, 99)
                                        : data.ConsumeIntegralInRange<std::int32_t>(0, 0x10ffff);
        }
        letters.add(form);
    }
    const Batch a = as_tokens(first), b = as_tokens(second);
    std::vector<std::int64_t> grams(count * kNgramColumns), grams2(grams);
    count_ngrams(a, {b, a}, 1, grams.data());
    count_ngrams(a, {a, b}, kSeveral, grams2.data());
    for (std::size_t s = 0; s < count; ++s) {
        const std::int64_t* row = grams.data() + s * kNgramColumns;
        for (int order = 0; order < kNgramOrder; ++order) {
            law(row[2 + order] == row[2 + kNgramOrder + order], "a text that is its reference matches wholly");
            law(row[2 + order] == grams2[s * kNgramColumns + 2 + static_cast<std::size_t>(order)],
                "references have no order");
        }
    }
    std::vector<std::int64_t> common(count * kCommonOrder), common2(common), errors(count * kWordErrorColumns),
        errors2(errors), matched(count * kRibesColumns);
    count_common_ngrams(a, b, kCommonOrder, 1, common.data());
    count_common_ngrams(b, a, kCommonOrder, kSeveral, common2.data());
    law(common == common2, "common n-grams have no side");
    count_word_errors(a, b, 1, errors.data());
    count_word_errors(b, a, kSeveral, errors2.data());
    std::vector<std::int32_t> positions(first.values.size());
    match_ribes(a, b, kSeveral, matched.data(), positions.data());
    for (std::size_t s = 0; s < count; ++s) {
        const auto segment = static_cast<std::int64_t>(s);
        const std::int64_t edits = errors[3 * s], bags = errors[3 * s + 1], jumps = errors[3 * s + 2];
        law(edits == errors2[3 * s] && bags == errors2[3 * s + 1], "edits have no side");
        law(0 <= bags && bags <= edits && edits <= std::max(a.length(segment), b.length(segment)) && jumps <= edits,
            "errors are bounded by one another");
        const std::int64_t words = matched[2 * s];
        law(words <= a.length(segment) && matched[2 * s + 1] <= words * (words - 1) / 2, "matches are words");
    }
    std::vector<std::int64_t> shifted(count), plain(count);
    count_shift_edits(a, b, kSeveral, shifted.data());
    count_shift_edits_plainly(a, b, plain.data());
    law(shifted == plain, "bits and table count the same edits");
    for (std::size_t s = 0; s < count; ++s) {
        const auto segment = static_cast<std::int64_t>(s);
        law(errors[3 * s + 1] <= shifted[s] && shifted[s] <= a.length(segment) + b.length(segment),
            "no shift makes a word of another");
    }
    for (const std::int32_t position : positions) {
        law(position >= -1, "a match is a position");
    }
    std::vector<double> likeness(second.values.size());
    word_likeness(a, b, as_tokens(letters), 1, likeness.data());
    for (const double like : likeness) {
        law(like >= 0.0 && like <= 1.0 + 1e-12, "a likeness lies between 0 and 1");
    }
}

void row_format(FuzzedDataProvider& data) {
    const auto rows = data.ConsumeIntegralInRange<std::int64_t>(0, 4);
    const auto size = static_cast<std::size_t>(rows);
    std::vector<double> floats(size);
    std::vector<std::int64_t> wide(size);
    std::vector<std::uint64_t> unsigneds(size);
    std::vector<std::uint8_t> flags(size);
    Rows<std::int32_t> lists;
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < size; ++k) {
        floats[k] = data.ConsumeFloatingPoint<double>();
        wide[k] = data.ConsumeIntegral<std::int64_t>();
        unsigneds[k] = data.ConsumeIntegral<std::uint64_t>();
        flags[k] = data.ConsumeIntegral<std::uint8_t>();
        std::vector<std::int32_t> list(small_size(data, 4));
        for (std::int32_t& value : list) {
            value = data.ConsumeIntegralInRange<std::int32_t>(-5, 1 << 30);
        }
        lists.add(list);
        texts.push_back(data.ConsumeRandomLengthString(16));
    }
    std::vector<FormatColumn> columns(5);
    columns[0].floats = floats.data();
    columns[1].kind = FormatColumn::Kind::kInteger64;
    columns[1].integers64 = wide.data();
    columns[2].kind = FormatColumn::Kind::kUnsigned64;
    columns[2].unsigneds = unsigneds.data();
    columns[3].kind = FormatColumn::Kind::kFlag;
    columns[3].flags = flags.data();
    columns[4].kind = FormatColumn::Kind::kText;
    columns[4].texts.assign(texts.begin(), texts.end());
    FormatColumn list;
    list.kind = FormatColumn::Kind::kList;
    list.integers32 = lists.values.data();
    list.integers64 = lists.offsets.data();
    columns.push_back(list);
    const std::vector<std::string> literals(columns.size() + 1, "|");
    std::vector<std::int64_t> widths;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        widths.push_back(data.ConsumeIntegralInRange<std::int64_t>(0, 40));
    }
    std::string out;
    format_rows(rows, columns, literals, widths, {data.ConsumeBool(), data.ConsumeRandomLengthString(3), 1}, out);
    law(out.size() >= size * literals.size(), "every cell has its row");
    if (size > 0 && !std::isnan(floats[0]) && widths[0] == 0) {
        const std::string cell = out.substr(1, out.find('|', 1) - 1);
        law(std::strtod(cell.c_str(), nullptr) == floats[0] || cell.find('.') + 5 == cell.size(),
            "a number in full precision is read back");
    }
}

const Register kTextCounts("text-counts", text_counts);
const Register kRowFormat("row-format", row_format);

}  // namespace
}  // namespace kilter::fuzz
