// Words to numbers: splits lines into words and gives every word one number.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kilter {

class Interner {
public:
    // The number of a word, a new one if it was never seen.
    std::int32_t number(std::string_view word);

    // Appends the numbers of the words of a line of UTF-8: split at white space as Python does, or
    // after the rules of the tokeniser 13a (mteval-v13a as sacreBLEU has it, entities not included).
    void split(std::string_view line, std::vector<std::int32_t>& numbers);
    void split_13a(std::string_view line, std::vector<std::int32_t>& numbers);

    std::size_t size() const { return words_.size(); }
    const std::string& word(std::size_t number) const { return words_[number]; }

private:
    std::deque<std::string> words_;  // a deque never moves what the keys of numbers_ look at
    std::unordered_map<std::string_view, std::int32_t> numbers_;
    std::string separated_, dotted_, dashed_;
};

}  // namespace kilter
