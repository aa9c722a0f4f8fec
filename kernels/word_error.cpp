#include "word_error.hpp"

#include <algorithm>

#include "myers.hpp"
#include "open_table.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

using Bits = EditBits;
constexpr std::int64_t kWidth = kEditBits;
constexpr std::int32_t kNone = -1;

// One column of an edit table over the hypothesis.
class EditColumn {
public:
    void start(std::int64_t length) {
        const std::int64_t blocks = (length + kWidth - 1) / kWidth;
        plus_.assign(blocks, ~Bits{0});
        minus_.assign(blocks, 0);
        last_ = last_edit_bit(length);
        distance_ = length;
    }
    std::int64_t distance() const { return distance_; }

    // Goes on to the next reference word; `equal` has a bit for every hypothesis word that equals it.
    void advance(const Bits* equal) {
        distance_ += advance_edits(plus_.data(), minus_.data(), equal, plus_.size(), last_);
    }

private:
    PlainVector<Bits> plus_, minus_;
    Bits last_ = 0;  // the last hypothesis word, in the last block
    std::int64_t distance_ = 0;
};

// The same with long jumps. A jump takes any entry of a column to any other for one more, so that a column
// holds the least distance and the next number only: one bit each, set where it is the least. Places lie
// between words, hence one more than words; bit k stands for the place after k words.
class JumpColumn {
public:
    void start(std::int64_t length) {
        least_.assign(length / kWidth + 1, 0);
        least_[0] = 1;
        places_ = length + 1;
        distance_ = 0;
    }
    std::int64_t distance() const {
        const std::int64_t end = places_ - 1;
        const Bits at = least_[end / kWidth] >> (end % kWidth);
        return distance_ + ((at & 1) != 0 ? 0 : 1);
    }

    // `after` has a bit for every place that follows an equal hypothesis word.
    void advance(const Bits* after) {
        Bits some = 0;
        Bits carry = 0;
        for (std::size_t b = 0; b < least_.size(); ++b) {
            some |= (least_[b] << 1 | carry) & after[b];
            carry = least_[b] >> (kWidth - 1);
        }
        carry = 0;
        if (some != 0) {  // a match keeps the least distance
            for (std::size_t b = 0; b < least_.size(); ++b) {
                const Bits before = least_[b];
                least_[b] = (before << 1 | carry) & after[b];
                carry = before >> (kWidth - 1);
            }
            return;
        }
        // None does: the new least is one more, by inserting or replacing at the least, or by a match
        // at what is one more already.
        ++distance_;
        for (std::size_t b = 0; b < least_.size(); ++b) {
            const Bits before = least_[b];
            least_[b] = before | before << 1 | carry | after[b];
            carry = before >> (kWidth - 1);
        }
        const std::int64_t used = places_ % kWidth;
        if (used != 0) {
            least_.back() &= (Bits{1} << used) - 1;
        }
    }

private:
    PlainVector<Bits> least_;
    std::int64_t places_ = 1;
    std::int64_t distance_ = 0;
};

class ErrorCounter {
public:
    void count(const std::int32_t* hypothesis, std::int64_t length, const std::int32_t* reference,
               std::int64_t reference_length, std::int64_t* row) {
        set_hypothesis(hypothesis, length);
        edits_.start(length);
        jumps_.start(length);
        const auto blocks = static_cast<std::int64_t>(after_.size());
        std::int64_t common = 0;
        for (std::int64_t r = 0; r < reference_length; ++r) {
            pace_.work(16 + 4 * blocks);
            const std::int32_t word = table_.find(reference[r]);
            mark(word, true);
            if (length > 0) {
                edits_.advance(equal_.data());
            }
            jumps_.advance(after_.data());
            mark(word, false);
            if (word != kNone && free_[word] > 0) {
                --free_[word];
                ++common;
            }
        }
        row[0] = length > 0 ? edits_.distance() : reference_length;
        row[1] = std::max(length, reference_length) - common;
        row[2] = jumps_.distance();
    }

private:
    void set_hypothesis(const std::int32_t* words, std::int64_t length) {
        pace_.work(32 * (length + 1));
        table_.reset(length);
        last_.clear();
        free_.clear();
        before_.resize(length);
        for (std::int64_t place = 0; place < length; ++place) {
            const std::int32_t word = table_.insert(words[place]);
            if (static_cast<std::size_t>(word) == last_.size()) {
                last_.push_back(kNone);
                free_.push_back(0);
            }
            before_[place] = last_[word];
            last_[word] = static_cast<std::int32_t>(place);
            ++free_[word];
        }
        equal_.assign(length / kWidth + 1, 0);
        after_.assign((length + 1) / kWidth + 1, 0);
    }

    // Sets or clears the bits of a word's places; those of all words at once would be quadratic in space.
    void mark(std::int32_t word, bool present) {
        for (std::int32_t place = word == kNone ? kNone : last_[word]; place != kNone;
             place = before_[place]) {
            pace_.work(2);
            const std::int64_t next = std::int64_t{place} + 1;
            equal_[place / kWidth] = present ? equal_[place / kWidth] | Bits{1} << (place % kWidth) : 0;
            after_[next / kWidth] = present ? after_[next / kWidth] | Bits{1} << (next % kWidth) : 0;
        }
    }

    KeyNumbers<std::int32_t> table_;
    PlainVector<std::int32_t> last_;    // by word: its last place
    PlainVector<std::int32_t> free_;    // by word: how often it is still to be found
    PlainVector<std::int32_t> before_;  // by place: the previous place of the same word
    PlainVector<Bits> equal_, after_;
    EditColumn edits_;
    JumpColumn jumps_;
    Pace pace_;
};

}  // namespace

void count_word_errors(const Batch& hypothesis, const Batch& reference, int jobs,
                       std::int64_t* rows) {
    for_each_block(hypothesis.offsets, hypothesis.segments, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       ErrorCounter counter;
                       for (std::int64_t s = first; s < last; ++s) {
                           counter.count(hypothesis.begin(s), hypothesis.length(s),
                                         reference.begin(s), reference.length(s),
                                         rows + s * kWordErrorColumns);
                       }
                   });
}

}  // namespace kilter
