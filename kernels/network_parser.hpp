// A graph-based dependency parser and tagger: recurrent layers and a biaffine scorer of arcs, whose maximum spanning
// tree is the answer [Dozat and Manning 2017].
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "network_product.hpp"
#include "batch.hpp"

namespace kilter {

// The most words among which a tree is looked for at once, since arcs are as many as the words' square. A longer
// sentence is cut into windows of so many; all of it is read, but a word's head is in its window, and the roots of
// further windows hang from the root of the first.
inline constexpr std::size_t kMostTreeWords = 1024;

// The parts of the network. Words and pieces of words have vectors (embeddings); those of a word, one after another, are the
// input. `heads` makes of each row a word as dependent and as head of an arc, the same of a label, and its tags.
struct NetworkParts {
    std::vector<float> words;
    std::vector<float> pieces;
    std::size_t word_width;
    std::size_t piece_width;
    PlainProduct input;
    std::vector<NormedProduct> layers;
    NormedProduct heads;
    PlainProduct arcs;
    std::vector<float> root_arc;
    std::vector<float> root_label;
    // What it adds to an arc that its head stands so many words further right, from the least number on; those
    // beyond either end count as the last.
    std::vector<float> distance;
    PlainProduct labels;
    // The label that only the root has; -1 if it is not among the labels.
    std::int32_t root;

    std::size_t width() const { return input.outputs(); }
    std::size_t word_count() const { return words.size() / word_width; }
    std::size_t piece_count() const { return pieces.size() / piece_width; }
    // How many pieces a word has.
    std::size_t piece_columns() const { return (input.inputs() - word_width) / piece_width; }
    std::size_t arc_width() const { return arcs.inputs(); }
    std::size_t label_width() const { return labels.inputs(); }
    std::size_t tags() const { return heads.weights().outputs() - 2 * arc_width() - 2 * label_width(); }
};

// The words of a text, each once: the row of its vector, and the rows of its pieces.
struct NetworkWords {
    const std::int32_t* words;
    const std::int32_t* pieces;
    std::size_t count;
};

class ParserNetwork {
public:
    explicit ParserNetwork(NetworkParts parts) : parts_(std::move(parts)) {}

    const NetworkParts& parts() const { return parts_; }

    // The rows of all words after so many layers. Sentences are numbers of `words`.
    void encode(const NetworkWords& words, const Batch& sentences, std::size_t depth, float* out) const;
    // The tag of each word, its head in its sentence, -1 for the one root, and its label.
    void parse(const NetworkWords& words, const Batch& sentences, std::int32_t* tags, std::int32_t* heads,
               std::int32_t* labels) const;

private:
    NetworkParts parts_;
};

}  // namespace kilter
