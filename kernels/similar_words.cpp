#include "similar_words.hpp"

#include <algorithm>

namespace kilter {
namespace {

constexpr std::uint64_t kMargin = 0x1FFFFF;  // 21 bits: beyond every letter
constexpr int kLetterBits = 21;

// Each letter of a word with those before and after it, sorted, so that two words are compared in one pass.
class LetterTriples {
public:
    explicit LetterTriples(const WordForms& forms) : forms_(forms) {
        triples_.resize(static_cast<std::size_t>(forms.offsets[forms.words]));
        for (std::int64_t word = 0; word < forms.words; ++word) {
            if (forms.heads[word] < 0) {
                continue;
            }
            std::uint64_t* triple = triples_.data() + forms.offsets[word];
            std::uint64_t before = kMargin;
            for (std::int64_t k = forms.offsets[word]; k < forms.offsets[word + 1]; ++k) {
                const std::uint64_t letter = static_cast<std::uint32_t>(forms.letters[k]);
                const std::uint64_t after = k + 1 < forms.offsets[word + 1]
                                                ? static_cast<std::uint32_t>(forms.letters[k + 1])
                                                : kMargin;
                *triple++ = (before << kLetterBits | letter) << kLetterBits | after;
                before = letter;
            }
            std::sort(triples_.data() + forms.offsets[word], triple);
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
    std::int64_t shared(std::int32_t one, std::int32_t other) const {
        const std::uint64_t* a = begin(one);
        const std::uint64_t* a_end = a + letters(one);
        const std::uint64_t* b = begin(other);
        const std::uint64_t* b_end = b + letters(other);
        std::int64_t count = 0;
        while (a != a_end && b != b_end) {
            if (*a == *b) {
                ++count;
                ++a;
                ++b;
            } else {
                (*a < *b ? ++a : ++b);
            }
        }
        return count;
    }

private:
    const std::uint64_t* begin(std::int32_t word) const {
        return triples_.data() + forms_.offsets[word];
    }

    WordForms forms_;
    std::vector<std::uint64_t> triples_;
};

}  // namespace

WordCells similar_cells(const Batch& first, const Batch& second, const EarlierLinks& links,
                        const WordForms& forms, double threshold, std::int64_t least, int jobs) {
    const LetterTriples words(forms);
    const auto similarity = [&](std::int32_t one, std::int32_t other) {
        if (words.equal(one, other)) {
            return 1.0;
        }
        const std::int64_t shared = words.shared(one, other);
        return shared < least ? -1.0
                              : static_cast<double>(2 * shared) /
                                    static_cast<double>(words.letters(one) + words.letters(other));
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
                                     if (found > threshold) {
                                         add(row, col, found);
                                     }
                                 }
                             }
                         });
}

}  // namespace kilter
