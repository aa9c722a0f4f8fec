#include "postorder.hpp"

#include <cstddef>
#include <stdexcept>

namespace kilter {

void Postorder::build(const std::int32_t* heads, std::int32_t size, bool mirrored) {
    const auto count = static_cast<std::size_t>(size);
    size_ = size;
    steps_ = 0;
    mirrored_steps_ = 0;
    inner_keyroots_.clear();
    leaf_keyroots_.clear();
    word_.resize(count);
    leftmost_.resize(count);
    parent_.resize(count);
    next_.resize(count);
    place_.resize(count);
    first_child_.assign(count + 1, -1);  // entry 0 belongs to what is above the root
    const auto hang = [&](std::int32_t word) {
        const std::int32_t head = heads[word];
        if (head < -1 || head >= size) {
            throw std::invalid_argument("a head lies outside its tree");
        }
        next_[word] = first_child_[head + 1];
        first_child_[head + 1] = word;
    };
    if (mirrored) {
        for (std::int32_t word = 0; word < size; ++word) {
            hang(word);
        }
    } else {
        for (std::int32_t word = size - 1; word >= 0; --word) {
            hang(word);
        }
    }
    if (size == 0) {
        return;
    }
    const auto descend = [&](std::int32_t word) {
        while (first_child_[word + 1] >= 0) {
            word = first_child_[word + 1];
        }
        return word;
    };
    std::int32_t place = 0;
    if (first_child_[0] >= 0 && next_[first_child_[0]] < 0) {
        for (std::int32_t word = descend(first_child_[0]); word >= 0; ++place) {
            const std::int32_t child = first_child_[word + 1];
            place_[word] = place;
            word_[place] = word;
            leftmost_[place] = child < 0 ? place : leftmost_[place_[child]];
            const bool root = heads[word] < 0;
            const std::int64_t below = child < 0 ? 0 : place - leftmost_[place] + 1;
            if (root || word != first_child_[heads[word] + 1]) {
                (child < 0 ? leaf_keyroots_ : inner_keyroots_).push_back(place);
                steps_ += below;
            }
            if (root || next_[word] >= 0) {
                mirrored_steps_ += below;
            }
            word = next_[word] >= 0 ? descend(next_[word]) : heads[word];
        }
    }
    if (place != size) {
        throw std::invalid_argument("heads have several roots or a cycle");
    }
    for (std::int32_t at = 0; at < size; ++at) {
        const std::int32_t head = heads[word_[at]];
        parent_[at] = head < 0 ? -1 : place_[head];
    }
}

}  // namespace kilter
