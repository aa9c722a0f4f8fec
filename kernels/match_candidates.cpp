#include "match_candidates.hpp"

#include <algorithm>

namespace kilter {

MatchCandidates::MatchCandidates(const MatchKeys& keys)
    : keys_(keys),
      stamp_(static_cast<std::size_t>(keys.count), 0),
      slot_of_key_(static_cast<std::size_t>(keys.count)) {}

void MatchCandidates::start(const std::int32_t* first, std::int32_t rows,
                            const std::int32_t* second, std::int32_t cols) {
    first_ = first;
    second_ = second;
    rows_ = rows;
    cols_ = cols;
    pairs_ = 0;
    groups.clear();
    for (auto* of_row : {&partner_, &row_group_, &row_index_}) {
        of_row->assign(at(rows) + 1, -1);
    }
    for (auto* of_col : {&owner_, &col_group_, &col_index_}) {
        of_col->assign(at(cols) + 1, -1);
    }
}

void MatchCandidates::offer(const std::int32_t* cells, std::int64_t count) {
    cells_ = cells;
    cell_count_ = count;
}

void MatchCandidates::link(std::int32_t row, std::int32_t col) {
    partner_[at(row)] = col;
    owner_[at(col)] = row;
    row_group_[at(row)] = -1;
    col_group_[at(col)] = -1;
}

std::int32_t MatchCandidates::slot(std::int32_t key) {
    const auto place = static_cast<std::size_t>(key);
    if (stamp_[place] != now_) {
        stamp_[place] = now_;
        slot_of_key_[place] = static_cast<std::int32_t>(slots_.size());
        add_slot();
    }
    return slot_of_key_[place];
}

void MatchCandidates::add_slot() {
    slots_.push_back({0, 0, -1, -1});
    sets_.add();
}

// Leaves the slot of every free word in row_group_ and col_group_, -1 where nothing matches.
void MatchCandidates::slots_by_single_key() {
    for (std::int32_t col = 0; col < cols_; ++col) {
        const std::int32_t key = keys_.keys[second_[col]];
        if (owner_[at(col)] < 0 && key >= 0) {
            const std::int32_t s = slot(key);
            col_group_[at(col)] = s;
            ++slots_[s].cols;
        }
    }
    for (std::int32_t row = 0; row < rows_; ++row) {
        const std::int32_t key = keys_.keys[first_[row]];
        if (partner_[at(row)] < 0 && key >= 0 && stamp_[key] == now_) {
            const std::int32_t s = slot_of_key_[key];
            row_group_[at(row)] = s;
            ++slots_[s].rows;
        }
    }
}

void MatchCandidates::slots_by_shared_keys() {
    const auto place = [&](std::int32_t word) {
        std::int32_t found = -1;
        for (std::int64_t k = keys_.offsets[word]; k < keys_.offsets[word + 1]; ++k) {
            const std::int32_t s = slot(keys_.keys[k]);
            if (found >= 0) {
                sets_.join(s, found);
            } else {
                found = sets_.find(s);
            }
        }
        return found;
    };
    for (std::int32_t col = 0; col < cols_; ++col) {
        col_group_[at(col)] = owner_[at(col)] < 0 ? place(second_[col]) : -1;
    }
    for (std::int32_t row = 0; row < rows_; ++row) {
        row_group_[at(row)] = partner_[at(row)] < 0 ? place(first_[row]) : -1;
    }
    count_slots();
}

void MatchCandidates::slots_by_cells() {
    for (std::int64_t k = 0; k < cell_count_; ++k) {
        std::int32_t& row = row_group_[at(cells_[2 * k])];
        std::int32_t& col = col_group_[at(cells_[2 * k + 1])];
        if (row < 0) {
            row = static_cast<std::int32_t>(slots_.size());
            add_slot();
        }
        if (col < 0) {
            col = row;
        } else {
            sets_.join(col, row);
        }
    }
    count_slots();
}

// Puts every free word into the slot that its own was joined to.
void MatchCandidates::count_slots() {
    for (std::int32_t col = 0; col < cols_; ++col) {
        if (std::int32_t& s = col_group_[at(col)]; s >= 0) {
            s = sets_.find(s);
            ++slots_[s].cols;
        }
    }
    for (std::int32_t row = 0; row < rows_; ++row) {
        if (std::int32_t& s = row_group_[at(row)]; s >= 0) {
            s = sets_.find(s);
            ++slots_[s].rows;
        }
    }
}

bool MatchCandidates::group(std::int64_t max_pairs) {
    ++now_;
    slots_.clear();
    sets_.reset(0);
    groups.clear();
    if (keys_.cell_offsets != nullptr) {
        slots_by_cells();
    } else if (keys_.offsets == nullptr) {
        slots_by_single_key();
    } else {
        slots_by_shared_keys();
    }
    const bool by_single_key = keys_.offsets == nullptr && keys_.cell_offsets == nullptr;
    std::int32_t row_total = 0;
    std::int32_t col_total = 0;
    pairs_ = 0;
    for (Slot& s : slots_) {
        if (s.rows == 0 || s.cols == 0) {
            s.group = -1;
        } else if (s.rows == 1 && s.cols == 1) {
            s.group = -2;
        } else {
            s.group = static_cast<std::int32_t>(groups.size());
            groups.push_back({0, 0, row_total, col_total, pairs_, by_single_key});
            row_total += s.rows;
            col_total += s.cols;
            pairs_ += std::int64_t{s.rows} * s.cols;
        }
    }
    group_rows.resize(row_total);
    group_cols.resize(col_total);
    for (std::int32_t col = 0; col < cols_; ++col) {
        std::int32_t& place = col_group_[at(col)];
        if (place < 0) {
            continue;
        }
        Slot& s = slots_[place];
        place = s.group;
        if (s.group == -2) {
            s.only_col = col;
            place = -1;
        } else if (s.group >= 0) {
            MatchGroup& g = groups[s.group];
            col_index_[at(col)] = g.cols;
            group_cols[g.first_col + g.cols++] = col;
        }
    }
    for (std::int32_t row = 0; row < rows_; ++row) {
        std::int32_t& place = row_group_[at(row)];
        if (place < 0) {
            continue;
        }
        const Slot& s = slots_[place];
        place = s.group;
        if (s.group == -2) {
            link(row, s.only_col);
        } else if (s.group >= 0) {
            MatchGroup& g = groups[s.group];
            row_index_[at(row)] = g.rows;
            group_rows[g.first_row + g.rows++] = row;
        }
    }
    return list_pairs(max_pairs);
}

bool MatchCandidates::related(std::int32_t row, std::int32_t col) const {
    const std::int32_t group = row_group_[at(row)];
    if (group < 0 || col_group_[at(col)] != group) {
        return false;
    }
    if (groups[group].complete) {
        return true;
    }
    if (keys_.cell_offsets != nullptr) {
        return has_cell(row, col);
    }
    // The keys of a word are sorted.
    const std::int32_t* a = keys_.keys + keys_.offsets[first_[row]];
    const std::int32_t* a_end = keys_.keys + keys_.offsets[first_[row] + 1];
    const std::int32_t* b = keys_.keys + keys_.offsets[second_[col]];
    const std::int32_t* b_end = keys_.keys + keys_.offsets[second_[col] + 1];
    while (a != a_end && b != b_end) {
        if (*a == *b) {
            return true;
        }
        (*a < *b ? ++a : ++b);
    }
    return false;
}

bool MatchCandidates::has_cell(std::int32_t row, std::int32_t col) const {
    std::int64_t low = 0;
    std::int64_t high = cell_count_;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        const std::int32_t* cell = cells_ + 2 * middle;
        (cell[0] != row ? cell[0] < row : cell[1] < col) ? low = middle + 1 : high = middle;
    }
    return low < cell_count_ && cells_[2 * low] == row && cells_[2 * low + 1] == col;
}

bool MatchCandidates::list_pairs(std::int64_t max_pairs) {
    if (pairs_ > max_pairs) {
        return false;
    }
    if (keys_.offsets == nullptr && keys_.cell_offsets == nullptr) {
        return true;
    }
    related_.assign(pairs_, 0);
    for (MatchGroup& g : groups) {
        auto* cell = related_.data() + g.first_pair;
        const auto* begin = cell;
        for (std::int32_t x = 0; x < g.rows; ++x) {
            for (std::int32_t y = 0; y < g.cols; ++y) {
                *cell++ = related(group_rows[g.first_row + x],
                                  group_cols[g.first_col + y]);
            }
        }
        g.complete = std::find(begin, static_cast<const std::uint8_t*>(cell), 0) == cell;
    }
    return true;
}

}  // namespace kilter
