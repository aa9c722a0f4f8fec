#include "edit_rows.hpp"

#include <cstring>

namespace kilter {
namespace {

// Either value in each lane; lanes of the mask are all ones or all zeros.
template <class Cost>
KILTER_INLINE Cost either(Cost mask, Cost yes, Cost no) {
    return (mask & yes) | (~mask & no);
}

// A row of forests that end with a word off the path.
template <class Cost>
KILTER_INLINE void fill_row(const Columns<Cost>& columns, const Cost* above, const Cost* base,
                            const Cost* trees, Cost* row) {
    const std::int32_t* const places = columns.places.data();
    const std::int32_t* const backs = columns.backs.data();
    const Cost* const keep = columns.keep.data();
    const std::size_t count = columns.count();
    Cost left = Cost{};
    for (std::size_t c = 0; c < count; ++c) {
        left = most(most(above[c], base[backs[c]] + trees[places[c]]), left & keep[c]);
        row[c] = left;
    }
}

// A row of the path: before its subtree there is nothing, and where the other forest is a tree as well, the
// roots may be joined, and what is saved is kept.
template <class Cost>
KILTER_INLINE void fill_path_row(const Columns<Cost>& columns, const Cost* above, const Cost* joins,
                                 Cost* trees, Cost* row) {
    const std::int32_t* const places = columns.places.data();
    const Cost* const keep = columns.keep.data();
    const Cost* const spine = columns.spine.data();
    const std::size_t count = columns.count();
    Cost left = Cost{};
    Cost corner = Cost{};
    for (std::size_t c = 0; c < count; ++c) {
        const Cost known = trees[places[c]];
        const Cost joined = either(spine[c], corner + joins[places[c]], known);
        corner = above[c];
        left = most(most(corner, joined), left & keep[c]);
        trees[places[c]] = either(spine[c], left, known);
        row[c] = left;
    }
}

// A row of forests that end with a word whose subtree saves `trees` beside those of slots. Slots of `base` are
// forests without that subtree.
template <class Scalar>
KILTER_INLINE void fill_slot(typename Wide<Scalar>::Register* out,
                             const typename Wide<Scalar>::Register* above,
                             const typename Wide<Scalar>::Register* base, Scalar tree, int registers,
                             std::int32_t width, bool whole) {
    using Register = typename Wide<Scalar>::Register;
    const Register* const before = out - registers;
    for (int r = 0; r < registers; ++r) {
        const Register joined = base[r] + tree;
        Register value = above[r];
        value = value < joined ? joined : value;
        const Register same = before[r];
        value = value < same ? same : value;
        if (!whole) {
            const Register inside = Wide<Scalar>::kLanes < static_cast<Scalar>(width - r * Wide<Scalar>::kCount);
            value = (inside & value) | (~inside & same);
        }
        out[r] = value;
    }
}

template <class Scalar>
KILTER_INLINE void fill_slots(const Slots<Scalar>& slots, const typename Wide<Scalar>::Register* above,
                              const typename Wide<Scalar>::Register* base, const Scalar* trees,
                              typename Wide<Scalar>::Register* out) {
    const int registers = slots.registers;
    const std::int32_t width = slots.width();
    std::memset(out, 0, static_cast<std::size_t>(registers) * sizeof(*out));
    for (std::int32_t s = 1; s < slots.count(); ++s) {
        fill_slot<Scalar>(out + s * registers, above + s * registers,
                          base + slots.backs[s] * registers, trees[s], registers, slots.widths[s],
                          slots.widths[s] >= width);
    }
}

// The same for a word of the path, which is the root of all before it: `joins` is what joining it to the
// word of a slot saves, for slots that begin in this block; their `trees` are found, those of others known.
template <class Scalar>
KILTER_INLINE void fill_root_slots(const Slots<Scalar>& slots,
                                   const typename Wide<Scalar>::Register* above,
                                   const typename Wide<Scalar>::Register* nothing, const Scalar* joins,
                                   Scalar* trees, typename Wide<Scalar>::Register* out) {
    constexpr int kLanes = Wide<Scalar>::kCount;
    const int registers = slots.registers;
    const std::int32_t width = slots.width();
    std::memset(out, 0, static_cast<std::size_t>(registers) * sizeof(*out));
    for (std::int32_t s = 1; s < slots.count(); ++s) {
        const std::int32_t own = slots.widths[s] - 1;
        const bool whole = slots.widths[s] > width;
        if (!whole) {
            const int r = own / kLanes;
            const int lane = own % kLanes;
            trees[s] = most(most<Scalar>(above[s * registers + r][lane], out[(s - 1) * registers + r][lane]),
                            static_cast<Scalar>(above[(s - 1) * registers + r][lane] + joins[own]));
        }
        fill_slot<Scalar>(out + s * registers, above + s * registers, nothing, trees[s], registers, own + 1,
                          own + 1 >= width);
    }
}

}  // namespace

KILTER_MULTIVERSION
void side_row(const Columns<EditLanes>& columns, const EditLanes* above, const EditLanes* base,
              const EditLanes* trees, EditLanes* row) {
    fill_row(columns, above, base, trees, row);
}

KILTER_MULTIVERSION
void side_path_row(const Columns<EditLanes>& columns, const EditLanes* above, const EditLanes* joins,
                   EditLanes* trees, EditLanes* row) {
    fill_path_row(columns, above, joins, trees, row);
}

void side_row(const Columns<std::int64_t>& columns, const std::int64_t* above, const std::int64_t* base,
              const std::int64_t* trees, std::int64_t* row) {
    fill_row(columns, above, base, trees, row);
}

void side_path_row(const Columns<std::int64_t>& columns, const std::int64_t* above,
                   const std::int64_t* joins, std::int64_t* trees, std::int64_t* row) {
    fill_path_row(columns, above, joins, trees, row);
}

KILTER_MULTIVERSION
void slot_row(const Slots<std::int32_t>& slots, const NarrowRegister* above, const NarrowRegister* base,
              const std::int32_t* trees, NarrowRegister* out) {
    fill_slots(slots, above, base, trees, out);
}

KILTER_MULTIVERSION
void root_slot_row(const Slots<std::int32_t>& slots, const NarrowRegister* above,
                   const NarrowRegister* nothing, const std::int32_t* joins, std::int32_t* trees,
                   NarrowRegister* out) {
    fill_root_slots(slots, above, nothing, joins, trees, out);
}

void slot_row(const Slots<std::int64_t>& slots, const WideRegister* above, const WideRegister* base,
              const std::int64_t* trees, WideRegister* out) {
    fill_slots(slots, above, base, trees, out);
}

void root_slot_row(const Slots<std::int64_t>& slots, const WideRegister* above,
                   const WideRegister* nothing, const std::int64_t* joins, std::int64_t* trees,
                   WideRegister* out) {
    fill_root_slots(slots, above, nothing, joins, trees, out);
}

}  // namespace kilter
