// Ways between words of a tree: their lengths, and the labels along them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "dependency_tree.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// The depth of every word, and how far apart words are.
class Depths {
public:
    void load(const std::int32_t* heads, std::int32_t size) {
        KILTER_ASSERT(TreeCheck().is_forest(heads, size));
        heads_ = heads;
        depth_.assign(size, -1);
        order_.clear();
        for (std::int32_t word = 0; word < size; ++word) {
            climbed_.clear();
            std::int32_t at = word;
            for (; at >= 0 && depth_[at] < 0; at = heads[at]) {
                climbed_.push_back(at);
            }
            std::int32_t depth = at < 0 ? -1 : depth_[at];
            for (std::size_t k = climbed_.size(); k-- > 0;) {
                depth_[climbed_[k]] = ++depth;
                order_.push_back(climbed_[k]);  // heads come before their children
            }
        }
        common_.resize(size);
    }
    std::int32_t depth(std::int32_t word) const { return depth_[word]; }
    std::int32_t head(std::int32_t word) const { return heads_[word]; }

    // Prepares `up` for one word: the depth of what it has in common with every other.
    void look_from(std::int32_t word) {
        std::fill(common_.begin(), common_.end(), -1);
        for (std::int32_t at = word; at >= 0; at = heads_[at]) {
            common_[at] = depth_[at];
        }
        for (const std::int32_t at : order_) {
            if (common_[at] < 0) {
                // Where there are several roots, the first is above all of them.
                common_[at] = heads_[at] < 0 ? 0 : common_[heads_[at]];
            }
        }
        from_ = depth_[word];
    }
    // Edges from the word looked from up to what it has in common with another, and down from there.
    std::int32_t up(std::int32_t other) const { return from_ - common_[other]; }
    std::int32_t down(std::int32_t other) const { return depth_[other] - common_[other]; }

private:
    const std::int32_t* heads_ = nullptr;
    PlainVector<std::int32_t> depth_, order_, climbed_, common_;
    std::int32_t from_ = 0;
};

// Levenshtein distances between all beginnings of the labels on the ways from two words to their roots.
class LabelTable {
public:
    void fill(const Depths& first, const std::int32_t* first_labels, std::int32_t word,
              const Depths& second, const std::int32_t* second_labels, std::int32_t other) {
        collect(first, first_labels, word, rows_);
        collect(second, second_labels, other, columns_);
        stride_ = columns_.size() + 1;
        table_.resize((rows_.size() + 1) * stride_);
        std::iota(table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(stride_), 0);
        for (std::size_t i = 1; i <= rows_.size(); ++i) {
            pace_.work(static_cast<std::int64_t>(stride_));
            std::int32_t* row = table_.data() + i * stride_;
            const std::int32_t* above = row - stride_;
            row[0] = static_cast<std::int32_t>(i);
            for (std::size_t j = 1; j < stride_; ++j) {
                const std::int32_t replaced = above[j - 1] + (rows_[i - 1] != columns_[j - 1] ? 1 : 0);
                row[j] = std::min(replaced, std::min(above[j], row[j - 1]) + 1);
            }
        }
    }
    std::int32_t at(std::int32_t i, std::int32_t j) const {
        return table_[static_cast<std::size_t>(i) * stride_ + static_cast<std::size_t>(j)];
    }

private:
    static void collect(const Depths& tree, const std::int32_t* labels, std::int32_t word,
                        PlainVector<std::int32_t>& found) {
        found.clear();
        for (; tree.head(word) >= 0; word = tree.head(word)) {
            found.push_back(labels[word]);
        }
    }

    PlainVector<std::int32_t> rows_, columns_;
    WorkVector<std::int32_t> table_;
    std::size_t stride_ = 0;
    Pace pace_;
};

}  // namespace kilter
