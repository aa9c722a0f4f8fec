// The words of a dependency tree in postorder, with what Zhang and Shasha's recurrence needs.
#pragma once

#include <cstdint>
#include <vector>

#include "work_vector.hpp"

namespace kilter {

// Children from left to right, or mirrored from right to left: then "leftmost" is rightmost.
class Postorder {
public:
    // Throws std::invalid_argument where heads are no tree.
    void build(const std::int32_t* heads, std::int32_t size, bool mirrored);

    std::int32_t size() const { return size_; }
    // The word at a place of the postorder.
    std::int32_t word(std::int32_t place) const { return word_[place]; }
    // The place of a word.
    std::int32_t place(std::int32_t word) const { return place_[word]; }
    // The place of the leftmost leaf below a place, which is where its subtree begins.
    std::int32_t leftmost(std::int32_t place) const { return leftmost_[place]; }
    const std::int32_t* leftmost() const { return leftmost_.data(); }
    // The place of the head; the root has -1.
    std::int32_t parent(std::int32_t place) const { return parent_[place]; }

    // Keyroots: the root, and every word that is not the first child. Ascending; leaves apart.
    const PlainVector<std::int32_t>& inner_keyroots() const { return inner_keyroots_; }
    const PlainVector<std::int32_t>& leaf_keyroots() const { return leaf_keyroots_; }
    // Words below inner keyroots, counted once for each: what the recurrence walks over.
    std::int64_t steps() const { return steps_; }
    // The same for the other side.
    std::int64_t mirrored_steps() const { return mirrored_steps_; }

private:
    std::int32_t size_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t mirrored_steps_ = 0;
    PlainVector<std::int32_t> word_, leftmost_, parent_, inner_keyroots_, leaf_keyroots_;
    PlainVector<std::int32_t> first_child_, next_, place_;
};

}  // namespace kilter
