// Edit distance by bit-parallel dynamic programming: Myers (1999), in blocks as Hyyrö (2003) joins them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "multiversion.hpp"

namespace kilter {

using EditBits = std::uint64_t;
inline constexpr std::int64_t kEditBits = 64;

// The bit of the last word of a text, in its last block.
constexpr EditBits last_edit_bit(std::int64_t length) {
    return EditBits{1} << ((length + kEditBits - 1) % kEditBits);
}

// A column of the edit table is kept as vertical differences of neighbouring entries, one bit each for +1 (`plus`) and
// -1 (`minus`). Goes on to the next column: `equal` has a bit for every word that equals the next word of the other
// text. Returns by how much the last entry, that of bit `last` in the last block, changes.
KILTER_INLINE int advance_edits(EditBits* plus, EditBits* minus, const EditBits* equal, std::size_t blocks,
                                EditBits last) {
    EditBits plus_in = 1;  // the top row counts the words of the other text
    EditBits minus_in = 0;
    EditBits up = 0;
    EditBits down = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        const EditBits matches = equal[b] | minus_in;
        const EditBits zero = (((matches & plus[b]) + plus[b]) ^ plus[b]) | matches;
        up = minus[b] | ~(zero | plus[b]);
        down = zero & plus[b];
        const EditBits horizontal_plus = up << 1 | plus_in;
        const EditBits horizontal_minus = down << 1 | minus_in;
        const EditBits diagonal = equal[b] | minus[b];
        plus[b] = horizontal_minus | ~(diagonal | horizontal_plus);
        minus[b] = horizontal_plus & diagonal;
        plus_in = up >> (kEditBits - 1);
        minus_in = down >> (kEditBits - 1);
    }
    return ((up & last) != 0) - ((down & last) != 0);
}

}  // namespace kilter
