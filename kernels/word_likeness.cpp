#include "word_likeness.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "open_table.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::uint64_t kBegin = 0x110000;  // no character is as large
constexpr std::uint64_t kEnd = 0x110001;
constexpr std::uint64_t kNone = 0x1fffff;  // in the third place of a 2-gram
constexpr int kBits = 21;

// Numbers from 0 for n-grams. A word that has an n-gram several times has several numbers for it, so that what two
// words have in common as bags, their numbers have in common as sets.
class GramNumbers {
public:
    // The number of an n-gram of the word that is being read; `word` rises from call to call or stays.
    std::int32_t operator()(std::uint64_t gram, std::int32_t word) {
        const std::int32_t number = insert(gram);
        Last& last = last_[number];
        if (last.word != word) {
            last = {word, 0};
            return number;
        }
        return insert(kAgain | pair_key(number, ++last.times));
    }
    std::size_t size() const { return static_cast<std::size_t>(numbers_.size()); }

private:
    static constexpr std::uint64_t kAgain = std::uint64_t{1} << 63;  // n-grams have 63 bits

    // The last word that had the n-gram, and how often it came again in it.
    struct Last {
        std::int32_t word = -1;
        std::int32_t times = 0;
    };

    std::int32_t insert(std::uint64_t key) {
        const std::int32_t number = numbers_.insert(key);
        if (number == last_.ssize()) {
            last_.emplace_back();
        }
        return number;
    }

    KeyNumbers<std::uint64_t> numbers_{1 << 11};
    PlainVector<Last> last_;  // by number
};

// The numbers of a word's n-grams are a part of a list of all.
struct Word {
    std::size_t begin;
    std::size_t count;
};

// Compares words of one segment after another. The n-grams of a word are numbered when they are first asked for.
class Comparison {
public:
    explicit Comparison(const Batch& words) : words_(words) {
        seen_.assign(static_cast<std::size_t>(words.segments), -1);
        place_.assign(static_cast<std::size_t>(words.segments), -1);
    }

    void compare(const Batch& hypothesis, const Batch& reference, std::int64_t segment,
                 double* likeness) {
        begin_segment();
        for (std::int64_t k = 0; k < hypothesis.length(segment); ++k) {
            const std::int32_t word = hypothesis.begin(segment)[k];
            if (seen_[word] != segment) {
                seen_[word] = segment;
                add(known(word));
            }
        }
        for (std::int64_t k = 0; k < reference.length(segment); ++k) {
            const std::int32_t word = reference.begin(segment)[k];
            likeness[k] = seen_[word] == segment ? 1.0 : best(known(word));
        }
    }

private:
    // A word of the hypothesis, and how many n-grams the reference word at hand has in common with it.
    struct Other {
        double size;
        std::int64_t common;
    };
    // A word of the hypothesis that has an n-gram, and the entry of the one before it.
    struct Entry {
        std::int32_t other;
        std::int64_t before;
    };
    // Entries of earlier segments stay where they are: whatever lies before the first one of this segment is none.
    void begin_segment() {
        others_.clear();
        first_ += static_cast<std::int64_t>(entries_.size());
        entries_.clear();
    }

    void add(const Word word) {
        const auto other = static_cast<std::int32_t>(others_.size());
        others_.push_back({static_cast<double>(word.count), 0});
        for (std::size_t k = word.begin; k < word.begin + word.count; ++k) {
            std::int64_t& top = tops_[grams_[k]];
            const std::int64_t before = top;
            top = first_ + static_cast<std::int64_t>(entries_.size());
            entries_.push_back({other, before});
        }
    }

    double best(const Word word) {
        touched_.clear();
        std::int64_t met = 0;
        for (std::size_t k = word.begin; k < word.begin + word.count; ++k) {
            for (std::int64_t at = tops_[grams_[k]]; at >= first_; ++met) {
                const Entry& entry = entries_[at - first_];
                if (others_[entry.other].common++ == 0) {
                    touched_.push_back(entry.other);
                }
                at = entry.before;
            }
        }
        pace_.work(met);
        double greatest = 0.0;
        const double size = static_cast<double>(word.count);
        for (const std::int32_t place : touched_) {
            Other& other = others_[place];
            greatest = std::max(greatest, static_cast<double>(other.common) / std::sqrt(size * other.size));
            other.common = 0;
        }
        return greatest;
    }

    Word known(std::int32_t word) {
        if (place_[word] < 0) {
            place_[word] = static_cast<std::int32_t>(list_.size());
            pace_.work(16 * (words_.length(word) + 8));
            const std::size_t begin = grams_.size();
            read(words_.begin(word), words_.length(word));
            list_.push_back({begin, grams_.size() - begin});
            tops_.resize(numbers_.size(), -1);
        }
        return list_[place_[word]];
    }

    void read(const std::int32_t* characters, std::int64_t length) {
        const auto number = static_cast<std::int32_t>(list_.size());
        std::uint64_t one = kBegin;
        std::uint64_t two = length > 0 ? static_cast<std::uint64_t>(characters[0]) : kEnd;
        for (std::int64_t k = 1; k <= length; ++k) {
            const std::uint64_t three = k < length ? static_cast<std::uint64_t>(characters[k]) : kEnd;
            const std::uint64_t pair = one << (2 * kBits) | two << kBits;
            grams_.push_back(numbers_(pair | kNone, number));
            grams_.push_back(numbers_(pair | three, number));
            one = two;
            two = three;
        }
        grams_.push_back(numbers_(one << (2 * kBits) | two << kBits | kNone, number));
    }

    const Batch& words_;
    PlainVector<std::int64_t> seen_;  // the last segment whose hypothesis has the word
    PlainVector<std::int32_t> place_;
    GramNumbers numbers_;
    PlainVector<Word> list_;
    PlainVector<std::int32_t> grams_;  // of all words, one after another
    PlainVector<std::int64_t> tops_;   // the last entry of each n-gram
    PlainVector<Other> others_;
    PlainVector<Entry> entries_;
    std::int64_t first_ = 0;  // the number of the first entry
    PlainVector<std::int32_t> touched_;
    Pace pace_;
};

}  // namespace

void word_likeness(const Batch& hypothesis, const Batch& reference, const Batch& words,
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
