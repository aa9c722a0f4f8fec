// Rows of forests of a tree against those of another, along a side and along a heavy path.
#pragma once

#include <cstddef>
#include <cstdint>

#include "edit_cost.hpp"
#include "multiversion.hpp"
#include "work_vector.hpp"

namespace kilter {

template <class Cost>
KILTER_INLINE Cost most(Cost a, Cost b) {
    return a < b ? b : a;
}

// Columns of a row along a side: forests of keyroots of the other tree, one keyroot after another.
template <class Cost>
struct Columns {
    PlainVector<std::int32_t> places;  // the last word, counted from the first one that any column has
    PlainVector<std::int32_t> backs;   // the column without that word's subtree
    WorkVector<Cost> keep;             // zero where a keyroot begins: its empty forest
    WorkVector<Cost> spine;            // ones where the forest is a tree
    std::int32_t low = 0, high = 0;    // places of the tree that columns have words of

    void clear(std::int32_t begin) {
        places.clear();
        backs.clear();
        keep.clear();
        spine.clear();
        low = high = begin;
    }
    std::size_t count() const { return places.size(); }
};

// A row of forests that end with a word off the path: `base` is the row before its subtree, `trees` what its
// subtree saves beside others.
void side_row(const Columns<EditLanes>& columns, const EditLanes* above, const EditLanes* base,
              const EditLanes* trees, EditLanes* row);
void side_row(const Columns<std::int64_t>& columns, const std::int64_t* above, const std::int64_t* base,
              const std::int64_t* trees, std::int64_t* row);
// A row of the path: before its subtree there is nothing, and where the other forest is a tree as well, the
// roots may be joined, and what is saved is kept.
void side_path_row(const Columns<EditLanes>& columns, const EditLanes* above, const EditLanes* joins,
                   EditLanes* trees, EditLanes* row);
void side_path_row(const Columns<std::int64_t>& columns, const std::int64_t* above,
                   const std::int64_t* joins, std::int64_t* trees, std::int64_t* row);

// Along a heavy path all forests of the other tree are compared: those of its words from `a` on in the
// preorder and up to `b` in the postorder. Neighbouring `a` lie beside one another in a register.
template <class Scalar>
struct Wide;
template <>
struct Wide<std::int32_t> {
    using Register = std::int32_t __attribute__((vector_size(32)));
    static constexpr int kCount = 8;
    static constexpr Register kLanes = {0, 1, 2, 3, 4, 5, 6, 7};
};
template <>
struct Wide<std::int64_t> {
    using Register = std::int64_t __attribute__((vector_size(32)));
    static constexpr int kCount = 4;
    static constexpr Register kLanes = {0, 1, 2, 3};
};

using NarrowRegister = Wide<std::int32_t>::Register;
using WideRegister = Wide<std::int64_t>::Register;

// Forests of a block of `a`: a slot for each `b` that has a word in any of them, after one of empty forests.
template <class Scalar>
struct Slots {
    int registers = 1;                // of a slot
    std::int32_t begin = 0;           // the first `a`
    PlainVector<std::int32_t> words;  // of each slot: `b`
    PlainVector<std::int32_t> backs;  // the slot without the subtree of b
    PlainVector<std::int32_t> widths; // how many `a` have the word
    std::int32_t count() const { return static_cast<std::int32_t>(words.size()); }
    std::int32_t width() const { return registers * Wide<Scalar>::kCount; }
};

// A row of forests that end with a word whose subtree saves `trees` beside those of slots. Slots of `base` are
// forests without that subtree.
void slot_row(const Slots<std::int32_t>& slots, const NarrowRegister* above, const NarrowRegister* base,
              const std::int32_t* trees, NarrowRegister* out);
void slot_row(const Slots<std::int64_t>& slots, const WideRegister* above, const WideRegister* base,
              const std::int64_t* trees, WideRegister* out);
// The same for a word of the path, which is the root of all before it: `joins` is what joining it to the
// word of a slot saves, for slots that begin in this block; their `trees` are found, those of others known.
void root_slot_row(const Slots<std::int32_t>& slots, const NarrowRegister* above,
                   const NarrowRegister* nothing, const std::int32_t* joins, std::int32_t* trees,
                   NarrowRegister* out);
void root_slot_row(const Slots<std::int64_t>& slots, const WideRegister* above,
                   const WideRegister* nothing, const std::int64_t* joins, std::int64_t* trees,
                   WideRegister* out);

}  // namespace kilter
