#include "similar_words.hpp"

#include <algorithm>

namespace kilter {
namespace {

constexpr std::uint64_t kMargin = 0xFFFFFFFF;

// Letter pairs of every word that can be like another, sorted, so that two words are compared in one pass.
class LetterPairs {
public:
    explicit LetterPairs(const WordForms& forms) : forms_(forms) {
        pairs_.resize(static_cast<std::size_t>(forms.offsets[forms.words] + forms.words));
        for (std::int64_t word = 0; word < forms.words; ++word) {
            if (forms.heads[word] < 0) {
                continue;
            }
            std::uint64_t* pair = pairs_.data() + forms.offsets[word] + word;
            std::uint64_t before = kMargin;
            for (std::int64_t k = forms.offsets[word]; k < forms.offsets[word + 1]; ++k) {
                const std::uint64_t letter = static_cast<std::uint32_t>(forms.letters[k]);
                *pair++ = before << 32 | letter;
                before = letter;
            }
            *pair++ = before << 32 | kMargin;
            std::sort(pairs_.data() + forms.offsets[word] + word, pair);
        }
    }

    std::int64_t letters(std::int32_t word) const {
        return forms_.offsets[word + 1] - forms_.offsets[word];
    }
    bool equal(std::int32_t one, std::int32_t other) const {
        return std::equal(forms_.letters + forms_.offsets[one], forms_.letters + forms_.offsets[one + 1],
                          forms_.letters + forms_.offsets[other],
                          forms_.letters + forms_.offsets[other + 1]);
    }
    double dice(std::int32_t one, std::int32_t other) const {
        const std::uint64_t* a = begin(one);
        const std::uint64_t* a_end = a + letters(one) + 1;
        const std::uint64_t* b = begin(other);
        const std::uint64_t* b_end = b + letters(other) + 1;
        const auto total = static_cast<double>((a_end - a) + (b_end - b));
        std::int64_t shared = 0;
        while (a != a_end && b != b_end) {
            if (*a == *b) {
                ++shared;
                ++a;
                ++b;
            } else {
                (*a < *b ? ++a : ++b);
            }
        }
        return static_cast<double>(2 * shared) / total;
    }

private:
    const std::uint64_t* begin(std::int32_t word) const {
        return pairs_.data() + forms_.offsets[word] + word;
    }

    WordForms forms_;
    std::vector<std::uint64_t> pairs_;
};

}  // namespace

WordCells similar_cells(const Batch& first, const Batch& second, const EarlierLinks& links,
                        const WordForms& forms, double threshold, std::int64_t shortest, int jobs) {
    const LetterPairs words(forms);
    const auto similarity = [&](std::int32_t one, std::int32_t other) {
        if (words.equal(one, other)) {
            return 1.0;
        }
        const bool too_short = words.letters(one) < shortest || words.letters(other) < shortest;
        return too_short ? -1.0 : words.dice(one, other);
    };
    return collect_cells(first, second, links, jobs,
                         [&](std::int64_t s, const FreeWords& free, const auto& add) {
                             const std::int32_t* one = first.begin(s);
                             const std::int32_t* other = second.begin(s);
                             for (const std::int32_t row : free.rows) {
                                 const std::int32_t head = forms.heads[one[row]];
                                 if (head < 0) {
                                     continue;
                                 }
                                 for (const std::int32_t col : free.cols) {
                                     if (forms.heads[other[col]] != head) {
                                         continue;
                                     }
                                     const double found = similarity(one[row], other[col]);
                                     if (found >= threshold) {
                                         add(row, col, found);
                                     }
                                 }
                             }
                         });
}

}  // namespace kilter
