#include "word_likeness.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "multiversion.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

using Grams = std::vector<std::uint64_t>;

constexpr std::uint64_t kBegin = 0x110000;  // no character is as large
constexpr std::uint64_t kEnd = 0x110001;
constexpr std::uint64_t kNone = 0x1fffff;  // in the third place of a 2-gram
constexpr int kBits = 21;
constexpr double kSlack = 1.0 - 1e-12;  // rounding must not hide a word that is better by a bit

Grams grams(const std::int32_t* characters, std::int64_t length) {
    Grams marked{kBegin};
    for (std::int64_t k = 0; k < length; ++k) {
        marked.push_back(static_cast<std::uint64_t>(characters[k]));
    }
    marked.push_back(kEnd);
    Grams found;
    for (std::size_t k = 0; k + 1 < marked.size(); ++k) {
        const std::uint64_t two = marked[k] << (2 * kBits) | marked[k + 1] << kBits;
        found.push_back(two | kNone);
        if (k + 2 < marked.size()) {
            found.push_back(two | marked[k + 2]);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

// One bit for each n-gram of a word, shared by some.
struct Sketch {
    std::array<std::uint64_t, 4> bits{};
    std::size_t sharing = 0;  // n-grams less bits
    double size = 0.0;

    // No more n-grams are in common than this: those on common bits.
    KILTER_INLINE std::size_t most_common(const Sketch& other) const {
        std::size_t found = 0;
        for (std::size_t k = 0; k < bits.size(); ++k) {
            found += static_cast<std::size_t>(std::popcount(bits[k] & other.bits[k]));
        }
        return found == 0 ? 0 : found + std::min(sharing, other.sharing);
    }
};

struct Word {
    explicit Word(Grams given) : grams(std::move(given)) {
        for (const std::uint64_t gram : grams) {
            const std::uint64_t mixed = gram * 0x9e3779b97f4a7c15U;
            sketch.bits[mixed >> 62] |= std::uint64_t{1} << (mixed >> 56 & 63U);
        }
        std::size_t found = 0;
        for (const std::uint64_t part : sketch.bits) {
            found += static_cast<std::size_t>(std::popcount(part));
        }
        sketch.sharing = grams.size() - found;
        sketch.size = static_cast<double>(grams.size());
    }

    Grams grams;
    Sketch sketch;
};

std::size_t common(const Grams& one, const Grams& other) {
    std::size_t found = 0;
    std::size_t k = 0;
    std::size_t m = 0;
    while (k < one.size() && m < other.size()) {
        const std::uint64_t a = one[k];
        const std::uint64_t b = other[m];
        found += static_cast<std::size_t>(a == b);
        k += static_cast<std::size_t>(a <= b);
        m += static_cast<std::size_t>(b <= a);
    }
    return found;
}

// A word of the hypothesis; no square of its likeness is greater than `most`.
struct Other {
    Sketch sketch;
    std::size_t place;
    double most;
};

KILTER_MULTIVERSION
void estimate(const Sketch& sketch, Other* others, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        const double most = static_cast<double>(sketch.most_common(others[k].sketch));
        others[k].most = most * most / (sketch.size * others[k].sketch.size);
    }
}

// Compares words of one segment after another. The n-grams of a word are made when they are first asked for.
class Comparison {
public:
    explicit Comparison(const TokenBatch& words) : words_(words) {
        seen_.assign(static_cast<std::size_t>(words.segments), -1);
        place_.assign(static_cast<std::size_t>(words.segments), -1);
    }

    void compare(const TokenBatch& hypothesis, const TokenBatch& reference, std::int64_t segment,
                 double* likeness) {
        // Sketches side by side: those of a whole text lie far apart.
        others_.clear();
        for (std::int64_t k = 0; k < hypothesis.length(segment); ++k) {
            const std::int32_t word = hypothesis.begin(segment)[k];
            if (seen_[word] != segment) {
                seen_[word] = segment;
                const std::size_t at = place(word);
                others_.push_back({list_[at].sketch, at, 0.0});
            }
        }
        for (std::int64_t k = 0; k < reference.length(segment); ++k) {
            const std::int32_t word = reference.begin(segment)[k];
            likeness[k] = seen_[word] == segment ? 1.0 : best(word);
        }
    }

private:
    // The most promising words first: after one or two nothing better can come.
    double best(std::int32_t word) {
        pace_.work(static_cast<std::int64_t>(16 * others_.size()));
        const std::size_t own = place(word);
        const Word& one = list_[own];
        estimate(one.sketch, others_.data(), others_.size());
        double greatest = 0.0;
        while (true) {
            const auto next = std::max_element(others_.begin(), others_.end(), [](const Other& a, const Other& b) {
                return a.most < b.most;
            });
            if (next == others_.end() || next->most <= greatest * greatest * kSlack || next->most <= 0.0) {
                return greatest;
            }
            const Word& two = list_[next->place];
            pace_.work(static_cast<std::int64_t>(2 * (one.grams.size() + two.grams.size())));
            const double shared = static_cast<double>(common(one.grams, two.grams));
            greatest = std::max(greatest, shared / std::sqrt(one.sketch.size * two.sketch.size));
            next->most = 0.0;
        }
    }

    std::size_t place(std::int32_t word) {
        if (place_[word] < 0) {
            place_[word] = static_cast<std::int32_t>(list_.size());
            pace_.work(16 * (words_.length(word) + 8));
            list_.emplace_back(grams(words_.begin(word), words_.length(word)));
        }
        return static_cast<std::size_t>(place_[word]);
    }

    const TokenBatch& words_;
    PlainVector<std::int64_t> seen_;  // the last segment whose hypothesis has the word
    PlainVector<std::int32_t> place_;
    std::vector<Word> list_;
    std::vector<Other> others_;
    Pace pace_;
};

}  // namespace

void word_likeness(const TokenBatch& hypothesis, const TokenBatch& reference, const TokenBatch& words,
                   int jobs, double* likeness) {
    for_each_block(reference.offsets, reference.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        Comparison comparison(words);
        Pace pace;
        for (std::int64_t s = first; s < last; ++s) {
            pace.work(16 * (hypothesis.length(s) + reference.length(s) + 4));
            comparison.compare(hypothesis, reference, s, likeness + reference.offsets[s]);
        }
    });
}

}  // namespace kilter
