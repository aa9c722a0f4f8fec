// What edits of linked words cost: the cost models of DTED, packed into integers. [TH] 4.4
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "link_rule.hpp"
#include "multiversion.hpp"
#include "tree_edit.hpp"
#include "work_vector.hpp"

namespace kilter {

inline constexpr int kEditModels = 4;

// The costs of all models beside one another: a machine register of four numbers.
using EditLanes = std::int32_t __attribute__((vector_size(16)));

// Packed pairs stay below 2^30 where both sentences together are shorter than this, so that two of them
// can be added in 32 bits; 16 bits hold the unaligned operations.
inline constexpr std::int64_t kNarrowWords = 1 << 14;
inline constexpr int kNarrowShift = 16;
inline constexpr int kWideShift = 32;

// What two words that an operation touches are to one another.
enum Touch { kUnlinked, kOneLinked, kMismatch, kPartners, kTouches };

// The cost of an operation under a model.
constexpr std::int64_t touch_cost(Touch touch, EditModel model, int shift) {
    const std::int64_t aligned = std::int64_t{1} << shift;
    switch (model) {
        case EditModel::kBasic:
            return 1;
        case EditModel::kLinked:
            return touch == kPartners ? 0 : 1;
        default:
            break;
    }
    if (touch == kPartners) {
        return 0;
    }
    if (touch == kUnlinked) {
        return 1;
    }
    return touch == kMismatch && model == EditModel::kNode ? 2 * aligned : aligned;
}

template <class Cost>
using CostTable = std::array<Cost, kTouches>;

// The costs of all models, narrow.
inline CostTable<EditLanes> lane_costs() {
    CostTable<EditLanes> costs;
    for (int touch = 0; touch < kTouches; ++touch) {
        for (int model = 0; model < kEditModels; ++model) {
            costs[static_cast<std::size_t>(touch)][model] = static_cast<std::int32_t>(
                touch_cost(static_cast<Touch>(touch), static_cast<EditModel>(model), kNarrowShift));
        }
    }
    return costs;
}

template <class Cost>
CostTable<Cost> model_costs(EditModel model, int shift) {
    CostTable<Cost> costs{};
    for (int touch = 0; touch < kTouches; ++touch) {
        costs[static_cast<std::size_t>(touch)] = static_cast<Cost>(touch_cost(static_cast<Touch>(touch), model, shift));
    }
    return costs;
}

template <class Cost>
KILTER_INLINE Cost least(Cost a, Cost b) {
    return a < b ? a : b;
}

// The links of one segment: pairs sorted by first word, and which second words have any.
class SegmentLinks {
public:
    void load(const LinkRows& links, std::int64_t segment, std::int32_t first_size, std::int32_t second_size) {
        const std::int64_t begin = links.offsets[segment];
        const std::int64_t end = links.offsets[segment + 1];
        begins_.assign(static_cast<std::size_t>(first_size) + 1, 0);
        linked_.assign(static_cast<std::size_t>(second_size), 0);
        partners_.clear();
        for (std::int64_t k = begin; k < end; ++k) {
            ++begins_[static_cast<std::size_t>(links.pairs[2 * k]) + 1];
            partners_.push_back(links.pairs[2 * k + 1]);
            linked_[static_cast<std::size_t>(links.pairs[2 * k + 1])] = 1;
        }
        for (std::size_t word = 1; word < begins_.size(); ++word) {
            begins_[word] += begins_[word - 1];
        }
    }
    const std::int32_t* begin(std::int32_t first) const { return partners_.data() + begins_[first]; }
    const std::int32_t* end(std::int32_t first) const { return partners_.data() + begins_[first + 1]; }
    bool first_linked(std::int32_t word) const { return begins_[word] != begins_[word + 1]; }
    bool second_linked(std::int32_t word) const { return linked_[word] != 0; }

private:
    PlainVector<std::int32_t> begins_, partners_;
    PlainVector<char> linked_;
};

// Nothing on one side: all words of the other, none of which has a link, are deleted or inserted.
inline void write_unlinked(std::int64_t words, std::int64_t* row) {
    row[0] = row[1] = row[3] = row[5] = words;
    row[2] = row[4] = 0;
}

// A row of distances from those of the models.
inline void write_edit_row(const std::array<std::int64_t, kEditModels>& found, int shift, std::int64_t* row) {
    const std::int64_t low = (std::int64_t{1} << shift) - 1;
    row[0] = found[0];
    row[1] = found[1];
    for (std::size_t pair = 0; pair < 2; ++pair) {
        row[2 + 2 * pair] = found[2 + pair] >> shift;
        row[3 + 2 * pair] = found[2 + pair] & low;
    }
}

}  // namespace kilter
