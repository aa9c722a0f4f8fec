// Rows of a table of forests that is filled from its first row to its last, of which few are kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "work_vector.hpp"

namespace kilter {

// Rows of forests that are still looked back to: the one before each subtree that is not complete.
template <class Value>
class RowStack {
public:
    // All rows are `size` long; the current row is all zeros.
    void start(std::size_t size) {
        size_ = size;
        free_.clear();
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            free_.push_back(static_cast<std::int32_t>(row));
        }
        waiting_.clear();
        current_ = take();
        std::fill(row(current_), row(current_) + size_, Value{});
    }
    Value* current() { return row(current_); }

    // The row before the subtree of a word: a leaf begins one.
    const Value* before(bool leaf) {
        if (leaf) {
            waiting_.push_back(current_);
        }
        return row(waiting_.back());
    }
    // A row to fill with what ends at that word.
    Value* fresh() { return row(next_ = take()); }
    // The word is done; `last`: no later subtree begins where its does.
    void done(bool leaf, bool last) {
        if (!leaf) {
            free_.push_back(current_);
        }
        current_ = next_;
        if (last) {
            free_.push_back(waiting_.back());
            waiting_.pop_back();
        }
    }
    // The current row was overwritten by a fresh one, and no row before it is needed.
    void restart() {
        free_.push_back(current_);
        current_ = next_;
    }

private:
    Value* row(std::int32_t at) { return rows_[static_cast<std::size_t>(at)].data(); }
    std::int32_t take() {
        if (free_.empty()) {
            free_.push_back(static_cast<std::int32_t>(rows_.size()));
            rows_.emplace_back();
        }
        const std::int32_t taken = free_.back();
        free_.pop_back();
        if (rows_[static_cast<std::size_t>(taken)].size() < size_) {
            rows_[static_cast<std::size_t>(taken)].resize(size_);
        }
        return taken;
    }

    std::size_t size_ = 0;
    std::vector<LineVector<Value>> rows_;
    std::vector<std::int32_t> free_, waiting_;
    std::int32_t current_ = 0, next_ = 0;
};

}  // namespace kilter
