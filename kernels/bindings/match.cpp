// The one-to-one matcher.
#include "bindings/checked.hpp"

#include <algorithm>
#include <limits>

#include "learned_words.hpp"
#include "match.hpp"
#include "similar_words.hpp"

namespace kilter {
namespace {

// Links of earlier stages: inside their sentences, each word in one at most.
void check_one_to_one(const Links& links, const Batch& first, const Batch& second) {
    if (links.segments() != first.segments) {
        refuse("links are of " + std::to_string(links.segments()) + " segments, the texts of " +
               std::to_string(first.segments));
    }
    const LinkRows rows = links.rows();
    std::vector<std::int64_t> last_use;  // of a column: the segment that linked it, plus 1
    for (std::int64_t s = 0; s < first.segments; ++s) {
        links.check_inside(s, first.length(s), second.length(s));
        for (std::int64_t k = rows.offsets[s]; k < rows.offsets[s + 1]; ++k) {
            const auto column = static_cast<std::size_t>(rows.pairs[2 * k + 1]);
            if (column >= last_use.size()) {
                last_use.resize(column + 1, 0);
            }
            if ((k > rows.offsets[s] && rows.pairs[2 * k] == rows.pairs[2 * k - 2]) ||
                std::exchange(last_use[column], s + 1) == s + 1) {
                refuse("a word of segment " + std::to_string(s) + " has several links; each word has one at most");
            }
        }
    }
}

// Pairs that may be linked: inside their sentences, of words without a link.
void check_cells(const Links& cells, const Batch& first, const Batch& second, const EarlierLinks& links) {
    if (cells.segments() != first.segments) {
        refuse("cells are of " + std::to_string(cells.segments()) + " segments, the texts of " +
               std::to_string(first.segments));
    }
    const LinkRows rows = cells.rows();
    FreeWords free;
    for (std::int64_t s = 0; s < first.segments; ++s) {
        cells.check_inside(s, first.length(s), second.length(s));
        if (rows.offsets[s] == rows.offsets[s + 1]) {
            continue;
        }
        free.list(first, second, links, s);
        for (std::int64_t k = rows.offsets[s]; k < rows.offsets[s + 1]; ++k) {
            if (!std::binary_search(free.rows.begin(), free.rows.end(), rows.pairs[2 * k]) ||
                !std::binary_search(free.cols.begin(), free.cols.end(), rows.pairs[2 * k + 1])) {
                refuse("a cell of segment " + std::to_string(s) + " holds a word that has a link");
            }
        }
    }
}

// What words match by: one key each, a negative one for none, or sorted lists of them.
class Keys {
public:
    Keys(const Longs& offsets, const Ints& keys) : keys_(keys) {
        constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max() - 1;
        if (offsets.size() > 0) {
            offsets_ = std::make_unique<Offsets>(offsets, keys.size(), "key_offsets");
            keys_.check_within(0, most, "keys");
            for (std::int64_t word = 0; word < words(); ++word) {
                const std::int32_t* begin = keys_.data() + (*offsets_)[word];
                const std::int32_t* end = keys_.data() + (*offsets_)[word + 1];
                if (std::adjacent_find(begin, end, std::greater_equal<>()) != end) {
                    refuse("the keys of word " + std::to_string(word) + " are not sorted and distinct");
                }
            }
        } else {
            keys_.check_within(std::numeric_limits<std::int32_t>::min(), most, "keys");
        }
        for (const std::int32_t key : keys_) {
            last_ = std::max(last_, key);
        }
        // Tables are as long as the largest key.
        if (last_ > 1 << 28) {
            refuse("a key is " + std::to_string(last_) + "; keys are at most 268435456");
        }
    }
    std::int64_t words() const { return offsets_ ? offsets_->segments() : static_cast<std::int64_t>(keys_.size()); }
    MatchKeys keys() const {
        MatchKeys found;
        found.offsets = offsets_ ? offsets_->data() : nullptr;
        found.keys = keys_.data();
        found.count = last_ + 1;
        return found;
    }

private:
    Copy<std::int32_t> keys_;
    std::unique_ptr<Offsets> offsets_;
    std::int32_t last_ = -1;
};

auto match(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
           const Pairs& links, const Longs& link_offsets, const Longs& key_offsets, const Ints& keys, bool crossings,
           Long bound, Long trials, Int jobs) {
    if (bound < 0 || trials < 0) {
        refuse("bound and trials count from 0");
    }
    const MatchOptions options{crossings ? MatchRule::kCrossings : MatchRule::kChunks, bound, trials, jobs};
    MatchLinks result = unlocked([&] {
        const Keys words(key_offsets, keys);
        const Texts one(first, first_offsets, 0, words.words() - 1, "first");
        const Texts other(second, second_offsets, 0, words.words() - 1, "second");
        if (one.segments() != other.segments()) {
            refuse("both texts hold equally many segments");
        }
        const Links earlier(links, link_offsets, "links");
        check_one_to_one(earlier, one.batch(), other.batch());
        const LinkRows rows = earlier.rows();
        return match_batch(one.batch(), other.batch(), {rows.pairs, rows.offsets}, words.keys(), options);
    });
    return std::make_tuple(to_array(std::move(result.links), 2), to_array(std::move(result.offsets)),
                           to_array(std::move(result.bounded)));
}

// Two texts of equally many segments, and links of earlier stages between them.
class LinkedTexts {
public:
    LinkedTexts(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                const Pairs& links, const Longs& link_offsets, std::int64_t words)
        : first_(first, first_offsets, 0, words - 1, "first"),
          second_(second, second_offsets, 0, words - 1, "second"),
          links_(links, link_offsets, "links") {
        if (first_.segments() != second_.segments()) {
            refuse("both texts hold equally many segments");
        }
        check_one_to_one(links_, first_.batch(), second_.batch());
    }
    Batch first() const { return first_.batch(); }
    Batch second() const { return second_.batch(); }
    EarlierLinks links() const { return {links_.rows().pairs, links_.rows().offsets}; }

private:
    Texts first_;
    Texts second_;
    Links links_;
};

auto cells_to_arrays(WordCells found) {
    return std::make_tuple(to_array(std::move(found.cells), 2), to_array(std::move(found.offsets)),
                           to_array(std::move(found.strengths)));
}

auto match_cells(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                 const Pairs& links, const Longs& link_offsets, const Pairs& cells, const Longs& cell_offsets,
                 bool crossings, Long bound, Long trials, Int jobs) {
    if (bound < 0 || trials < 0) {
        refuse("bound and trials count from 0");
    }
    const MatchOptions options{crossings ? MatchRule::kCrossings : MatchRule::kChunks, bound, trials, jobs};
    MatchLinks result = unlocked([&] {
        const LinkedTexts texts(first, first_offsets, second, second_offsets, links, link_offsets,
                                std::numeric_limits<std::int32_t>::max());
        const Links offered(cells, cell_offsets, "cells");
        check_cells(offered, texts.first(), texts.second(), texts.links());
        MatchKeys keys;
        keys.cells = offered.rows().pairs;
        keys.cell_offsets = offered.rows().offsets;
        return match_batch(texts.first(), texts.second(), texts.links(), keys, options);
    });
    return std::make_tuple(to_array(std::move(result.links), 2), to_array(std::move(result.offsets)),
                           to_array(std::move(result.bounded)));
}

auto similar_cells_of(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                      const Pairs& links, const Longs& link_offsets, const Ints& letters, const Longs& letter_offsets,
                      const Ints& heads, double threshold, Long least, Int jobs) {
    in_range(threshold, 0.0, 1.0, "threshold");
    return cells_to_arrays(unlocked([&] {
        const Copy<std::int32_t> letter_copy(letters);
        const Offsets borders(letter_offsets, letters.size(), "letter_offsets");
        const Copy<std::int32_t> head_copy(heads);
        letter_copy.check_within(0, 0x10FFFF, "letters");
        head_copy.check_within(-1, std::numeric_limits<std::int32_t>::max(), "heads");
        if (borders.segments() != static_cast<std::int64_t>(head_copy.size())) {
            refuse("letter_offsets are of " + std::to_string(borders.segments()) + " words, heads of " +
                   std::to_string(head_copy.size()));
        }
        const LinkedTexts texts(first, first_offsets, second, second_offsets, links, link_offsets, borders.segments());
        const WordForms forms{letter_copy.data(), borders.data(), head_copy.data(), borders.segments()};
        return similar_cells(texts.first(), texts.second(), texts.links(), forms, threshold, least, jobs);
    }));
}

auto learned_cells_of(const Ints& first, const Longs& first_offsets, const Ints& second, const Longs& second_offsets,
                      const Pairs& links, const Longs& link_offsets, Long words, Int iterations, double neighbour,
                      double distance, double alone, double threshold, double evidence, Int jobs) {
    constexpr std::int64_t most = std::int64_t{1} << 26;  // tables are as long
    if (words < 0 || words > most) {
        refuse("words is " + std::to_string(words) + "; it lies between 0 and 67108864");
    }
    if (iterations < 1 || iterations > 1000) {
        refuse("iterations is " + std::to_string(iterations) + "; it lies between 1 and 1000");
    }
    in_range(neighbour, 1.0, 1e6, "neighbour");
    in_range(distance, 0.0, 1e6, "distance");
    in_range(alone, 1e-6, 1e6, "alone");
    in_range(threshold, 0.0, 1e6, "threshold");
    in_range(evidence, 0.0, 1e6, "evidence");
    return cells_to_arrays(unlocked([&] {
        const LinkedTexts texts(first, first_offsets, second, second_offsets, links, link_offsets, words);
        return learned_cells(texts.first(), texts.second(), texts.links(), words,
                             {iterations, neighbour, distance, alone, threshold, evidence, jobs});
    }));
}

}  // namespace

void add_match(nb::module_& module) {
    module.def("match", &match, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "links"_a,
               "link_offsets"_a, "key_offsets"_a, "keys"_a, "crossings"_a, "bound"_a, "trials"_a, "jobs"_a,
               "Return the links of a stage with those before it, their offsets, and which segments hit "
               "the search bound.");
    module.def("match_cells", &match_cells, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a, "links"_a,
               "link_offsets"_a, "cells"_a, "cell_offsets"_a, "crossings"_a, "bound"_a, "trials"_a, "jobs"_a,
               "Return what match returns, for the pairs of words that are listed.");
    module.def("similar_cells", &similar_cells_of, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "links"_a, "link_offsets"_a, "letters"_a, "letter_offsets"_a, "heads"_a, "threshold"_a, "least"_a,
               "jobs"_a, "Return pairs of free words that share most of their letters, their offsets, and similarity.");
    module.def("learned_cells", &learned_cells_of, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "links"_a, "link_offsets"_a, "words"_a, "iterations"_a, "neighbour"_a, "distance"_a, "alone"_a,
               "threshold"_a, "evidence"_a, "jobs"_a,
               "Return pairs of free words that stand for one another, their offsets, and strength.");
}

}  // namespace kilter
