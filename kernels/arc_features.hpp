// What the transition parsers look at, whichever way they search.
#pragma once

#include <cstdint>

#include "perceptron.hpp"

namespace kilter {

constexpr std::int32_t no_word = -2;

// A word of the stack or the front of the buffer, and what already hangs from it. The root is word -1.
struct Piece {
    std::int32_t word = no_word;
    std::int32_t first = no_word;   // its leftmost child on the left
    std::int32_t last = no_word;    // its rightmost child on the right
    std::int32_t second = no_word;  // the children next to these
    std::int32_t last_but_one = no_word;
    std::int32_t first_name = 0;    // their labels, counted from 1
    std::int32_t last_name = 0;
    std::uint32_t lefts = 0;
    std::uint32_t rights = 0;
    std::uint64_t known = 0;        // the labels of all children, one bit each

    bool operator==(const Piece&) const = default;

    // Hangs a word from this one.
    void take(std::int32_t child, std::int32_t name) {
        if (word < 0) {
            return;
        }
        known |= std::uint64_t{1} << (name & 63);
        if (child < word) {
            ++lefts;
            second = first;
            first = child;
            first_name = name + 1;
        } else {
            ++rights;
            last_but_one = last;
            last = child;
            last_name = name + 1;
        }
    }
};

// The top of the stack and the front of the buffer, which the rest of the buffer follows.
struct Surroundings {
    const WordRows& words;
    const std::int32_t* tags;
    Piece s0;
    Piece s1;
    std::int32_t s2 = no_word;
    Piece b0;

    // Whether a parser sees the same here and there, in one sentence.
    bool same(const Surroundings& other) const {
        return s0 == other.s0 && s1 == other.s1 && s2 == other.s2 && b0 == other.b0;
    }
};

void move_features(const Surroundings& here, Features& out);

// Of the arc from a head to the top of the stack.
void label_features(const Surroundings& here, const Piece& head, Features& out);

}  // namespace kilter
