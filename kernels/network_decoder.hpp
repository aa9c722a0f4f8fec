// Decodes the outputs of the network: biaffine scores of arcs, the best tree, labels and tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dependency_tree.hpp"
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

    // How many numbers `decode` takes for each word: the outputs of `heads`.
    std::size_t columns() const { return parts_.heads.weights().stride(); }
    // Dequantizes rows of sums, which have as many columns, and applies the activation; `steps` are those of the rows.
    void scale(const std::int32_t* sums, const float* steps, std::size_t words, float* outputs) const;

    // Answers for a sentence, or for words `begin` and following of a sentence that is too long.
    void decode(const float* outputs, std::size_t begin, std::size_t words, NetworkAnswers out);

private:
    void find_heads(const float* outputs, std::size_t words, std::int32_t* heads);
    void score_arcs(const float* outputs, std::size_t words);
    bool take_best_heads(std::size_t words, std::int32_t* heads);
    void label_arcs(const float* outputs, std::size_t begin, std::size_t words, NetworkAnswers out);
    const float* label_head(const float* outputs, std::int32_t head) const;

    const NetworkParts& parts_;
    std::size_t arcs_;
    std::size_t labels_;
    LineVector<float> dependents_;
    LineVector<float> weighted_;
    LineVector<float> heads_;
    LineVector<float> scores_;
    std::vector<double> exact_;
    TreeCheck check_;
    LineVector<float> hidden_;
    LineVector<float> label_scores_;
    // Of a long sentence: the position of its root, and its vector as the head of a label.
    std::int32_t first_root_ = -1;
    std::vector<float> first_head_;
};

}  // namespace kilter
