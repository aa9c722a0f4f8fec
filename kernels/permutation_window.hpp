// A part of a batch of permutations, copied and then checked: nobody can change it afterwards.
#pragma once

#include <array>
#include <cstdint>

#include "batch.hpp"
#include "work_vector.hpp"

namespace kilter {

struct Fault {
    std::int64_t segment = -1;  // -1: none
    std::int64_t position = 0;
    std::int64_t earlier = -1;  // where the value stood before, or -1 if it is out of range
};

// The first position where a segment is not a permutation of 0..n-1.
Fault find_fault(const Batch& batch);

// Arrays of a caller may change while they are read. Segments that fit into a core's nearest cache are
// copied, checked there and scored from there, which costs next to nothing.
class PermutationWindow {
public:
    // kWords: of segments of up to 64 words, only whether each value lies between 0 and 63, for kernels that
    // see by themselves whether there are as many different ones as words.
    enum class Check { kAll, kWords };

    // Takes segments from `first` on, at least one, up to `last` at most, and returns the one after them.
    // A segment that is no permutation is a std::invalid_argument. Offsets are not the caller's any more.
    std::int64_t load(const Batch& batch, std::int64_t first, std::int64_t last,
                      Check check = Check::kAll);

    // Throws a std::invalid_argument if one of the segments is no permutation; the caller counts from
    // `first`.
    void check_all(std::int64_t first) const;

    // The segments, counted from 0.
    Batch batch() const { return {values_.data(), offsets_.data(), segments_}; }

private:
    static constexpr std::int64_t kValues = 4096;

    WorkVector<std::int32_t> values_;
    std::array<std::int64_t, kValues + 1> offsets_;
    std::int64_t segments_ = 0;
};

// Calls each(part, first) for windows that cover first..last; `part` begins with that segment.
template <class Each>
void for_each_window(const Batch& batch, std::int64_t first, std::int64_t last, Each each) {
    PermutationWindow window;
    while (first < last) {
        const std::int64_t end = window.load(batch, first, last);
        each(window.batch(), first);
        first = end;
    }
}

// The same for kernels that tell whether all were permutations, where they are asked to look.
template <class Each>
void for_each_window(const Batch& batch, std::int64_t first, std::int64_t last,
                     PermutationWindow::Check check, Each each) {
    PermutationWindow window;
    while (first < last) {
        const std::int64_t end = window.load(batch, first, last, check);
        if (!each(window.batch(), first)) {
            window.check_all(first);
        }
        first = end;
    }
}

}  // namespace kilter
