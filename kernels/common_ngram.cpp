#include "common_ngram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "multiversion.hpp"
#include "threads.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// The characters from one place on, as numbers: 0 is the end of the text, or a character that the other
// text does not have, and then all that follow are 0. Keys sort as their characters do.
//
// Six numbers below 1024 fit into one word. A reference of more than 1023 different characters is rare
// enough for a slower key.
class PackedKey {
public:
    static constexpr std::size_t kMostNumbers = 1023;

    // This character before those of the next key, less the last; a 0 ends it.
    void begin_with(std::uint32_t number) {
        bits_ = number == 0 ? 0 : static_cast<std::uint64_t>(number) << (10 * (kCommonOrder - 1)) | bits_ >> 10;
    }
    // How many characters there are before the first 0.
    KILTER_INLINE int length() const { return bits_ == 0 ? 0 : kCommonOrder - std::countr_zero(bits_) / 10; }
    // How many characters at the beginning are equal, zeros at the end included.
    KILTER_INLINE int same(const PackedKey& other) const {
        const std::uint64_t changed = bits_ ^ other.bits_;
        return changed == 0 ? kCommonOrder : (std::countl_zero(changed) - 4) / 10;
    }
    KILTER_INLINE bool operator<(const PackedKey& other) const { return bits_ < other.bits_; }

private:
    std::uint64_t bits_ = 0;
};

class WideKey {
public:
    void begin_with(std::uint32_t number) {
        if (number == 0) {
            numbers_.fill(0);
            return;
        }
        std::shift_right(numbers_.begin(), numbers_.end(), 1);
        numbers_.front() = number;
    }
    int length() const {
        return static_cast<int>(std::find(numbers_.begin(), numbers_.end(), 0U) - numbers_.begin());
    }
    int same(const WideKey& other) const {
        const auto [mine, theirs] = std::mismatch(numbers_.begin(), numbers_.end(), other.numbers_.begin());
        return static_cast<int>(mine - numbers_.begin());
    }
    bool operator<(const WideKey& other) const { return numbers_ < other.numbers_; }

private:
    std::array<std::uint32_t, kCommonOrder> numbers_{};
};

// Numbers from 1 for the elements of a reference. Most characters are below 256, and found at once.
class Numbering {
public:
    void set(const std::int32_t* text, std::int64_t length) {
        small_.fill(0);
        large_.clear();
        count_ = 0;
        for (std::int64_t k = 0; k < length; ++k) {
            if (text[k] >= kSmall) {
                large_.push_back(text[k]);
            } else if (std::uint32_t& number = small_[static_cast<std::size_t>(text[k])]; number == 0) {
                number = ++count_;
            }
        }
        std::sort(large_.begin(), large_.end());
        large_.erase(std::unique(large_.begin(), large_.end()), large_.end());
    }
    std::size_t size() const { return count_ + large_.size(); }
    // 0 for an element that the reference does not have.
    std::uint32_t operator()(std::int32_t element) const {
        if (element < kSmall) {
            return small_[static_cast<std::size_t>(element)];
        }
        const auto found = std::lower_bound(large_.begin(), large_.end(), element);
        const bool here = found != large_.end() && *found == element;
        return here ? count_ + 1 + static_cast<std::uint32_t>(found - large_.begin()) : 0;
    }

private:
    static constexpr std::int32_t kSmall = 256;
    std::array<std::uint32_t, kSmall> small_{};
    std::vector<std::int32_t> large_;
    std::uint32_t count_ = 0;
};

// The keys of a text in their order. Most texts have few keys with the same first character: keys are dealt out by
// it, and short piles are sorted by insertion, which takes a third of the time of sorting them all.
template <class Key>
class KeyList {
public:
    void set(const std::int32_t* text, std::int64_t length, const Numbering& numbering) {
        numbers_.clear();
        ends_.assign(numbering.size() + 2, 0);
        for (std::int64_t k = 0; k < length; ++k) {
            numbers_.push_back(numbering(text[k]));
            ++ends_[numbers_.back() + 1];
        }
        ends_[1] = 0;  // a key of nothing is left out
        for (std::size_t number = 1; number < ends_.size(); ++number) {
            ends_[number] += ends_[number - 1];
        }
        keys_.resize(ends_.back());
        Key key;
        for (std::size_t first = numbers_.size(); first-- > 0;) {
            key.begin_with(numbers_[first]);
            if (numbers_[first] != 0) {
                keys_[ends_[numbers_[first]]++] = key;
            }
        }
        std::size_t begin = 0;
        for (std::size_t number = 1; number + 1 < ends_.size(); ++number) {
            pace_.work(64 * static_cast<std::int64_t>(ends_[number] - begin));
            sort(begin, ends_[number]);
            begin = ends_[number];
        }
    }
    const std::vector<Key>& keys() const { return keys_; }

private:
    static constexpr std::size_t kFew = 24;

    void sort(std::size_t begin, std::size_t end) {
        if (end - begin > kFew) {
            std::sort(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                      keys_.begin() + static_cast<std::ptrdiff_t>(end));
            return;
        }
        for (std::size_t k = begin + 1; k < end; ++k) {
            const Key moved = keys_[k];
            std::size_t at = k;
            for (; at > begin && moved < keys_[at - 1]; --at) {
                keys_[at] = keys_[at - 1];
            }
            keys_[at] = moved;
        }
    }

    std::vector<std::uint32_t> numbers_;
    std::vector<std::size_t> ends_;  // where the keys with each first number end; while they are dealt out, begin
    std::vector<Key> keys_;
    Pace pace_;
};

// By order, one lane each; two lanes are there to fill a register.
constexpr std::size_t kLanes = 8;
using Lanes = std::array<std::int32_t, kLanes>;

// All bits of the lanes from each number on.
constexpr std::array<Lanes, kCommonOrder + 1> kFrom = [] {
    std::array<Lanes, kCommonOrder + 1> made{};
    for (std::size_t from = 0; from < made.size(); ++from) {
        for (std::size_t lane = from; lane < kLanes; ++lane) {
            made[from][lane] = -1;
        }
    }
    return made;
}();

// Counts of the n-grams that begin as the last key did, by order and side. Keys come in their order: n-grams of
// an order stand together, and where the beginning changes, the smaller of both counts is added. Every order is
// looked at for every key, since a loop of a known length has no branch to mispredict.
struct Groups {
    Lanes counts[2] = {};
    Lanes rows = {};

    // Ends the n-grams longer than `kept`.
    KILTER_INLINE void close(int kept) {
        const Lanes& ended = kFrom[static_cast<std::size_t>(kept)];
        for (std::size_t n = 0; n < kLanes; ++n) {
            rows[n] += std::min(counts[0][n], counts[1][n]) & ended[n];
            counts[0][n] &= ~ended[n];
            counts[1][n] &= ~ended[n];
        }
    }
    KILTER_INLINE void add(int length, std::size_t side) {
        const Lanes& without = kFrom[static_cast<std::size_t>(length)];
        for (std::size_t n = 0; n < kLanes; ++n) {
            counts[side][n] += 1 + without[n];
        }
    }
};

template <class Key>
KILTER_INLINE void merge(const std::vector<Key>& one, const std::vector<Key>& other, int order, std::int64_t* row) {
    Groups groups;
    Key last;
    std::size_t k = 0;
    std::size_t m = 0;
    while (k < one.size() || m < other.size()) {
        const bool mine = m == other.size() || (k < one.size() && one[k] < other[m]);
        const Key& key = mine ? one[k++] : other[m++];
        groups.close(key.same(last));
        groups.add(key.length(), static_cast<std::size_t>(!mine));
        last = key;
    }
    groups.close(0);
    std::copy_n(groups.rows.begin(), order, row);
}

KILTER_MULTIVERSION
void count_common(const std::vector<PackedKey>& one, const std::vector<PackedKey>& other, int order,
                  std::int64_t* row) {
    merge(one, other, order, row);
}

void count_common(const std::vector<WideKey>& one, const std::vector<WideKey>& other, int order, std::int64_t* row) {
    merge(one, other, order, row);
}

class CommonCounter {
public:
    void count(const Batch& hypothesis, const Batch& reference, std::int64_t segment, int order,
               std::int64_t* row) {
        numbering_.set(reference.begin(segment), reference.length(segment));
        if (numbering_.size() <= PackedKey::kMostNumbers) {
            count(packed_, hypothesis, reference, segment, order, row);
        } else {
            count(wide_, hypothesis, reference, segment, order, row);
        }
    }

private:
    template <class Key>
    void count(std::array<KeyList<Key>, 2>& sides, const Batch& hypothesis, const Batch& reference,
               std::int64_t segment, int order, std::int64_t* row) {
        sides[0].set(hypothesis.begin(segment), hypothesis.length(segment), numbering_);
        sides[1].set(reference.begin(segment), reference.length(segment), numbering_);
        count_common(sides[0].keys(), sides[1].keys(), order, row);
    }

    Numbering numbering_;
    std::array<KeyList<PackedKey>, 2> packed_;
    std::array<KeyList<WideKey>, 2> wide_;
};

}  // namespace

void count_common_ngrams(const Batch& hypothesis, const Batch& reference, int order, int jobs,
                         std::int64_t* rows) {
    for_each_block(hypothesis.offsets, hypothesis.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        CommonCounter counter;
        Pace pace;
        for (std::int64_t s = first; s < last; ++s) {
            pace.work(64 * (hypothesis.length(s) + reference.length(s) + 8));
            counter.count(hypothesis, reference, s, order, rows + s * order);
        }
    });
}

}  // namespace kilter
