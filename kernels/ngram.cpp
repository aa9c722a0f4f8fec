#include "ngram.hpp"

#include <algorithm>
#include <cstdlib>

#include "open_table.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Numbers the n-grams of one hypothesis as the nodes of a trie: an n-gram is the pair of its first
// n - 1 words, as a node, and its last word. Nodes of one order are numbered without a gap.
class NgramCounter {
public:
    void set_hypothesis(const std::int32_t* words, std::int64_t length) {
        const auto size = static_cast<std::size_t>(length);
        table_.reset(size * kNgramOrder);
        node_.assign(size, kRoot);
        counts_.clear();
        for (int n = 0; n < kNgramOrder; ++n) {
            for (std::int64_t i = 0; i + n < length; ++i) {
                pace_.work(16);
                std::int32_t& node = node_[i];
                node = table_.insert(pair_key(node, words[i + n]));
                if (static_cast<std::size_t>(node) == counts_.size()) {
                    counts_.push_back({});
                }
                ++counts_[node].hypothesis;
            }
            ends_[n] = counts_.size();
        }
    }

    void add_reference(const std::int32_t* words, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) {
            pace_.work(64);
            std::int32_t node = kRoot;
            for (int n = 0; n < kNgramOrder && i + n < length; ++n) {
                node = table_.find(pair_key(node, words[i + n]));
                if (node < 0) {
                    break;
                }
                ++counts_[node].reference;
            }
        }
        for (Counts& counts : counts_) {
            counts.allowed = std::max(counts.allowed, counts.reference);
            counts.reference = 0;
        }
    }

    void write_matches(std::int64_t* matches) const {
        std::size_t node = 0;
        for (int n = 0; n < kNgramOrder; ++n) {
            matches[n] = 0;
            for (; node < ends_[n]; ++node) {
                matches[n] += std::min(counts_[node].hypothesis, counts_[node].allowed);
            }
        }
    }

private:
    static constexpr std::int32_t kRoot = -1;
    struct Counts {
        std::int32_t hypothesis = 0;
        std::int32_t reference = 0;  // in the reference at hand
        std::int32_t allowed = 0;    // the most in any one reference
    };

    KeyNumbers<std::uint64_t> table_;
    PlainVector<std::int32_t> node_;  // of the n-gram that starts at each word
    PlainVector<Counts> counts_;
    std::size_t ends_[kNgramOrder] = {};
    Pace pace_;
};

std::int64_t closest_length(const std::vector<Batch>& references, std::int64_t segment,
                            std::int64_t length) {
    std::int64_t closest = references.front().length(segment);
    for (const Batch& reference : references) {
        const std::int64_t other = reference.length(segment);
        const std::int64_t gain = std::abs(closest - length) - std::abs(other - length);
        if (gain > 0 || (gain == 0 && other < closest)) {
            closest = other;
        }
    }
    return closest;
}

}  // namespace

void count_ngrams(const Batch& hypothesis, const std::vector<Batch>& references, int jobs,
                  std::int64_t* rows) {
    for_each_block(hypothesis.offsets, hypothesis.segments, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       NgramCounter counter;
                       Pace pace;
                       for (std::int64_t s = first; s < last; ++s) {
                           const std::int64_t length = hypothesis.length(s);
                           pace.work(64);
                           std::int64_t* row = rows + s * kNgramColumns;
                           counter.set_hypothesis(hypothesis.begin(s), length);
                           for (const Batch& reference : references) {
                               counter.add_reference(reference.begin(s), reference.length(s));
                           }
                           row[0] = length;
                           row[1] = closest_length(references, s, length);
                           counter.write_matches(row + 2);
                           for (int n = 0; n < kNgramOrder; ++n) {
                               row[2 + kNgramOrder + n] = std::max<std::int64_t>(length - n, 0);
                           }
                       }
                   });
}

}  // namespace kilter
