// The position of the greatest number.
#pragma once

#include <algorithm>
#include <cstddef>

namespace kilter {

// The first of equally great ones.
template <class Number>
std::size_t argmax(const Number* numbers, std::size_t size) {
    return static_cast<std::size_t>(std::max_element(numbers, numbers + size) - numbers);
}

}  // namespace kilter
