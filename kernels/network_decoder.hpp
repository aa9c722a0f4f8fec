// Trees, labels and tags of what the network says of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "network_parser.hpp"

namespace kilter {

// Where answers go: a tag, a head and a label for each word.
struct NetworkAnswers {
    std::int32_t* tags;
    std::int32_t* heads;
    std::int32_t* labels;

    NetworkAnswers from(std::size_t word) const { return {tags + word, heads + word, labels + word}; }
};

class NetworkDecoder {
public:
    explicit NetworkDecoder(const NetworkParts& parts);

    // Numbers that `decode` takes for each word: the outputs of `heads`.
    std::size_t columns() const { return parts_.heads.weights().stride(); }
    // Makes them of sums, in which rows have as many columns; `steps` are those of the rows.
    void scale(const std::int32_t* sums, const float* steps, std::size_t words, float* said) const;

    // Answers for a sentence, or for words `begin` and following of a sentence that is too long.
    void decode(const float* said, std::size_t begin, std::size_t words, NetworkAnswers out);

private:
    void find_heads(const float* said, std::size_t words, std::int32_t* heads);
    void score_arcs(const float* said, std::size_t words);
    bool choose_best(std::size_t words, std::int32_t* heads);
    void name_arcs(const float* said, std::size_t begin, std::size_t words, NetworkAnswers out);
    const float* label_head(const float* said, std::int32_t head) const;

    const NetworkParts& parts_;
    std::size_t arcs_;
    std::size_t labels_;
    LineVector<float> dependents_;
    LineVector<float> weighed_;
    LineVector<float> heads_;
    LineVector<float> scores_;
    std::vector<double> exact_;
    std::vector<std::int32_t> seen_;
    LineVector<float> hidden_;
    LineVector<float> names_;
    // Of a long sentence: where its root is, and what it is as the head of a label.
    std::int32_t first_root_ = -1;
    std::vector<float> first_head_;
};

}  // namespace kilter
