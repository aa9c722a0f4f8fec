// Which path to follow in which of two trees, for every pair of subtrees, so that all takes fewest steps.
//
// Every pair of subtrees is solved along one path of one of them, after the subtrees that hang from it have
// been solved against the whole of the other. Pawlik and Augsten, "RTED: a robust algorithm for the tree edit
// distance", PVLDB 5 (2011), and "Tree edit distance: robust and memory-efficient", Information Systems 56 (2016).
#pragma once

#include <cstddef>
#include <cstdint>

#include "edit_tree.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// A path of the first tree, or of the second.
struct PathChoice {
    bool second;
    EditPath path;
};

class EditStrategy {
public:
    // The path of one pair is the best of all, or always this one: 0 to 2 of the first, 3 to 5 of the second.
    static constexpr int kBest = -1;
    static constexpr int kChoices = 2 * kEditPaths;

    // Returns how many steps the paths take, of about a nanosecond for all cost models.
    double plan(const EditTree& first, const EditTree& second, int only);

    // For two inner nodes.
    PathChoice choice(std::int32_t first, std::int32_t second) const {
        const int chosen = choices_[static_cast<std::size_t>(first) * columns_ + static_cast<std::size_t>(second)];
        return {chosen >= kEditPaths, static_cast<EditPath>(chosen % kEditPaths)};
    }

private:
    std::size_t columns_ = 0;
    WorkVector<std::uint8_t> choices_;
    Pace pace_;
};

}  // namespace kilter
