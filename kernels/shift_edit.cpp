#include "shift_edit.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "myers.hpp"
#include "open_table.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

using Bits = EditBits;
constexpr std::int64_t kWidth = kEditBits;
constexpr std::int64_t kMostBlocks = 4;  // of bits: longer references take less by the table, which is narrow
constexpr std::int32_t kFar = 1 << 29;   // where no edits lead

// A row of an edit table over the reference.
struct EditRow {
    Bits plus[kMostBlocks];
    Bits minus[kMostBlocks];
    std::int64_t distance;  // at the end of the reference
};

// The part of each row of the table that is filled: entries first..last-1 of rows 1..n.
class Beam {
public:
    void set(std::int64_t words, std::int64_t reference) {
        first_.assign(words + 1, 0);
        last_.assign(words + 1, reference + 1);
        const double ratio = static_cast<double>(reference) / static_cast<double>(words);
        std::int64_t width = kBeamWidth;
        if (static_cast<double>(kBeamWidth) < ratio / 2) {
            width = static_cast<std::int64_t>(std::ceil(ratio / 2 + static_cast<double>(kBeamWidth)));
        }
        outside_ = kFar;
        for (std::int64_t row = 1; row <= words; ++row) {
            const auto middle = static_cast<std::int64_t>(std::floor(static_cast<double>(row) * ratio));
            first_[row] = std::max<std::int64_t>(0, middle - width);
            if (row < words) {
                last_[row] = std::min(reference + 1, middle + width);
            }
            see_outside(row, words - row, reference);
        }
    }
    std::int64_t first(std::int64_t row) const { return first_[row]; }
    std::int64_t last(std::int64_t row) const { return last_[row]; }
    // As many edits as any way through the table takes that leaves the beam, or fewer: with less of them, the beam
    // makes no difference.
    std::int64_t outside() const { return outside_; }

private:
    // From both ends of the table to an entry it takes at least as many insertions, or deletions, as the words left on
    // one side are more than on the other. Of entries on one side of the beam, those next to it are nearest.
    void see_outside(std::int64_t row, std::int64_t rest, std::int64_t reference) {
        const auto edits = [=](std::int64_t entry) {
            return std::abs(row - entry) + std::abs(rest - (reference - entry));
        };
        const std::int64_t one = row;
        const std::int64_t other = reference - rest;
        if (first_[row] > 0) {
            outside_ = std::min(outside_, edits(std::min(first_[row] - 1, std::max(one, other))));
        }
        if (last_[row] <= reference) {
            outside_ = std::min(outside_, edits(std::max(last_[row], std::min(one, other))));
        }
    }

    PlainVector<std::int64_t> first_, last_;
    std::int64_t outside_ = kFar;
};

// A block of words that is moved: it starts at `start`, and at `to` when it has been moved.
struct Shift {
    std::int64_t gain = 0;
    std::int64_t length = 0;
    std::int64_t start = 0;
    std::int64_t target = 0;
    std::int64_t to = 0;

    // Better shifts take away more edits, then are longer, then begin earlier, then go to an earlier place.
    bool better(const Shift& other) const {
        return std::tuple(gain, length, -start, -target) >
               std::tuple(other.gain, other.length, -other.start, -other.target);
    }
    void apply(PlainVector<std::int32_t>& words) const {
        const auto at = [&words](std::int64_t place) { return words.begin() + place; };
        if (to < start) {
            std::rotate(at(to), at(start), at(start + length));
        } else {
            std::rotate(at(start), at(start + length), at(to + length));
        }
    }
};

class ShiftSearch {
public:
    explicit ShiftSearch(bool by_bits) : by_bits_(by_bits) {}

    std::int64_t count(const std::int32_t* words, std::int64_t length, const std::int32_t* reference,
                       std::int64_t reference_length) {
        if (length == 0 || reference_length == 0) {
            return std::max(length, reference_length);
        }
        set_words(words, length, reference, reference_length);
        beam_.set(length, reference_length);
        tried_ = 0;
        for (std::int64_t shifts = 0;; ++shifts) {
            const std::int64_t edits = align();
            const Shift best = best_shift(edits);
            if (tried_ >= kMostShiftsTried || best.gain <= 0) {
                return shifts + edits;
            }
            best.apply(words_);
        }
    }

private:
    std::int64_t size() const { return static_cast<std::int64_t>(words_.size()); }
    std::int64_t reference_size() const { return static_cast<std::int64_t>(reference_.size()); }
    std::int32_t* table_row(std::int64_t row) { return table_.data() + row * (reference_size() + 1); }

    // Numbers words by the reference's; what it does not have is no word.
    void set_words(const std::int32_t* words, std::int64_t length, const std::int32_t* reference,
                   std::int64_t reference_length) {
        pace_.work(32 * (length + reference_length));
        numbers_.reset(reference_length);
        reference_.resize(reference_length);
        for (std::int64_t place = 0; place < reference_length; ++place) {
            reference_[place] = numbers_.insert(reference[place]);
        }
        const std::int32_t known = numbers_.size();
        words_.resize(length);
        PlainVector<std::int64_t> left(known, 0);
        for (const std::int32_t word : reference_) {
            ++left[word];
        }
        std::int64_t common = 0;
        for (std::int64_t place = 0; place < length; ++place) {
            const std::int32_t word = words_[place] = numbers_.find(words[place]);
            common += word >= 0 && left[word]-- > 0;
        }
        least_ = std::max(length, reference_length) - common;

        blocks_ = (reference_length + kWidth - 1) / kWidth;
        fits_bits_ = by_bits_ && blocks_ <= kMostBlocks;
        if (fits_bits_) {
            equal_.assign(blocks_ * (known + 1), 0);  // the first is no word
            for (std::int64_t place = 0; place < reference_length; ++place) {
                equal_[blocks_ * (reference_[place] + 1) + place / kWidth] |= Bits{1} << (place % kWidth);
            }
            rows_.resize(length + 1);
        }
        table_.resize((length + 1) * (reference_length + 1));
        for (std::int64_t place = 0; place <= reference_length; ++place) {
            table_[place] = static_cast<std::int32_t>(place);
        }
        for (auto& spare : spare_) {
            spare.resize(reference_length + 1);
        }
    }

    void advance(EditRow& row, std::int32_t word) const {
        row.distance += advance_edits(row.plus, row.minus, equal_.data() + blocks_ * (word + 1),
                                      static_cast<std::size_t>(blocks_), last_edit_bit(reference_size()));
    }

    // Fills a row of the table within the beam, and what the next row looks at beside it.
    void fill(std::int64_t row, std::int32_t word, const std::int32_t* before, std::int32_t* here) {
        const std::int64_t first = beam_.first(row);
        const std::int64_t last = beam_.last(row);
        pace_.work(2 * (last - first));
        std::int32_t left = kFar;
        std::int64_t entry = first;
        if (first > 0) {
            here[first - 1] = kFar;
        } else {
            here[0] = left = before[0] + 1;
            entry = 1;
        }
        for (; entry < last; ++entry) {
            const std::int32_t replaced = before[entry - 1] + (reference_[entry - 1] == word ? 0 : 1);
            left = std::min({kFar, replaced, before[entry] + 1, left + 1});
            here[entry] = left;
        }
        if (row < size()) {
            std::fill(here + last, here + std::max(last, beam_.last(row + 1)), kFar);
        }
    }

    // Edits without shifts, and where the words that they leave or replace stand.
    std::int64_t align() {
        for (std::int64_t row = 1; row <= size(); ++row) {
            fill(row, words_[row - 1], table_row(row - 1), table_row(row));
        }
        if (fits_bits_) {
            EditRow row{};
            std::fill_n(row.plus, kMostBlocks, ~Bits{0});
            row.distance = reference_size();
            rows_[0] = row;
            for (std::int64_t place = 0; place < size(); ++place) {
                advance(row, words_[place]);
                rows_[place + 1] = row;
            }
        }
        trace();
        return table_row(size())[reference_size()];
    }

    // Back through the table: an equal or replaced word is preferred, then one too many, then a missing one.
    void trace() {
        aligned_.assign(reference_.size(), 0);
        wrong_.assign(words_.size() + 1, 0);
        missed_.assign(reference_.size() + 1, 0);
        std::int64_t row = size();
        std::int64_t entry = reference_size();
        while (row > 0 || entry > 0) {
            pace_.work(4);
            const std::int32_t edits = table_row(row)[entry];
            const bool both = row > 0 && entry > 0;
            const bool same = both && words_[row - 1] == reference_[entry - 1];
            if (both && edits == table_row(row - 1)[entry - 1] + (same ? 0 : 1)) {
                --row;
                --entry;
                aligned_[entry] = row;
                wrong_[row + 1] = missed_[entry + 1] = same ? 0 : 1;
            } else if (row > 0 && (entry == 0 || edits == table_row(row - 1)[entry] + 1)) {
                --row;
                wrong_[row + 1] = 1;
            } else {
                --entry;
                aligned_[entry] = row - 1;
                missed_[entry + 1] = 1;
            }
        }
        // Sums, so that a look at both ends says whether a block has any.
        for (std::size_t place = 1; place < wrong_.size(); ++place) {
            wrong_[place] += wrong_[place - 1];
        }
        for (std::size_t place = 1; place < missed_.size(); ++place) {
            missed_[place] += missed_[place - 1];
        }
    }

    Shift best_shift(std::int64_t edits) {
        Shift best;
        for (std::int64_t start = 0; start < size(); ++start) {
            const std::int64_t end = std::min(reference_size(), start + kLongestShift + 1);
            pace_.work(2 * kLongestShift);
            for (std::int64_t there = std::max<std::int64_t>(0, start - kLongestShift); there < end; ++there) {
                const std::int64_t most =
                    std::min({kMostShiftedWords, size() - start, reference_size() - there});
                for (std::int64_t length = 1; length <= most; ++length) {
                    if (words_[start + length - 1] != reference_[there + length - 1]) {
                        break;
                    }
                    try_targets(start, there, length, edits, best);
                    if (tried_ >= kMostShiftsTried) {
                        return best;
                    }
                }
            }
        }
        return best;
    }

    // A block that equals one of the reference goes behind each word that is aligned with that one or the word before it,
    // unless all is right on one side or it stands there.
    void try_targets(std::int64_t start, std::int64_t there, std::int64_t length, std::int64_t edits, Shift& best) {
        const std::int64_t end = start + length;
        if (wrong_[end] == wrong_[start] || missed_[there + length] == missed_[there] ||
            (start <= aligned_[there] && aligned_[there] < end)) {
            return;
        }
        std::int64_t before = -1;
        for (std::int64_t place = there - 1; place < there + length; ++place) {
            const std::int64_t target = place < 0 ? 0 : aligned_[place] + 1;
            if (target == before) {
                continue;
            }
            before = target;
            ++tried_;
            Shift shift{0, length, start, target, target};
            if (target > end) {
                shift.to = target - length;
            } else if (target >= start) {
                shift.to = std::min(target, size() - length);
            }
            shift.gain = most_gain(shift, edits);
            if (shift.better(best)) {
                shift.gain = edits - edits_after(shift);
                if (shift.better(best)) {
                    best = shift;
                }
            }
        }
    }

    // No shift takes away more edits than deleting the block, or what it jumps over, and inserting it again would;
    // nor those of words that the other side does not have.
    std::int64_t most_gain(const Shift& shift, std::int64_t edits) const {
        const std::int64_t most = edits - least_;
        if (edits >= beam_.outside()) {  // the beam may have made edits of shorter ways
            return most;
        }
        return std::min(most, 2 * std::min(shift.length, std::abs(shift.to - shift.start)));
    }

    std::int64_t edits_after(const Shift& shift) {
        shifted_ = words_;
        shift.apply(shifted_);
        const std::int64_t same = std::min(shift.start, shift.to);
        if (fits_bits_) {
            pace_.work(8 * blocks_ * (size() - same));
            EditRow row = rows_[same];
            for (std::int64_t place = same; place < size(); ++place) {
                advance(row, shifted_[place]);
            }
            if (row.distance < beam_.outside()) {
                return row.distance;
            }
        }
        const std::int32_t* before = table_row(same);
        for (std::int64_t row = same + 1; row <= size(); ++row) {
            std::int32_t* here = spare_[row % 2].data();
            fill(row, shifted_[row - 1], before, here);
            before = here;
        }
        return before[reference_size()];
    }

    bool by_bits_;
    bool fits_bits_ = false;
    KeyNumbers<std::int32_t> numbers_;  // of the words of the reference
    PlainVector<std::int32_t> words_, reference_, shifted_;
    std::int64_t least_ = 0;  // edits that any order of the words takes
    Beam beam_;
    std::int64_t blocks_ = 0;
    PlainVector<Bits> equal_;
    PlainVector<EditRow> rows_;          // after each word
    WorkVector<std::int32_t> table_;     // rows of the words by entries of the reference
    PlainVector<std::int32_t> spare_[2];
    PlainVector<std::int64_t> aligned_;  // by reference word: the last word that it stands with or behind, or -1
    PlainVector<std::int64_t> wrong_, missed_;
    std::int64_t tried_ = 0;
    Pace pace_;
};

}  // namespace

void count_shift_edits(const Batch& hypothesis, const Batch& reference, int jobs, std::int64_t* edits) {
    for_each_block(hypothesis.offsets, hypothesis.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        ShiftSearch search(true);
        for (std::int64_t s = first; s < last; ++s) {
            edits[s] = search.count(hypothesis.begin(s), hypothesis.length(s), reference.begin(s), reference.length(s));
        }
    });
}

void count_shift_edits_plainly(const Batch& hypothesis, const Batch& reference, std::int64_t* edits) {
    ShiftSearch search(false);
    for (std::int64_t s = 0; s < hypothesis.segments; ++s) {
        edits[s] = search.count(hypothesis.begin(s), hypothesis.length(s), reference.begin(s), reference.length(s));
    }
}

}  // namespace kilter
