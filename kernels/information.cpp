#include "information.hpp"

#include <algorithm>
#include <cmath>

#include "open_table.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::int32_t kRoot = 0;

// Numbers the n-grams of one order after another, so that only one table is needed at a time: an n-gram is
// the pair of its first n - 1 words, by their number, and its last word.
class InformationCounter {
public:
    InformationCounter(const Batch& hypothesis, const std::vector<Batch>& references)
        : hypothesis_(hypothesis), references_(references) {
        for (const Batch& reference : references_) {
            const auto words = static_cast<std::size_t>(reference.offsets[reference.segments]);
            total_ += words;
            nodes_.emplace_back(words, kRoot);
        }
        hypothesis_nodes_.assign(
            static_cast<std::size_t>(hypothesis.offsets[hypothesis.segments]), kRoot);
        counts_.assign(1, static_cast<std::int64_t>(total_));
    }

    // Adds up the bits of order n (from 0) for every segment.
    void advance(int n, int order, double* rows) {
        count_references(n);
        for (std::int64_t s = 0; s < hypothesis_.segments; ++s) {
            rows[s * order + n] = sum_segment(s, n);
        }
    }

private:
    void count_references(int n) {
        table_.reset(total_);
        const PlainVector<std::int64_t> prefixes = std::move(counts_);
        counts_ = {};
        bits_.clear();
        for (std::size_t k = 0; k < references_.size(); ++k) {
            for (std::int64_t s = 0; s < references_[k].segments; ++s) {
                for (std::int64_t at = references_[k].offsets[s]; at + n < references_[k].offsets[s + 1]; ++at) {
                    pace_.work(32);
                    std::int32_t& node = nodes_[k][at];
                    const std::int32_t prefix = node;
                    node = table_.insert(pair_key(prefix, references_[k].values[at + n]));
                    if (static_cast<std::size_t>(node) == counts_.size()) {
                        counts_.push_back(0);
                        bits_.push_back(static_cast<double>(prefixes[prefix]));
                    }
                    ++counts_[node];
                }
            }
        }
        for (std::size_t node = 0; node < counts_.size(); ++node) {
            pace_.work(16);
            bits_[node] = std::log2(bits_[node] / static_cast<double>(counts_[node]));
        }
        here_.assign(counts_.size(), 0);
        allowed_.assign(counts_.size(), 0);
    }

    double sum_segment(std::int64_t segment, int n) {
        for (std::size_t k = 0; k < references_.size(); ++k) {
            each_node(references_[k], nodes_[k], segment, n, [&](std::int32_t node) { ++here_[node]; });
            each_node(references_[k], nodes_[k], segment, n, [&](std::int32_t node) {
                allowed_[node] = std::max(allowed_[node], here_[node]);
            });
            each_node(references_[k], nodes_[k], segment, n, [&](std::int32_t node) { here_[node] = 0; });
        }
        double sum = 0.0;  // in the order of the hypothesis, whatever numbers its n-grams have
        for (std::int64_t at = hypothesis_.offsets[segment]; at + n < hypothesis_.offsets[segment + 1]; ++at) {
            pace_.work(32);
            std::int32_t& node = hypothesis_nodes_[at];
            if (node >= 0) {
                node = table_.find(pair_key(node, hypothesis_.values[at + n]));
            }
            if (node >= 0 && allowed_[node] > 0) {
                --allowed_[node];
                sum += bits_[node];
            }
        }
        for (std::size_t k = 0; k < references_.size(); ++k) {
            each_node(references_[k], nodes_[k], segment, n, [&](std::int32_t node) { allowed_[node] = 0; });
        }
        return sum;
    }

    template <class Work>
    void each_node(const Batch& text, const PlainVector<std::int32_t>& nodes, std::int64_t segment,
                   int n, Work work) {
        pace_.work(2 * text.length(segment));
        for (std::int64_t at = text.offsets[segment]; at + n < text.offsets[segment + 1]; ++at) {
            work(nodes[at]);
        }
    }

    const Batch& hypothesis_;
    const std::vector<Batch>& references_;
    std::size_t total_ = 0;
    KeyNumbers<std::uint64_t> table_;
    std::vector<PlainVector<std::int32_t>> nodes_;  // of the n-gram that starts at each reference word
    PlainVector<std::int32_t> hypothesis_nodes_;
    PlainVector<std::int64_t> counts_;  // of each n-gram, in all references
    PlainVector<double> bits_;
    PlainVector<std::int32_t> here_, allowed_;
    Pace pace_;
};

}  // namespace

void sum_information(const Batch& hypothesis, const std::vector<Batch>& references,
                     int order, double* rows) {
    InformationCounter counter(hypothesis, references);
    for (int n = 0; n < order; ++n) {
        counter.advance(n, order, rows);
    }
}

}  // namespace kilter
