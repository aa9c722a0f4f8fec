#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "edit_cost.hpp"
#include "postorder.hpp"
#include "tree_edit.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Whether fewer subproblems come up from right to left than from left to right.
bool mirrored_is_cheaper(const Postorder& first, const Postorder& second) {
    return static_cast<double>(first.mirrored_steps()) * static_cast<double>(second.mirrored_steps()) <
           static_cast<double>(first.steps()) * static_cast<double>(second.steps());
}

// Tables for one optimal mapping: which subtrees are best compared by joining their roots.
class Mapper {
public:
    Mapper(std::int32_t first_size, std::int32_t second_size, const SegmentLinks& links, EditModel model)
        : links_(links),
          costs_(model_costs<std::int64_t>(model, kWideShift)),
          columns_(static_cast<std::size_t>(second_size)),
          trees_(static_cast<std::size_t>(first_size) * columns_),
          joins_(trees_.size(), 0),
          forests_((static_cast<std::size_t>(first_size) + 1) * (columns_ + 1)),
          pace_() {}

    // Compares all pairs of subtrees, in either direction: what is found of them is the same.
    void compare_subtrees(const Postorder& first, const Postorder& second) {
        a_ = &first;
        b_ = &second;
        for (const std::int32_t x : keyroots(first)) {
            for (const std::int32_t y : keyroots(second)) {
                compare(x, y, first.leftmost(x), second.leftmost(y), true);
            }
        }
    }

    // Takes both trees apart, from left to right whatever the direction before.
    std::vector<std::pair<std::int32_t, std::int32_t>> mapping(const Postorder& first, const Postorder& second) {
        a_ = &first;
        b_ = &second;
        std::vector<std::pair<std::int32_t, std::int32_t>> found;
        // Pairs of places up to which forests are still to be taken apart, and where these begin.
        struct Forests {
            std::int32_t begin, end, other, other_end;
        };
        std::vector<Forests> waiting{{0, a_->size(), 0, b_->size()}};
        while (!waiting.empty()) {
            const Forests next = waiting.back();
            waiting.pop_back();
            std::int32_t i = next.end;
            std::int32_t j = next.other_end;
            if (i == next.begin || j == next.other) {
                continue;
            }
            compare(i - 1, j - 1, next.begin, next.other, false);
            while (i > next.begin && j > next.other) {
                const std::int32_t x = i - 1;
                const std::int32_t y = j - 1;
                const std::int32_t start = a_->leftmost(x);
                const std::int32_t other_start = b_->leftmost(y);
                const std::int64_t best = forest(i - next.begin, j - next.other);
                if (joins_[cell(x, y)] != 0 &&
                    best == forest(start - next.begin, other_start - next.other) + trees_[cell(x, y)]) {
                    found.emplace_back(a_->word(x), b_->word(y));
                    if (start == next.begin && other_start == next.other) {
                        i = x;  // what is below the roots is in this table
                        j = y;
                    } else {
                        waiting.push_back({start, x, other_start, y});
                        i = start;
                        j = other_start;
                    }
                } else if (best == forest(i - 1 - next.begin, j - next.other) + deletion(x)) {
                    --i;
                } else {
                    --j;
                }
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    static PlainVector<std::int32_t> keyroots(const Postorder& order) {
        PlainVector<std::int32_t> all = order.inner_keyroots();
        all.insert(all.end(), order.leaf_keyroots().begin(), order.leaf_keyroots().end());
        std::sort(all.begin(), all.end());
        return all;
    }

    std::size_t cell(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(a_->word(x)) * columns_ + static_cast<std::size_t>(b_->word(y));
    }
    // Rows of the table of forests are as wide as its current pair needs.
    std::int64_t& forest(std::int32_t i, std::int32_t j) {
        return forests_[static_cast<std::size_t>(i) * stride_ + static_cast<std::size_t>(j)];
    }
    std::int64_t deletion(std::int32_t x) const {
        return costs_[links_.first_linked(a_->word(x)) ? kOneLinked : kUnlinked];
    }
    std::int64_t insertion(std::int32_t y) const {
        return costs_[links_.second_linked(b_->word(y)) ? kOneLinked : kUnlinked];
    }
    std::int64_t rename(std::int32_t x, std::int32_t y) const {
        const std::int32_t* first = links_.begin(a_->word(x));
        const std::int32_t* last = links_.end(a_->word(x));
        if (std::find(first, last, b_->word(y)) != last) {
            return costs_[kPartners];
        }
        const int linked = (first != last ? 1 : 0) + (links_.second_linked(b_->word(y)) ? 1 : 0);
        return costs_[linked == 0 ? kUnlinked : linked == 1 ? kOneLinked : kMismatch];
    }

    // Forests from two places on up to x and y; `fill` keeps what it finds of subtrees.
    void compare(std::int32_t x, std::int32_t y, std::int32_t begin, std::int32_t other, bool fill) {
        stride_ = static_cast<std::size_t>(y - other) + 2;
        forest(0, 0) = 0;
        for (std::int32_t j = other; j <= y; ++j) {
            forest(0, j - other + 1) = forest(0, j - other) + insertion(j);
        }
        for (std::int32_t i = begin; i <= x; ++i) {
            const std::int32_t row = i - begin + 1;
            const std::int64_t removed = deletion(i);
            pace_.work(2 * (std::int64_t{y} - other));
            forest(row, 0) = forest(row - 1, 0) + removed;
            for (std::int32_t j = other; j <= y; ++j) {
                const std::int32_t column = j - other + 1;
                const std::int64_t apart =
                    std::min(forest(row - 1, column) + removed, forest(row, column - 1) + insertion(j));
                if (fill && a_->leftmost(i) == begin && b_->leftmost(j) == other) {
                    const std::int64_t renamed = forest(row - 1, column - 1) + rename(i, j);
                    joins_[cell(i, j)] = renamed <= apart ? 1 : 0;
                    trees_[cell(i, j)] = forest(row, column) = std::min(renamed, apart);
                } else {
                    const std::int64_t joined =
                        forest(a_->leftmost(i) - begin, b_->leftmost(j) - other) + trees_[cell(i, j)];
                    forest(row, column) = std::min(joined, apart);
                }
            }
        }
    }

    const Postorder* a_ = nullptr;
    const Postorder* b_ = nullptr;
    const SegmentLinks& links_;
    const CostTable<std::int64_t> costs_;
    std::size_t columns_;
    std::size_t stride_ = 0;
    WorkVector<std::int64_t> trees_;  // by words, as the next
    PlainVector<char> joins_;
    WorkVector<std::int64_t> forests_;
    Pace pace_;
};

}  // namespace

bool mapping_fits(const std::int32_t* first, std::int64_t first_size, const std::int32_t* second,
                  std::int64_t second_size) {
    if (first_size == 0 || second_size == 0) {
        return true;
    }
    if (first_size > kMostMappingCells / second_size) {
        return false;
    }
    Postorder one, other;
    one.build(first, static_cast<std::int32_t>(first_size), false);
    other.build(second, static_cast<std::int32_t>(second_size), false);
    const auto few = [](std::int64_t steps, std::int64_t other_steps) {
        return static_cast<double>(steps) * static_cast<double>(other_steps) <= static_cast<double>(kMostEditSteps);
    };
    return few(one.steps(), other.steps()) || few(one.mirrored_steps(), other.mirrored_steps());
}

std::vector<std::pair<std::int32_t, std::int32_t>> edit_mapping(const std::int32_t* first, std::int32_t first_size,
                                                                const std::int32_t* second, std::int32_t second_size,
                                                                const LinkRows& links, EditModel model) {
    if (first_size == 0 || second_size == 0) {
        return {};
    }
    Postorder one, other;
    one.build(first, first_size, false);
    other.build(second, second_size, false);
    SegmentLinks own;
    own.load(links, 0, first_size, second_size);
    Mapper mapper(first_size, second_size, own, model);
    if (mirrored_is_cheaper(one, other)) {
        Postorder one_mirrored, other_mirrored;
        one_mirrored.build(first, first_size, true);
        other_mirrored.build(second, second_size, true);
        mapper.compare_subtrees(one_mirrored, other_mirrored);
    } else {
        mapper.compare_subtrees(one, other);
    }
    return mapper.mapping(one, other);
}

}  // namespace kilter
