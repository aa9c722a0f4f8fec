// Which words of a sentence pair may be linked in one stage of the matcher.
#pragma once

#include <cstdint>

#include "union_find.hpp"
#include "work_vector.hpp"

namespace kilter {

// What makes two words match: an equal key, or that they are listed. A word has one key (offsets is null; a
// negative key matches nothing), or those from offsets[word] to offsets[word + 1], of which one has to be
// shared. Where there are cells, keys do not count: free words match where a cell (first, second) says so.
struct MatchKeys {
    const std::int64_t* offsets = nullptr;
    const std::int32_t* keys = nullptr;
    std::int32_t count = 0;  // keys are below this
    const std::int32_t* cells = nullptr;          // sorted by segment, first and second word
    const std::int64_t* cell_offsets = nullptr;  // by segment; null where keys count
};

// Free words that hang together through matching: rows are words of the first sentence, columns words of
// the second, both ascending.
struct MatchGroup {
    std::int32_t rows = 0;
    std::int32_t cols = 0;
    std::int32_t first_row = 0;  // into group_rows
    std::int32_t first_col = 0;  // into group_cols
    std::int64_t first_pair = 0;
    bool complete = true;  // every row matches every column
};

class MatchCandidates {
public:
    explicit MatchCandidates(const MatchKeys& keys);

    // Starts a sentence pair without links.
    void start(const std::int32_t* first, std::int32_t rows, const std::int32_t* second,
               std::int32_t cols);
    // Names the cells of the sentence pair: pairs (row, col) of free words, sorted.
    void offer(const std::int32_t* cells, std::int64_t count);
    void link(std::int32_t row, std::int32_t col);
    // Groups the free words. Groups of one row and one column become links at once. False when the pairs
    // are more than max_pairs: then they are not listed, and only related() tells them.
    bool group(std::int64_t max_pairs);

    std::int32_t rows() const { return rows_; }
    std::int32_t cols() const { return cols_; }
    std::int64_t pairs() const { return pairs_; }
    // Neighbours may be asked for one place outside the sentence.
    std::int32_t partner(std::int32_t row) const { return partner_[at(row)]; }
    std::int32_t owner(std::int32_t col) const { return owner_[at(col)]; }
    bool linked(std::int32_t row, std::int32_t col) const {
        return col >= 0 && partner_[at(row)] == col;
    }
    // The number of a pair that may still be linked, or -1.
    std::int64_t pair(std::int32_t row, std::int32_t col) const {
        const std::int32_t group = row_group_[at(row)];
        if (group < 0 || col_group_[at(col)] != group) {
            return -1;
        }
        const MatchGroup& g = groups[group];
        const std::int64_t found = g.first_pair +
                                   std::int64_t{row_index_[at(row)]} * g.cols +
                                   col_index_[at(col)];
        return g.complete || related_[found] ? found : -1;
    }
    bool related(std::int32_t row, std::int32_t col) const;
    std::int32_t group_of_row(std::int32_t row) const { return row_group_[at(row)]; }
    std::int32_t group_of_col(std::int32_t col) const { return col_group_[at(col)]; }

    PlainVector<MatchGroup> groups;
    PlainVector<std::int32_t> group_rows;
    PlainVector<std::int32_t> group_cols;

private:
    static std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position + 1); }
    std::int32_t slot(std::int32_t key);
    void slots_by_single_key();
    void slots_by_shared_keys();
    void slots_by_cells();
    void count_slots();
    bool has_cell(std::int32_t row, std::int32_t col) const;
    void add_slot();
    bool list_pairs(std::int64_t max_pairs);

    MatchKeys keys_;
    const std::int32_t* first_ = nullptr;
    const std::int32_t* second_ = nullptr;
    const std::int32_t* cells_ = nullptr;
    std::int64_t cell_count_ = 0;
    std::int32_t rows_ = 0;
    std::int32_t cols_ = 0;
    std::int64_t pairs_ = 0;
    // By position + 1, with a sentinel of -1 on either side.
    PlainVector<std::int32_t> partner_;
    PlainVector<std::int32_t> owner_;
    PlainVector<std::int32_t> row_group_;
    PlainVector<std::int32_t> row_index_;
    PlainVector<std::int32_t> col_group_;
    PlainVector<std::int32_t> col_index_;
    PlainVector<std::uint8_t> related_;
    // By key: the slot it has in this sentence pair, valid when its stamp is the current one.
    PlainVector<std::uint64_t> stamp_;
    PlainVector<std::int32_t> slot_of_key_;
    std::uint64_t now_ = 0;
    struct Slot {
        std::int32_t rows, cols, group, only_col;
    };
    PlainVector<Slot> slots_;
    UnionFind sets_;  // of slots that share words
};

}  // namespace kilter
