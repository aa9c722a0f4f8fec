#include "network_parser.hpp"

#include <algorithm>
#include <span>

#include "network_decoder.hpp"
#include "network_recurrence.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// Words whose vectors are put together before they are multiplied.
constexpr std::size_t kWordsTogether = 64;

// The input layer of every word of a text.
LineVector<float> input_rows(const NetworkParts& parts, const NetworkWords& words) {
    const std::size_t columns = parts.piece_columns();
    const std::size_t size = parts.input.inputs();
    LineVector<float> vectors(std::min(words.count, kWordsTogether) * size);
    LineVector<float> found(words.count * parts.width());
    for (std::size_t begin = 0; begin < words.count; begin += kWordsTogether) {
        check_stop();
        const std::size_t some = std::min(kWordsTogether, words.count - begin);
        float* out = vectors.data();
        for (std::size_t word = begin; word < begin + some; ++word) {
            const auto row = static_cast<std::size_t>(words.words[word]);
            out = std::copy_n(parts.words.data() + row * parts.word_width, parts.word_width, out);
            for (std::size_t k = 0; k < columns; ++k) {
                const auto piece = static_cast<std::size_t>(words.pieces[word * columns + k]);
                out = std::copy_n(parts.pieces.data() + piece * parts.piece_width, parts.piece_width, out);
            }
        }
        parts.input.multiply(vectors.data(), some, found.data() + begin * parts.width());
    }
    return found;
}

// Takes sentences through the recurrent layers, a batch of short ones or a long one at a time.
class Reader {
public:
    Reader(const NetworkParts& parts, const NetworkWords& words, const Batch& sentences)
        : parts_(parts), sentences_(sentences), inputs_(input_rows(parts, words)), rows_(parts.width()) {}

    // Calls each(first, last) for some sentences, after so many layers.
    template <class Each>
    void read(std::size_t depth, Each each) {
        const std::int64_t* offsets = sentences_.offsets;
        const auto most = static_cast<std::int64_t>(RecurrentRows::kRowsTogether);
        for (std::int64_t first = 0, last = 0; first < sentences_.segments; first = last) {
            check_stop();
            last = first + 1;
            while (last < sentences_.segments && offsets[last + 1] - offsets[first] <= most) {
                ++last;
            }
            rows_.begin({offsets + first, static_cast<std::size_t>(last - first) + 1});
            for (std::size_t row = 0; row < rows_.count(); ++row) {
                const auto word = static_cast<std::size_t>(
                    sentences_.values[static_cast<std::size_t>(offsets[first]) + row]);
                std::copy_n(inputs_.data() + word * parts_.width(), parts_.width(), rows_.row(row));
            }
            for (std::size_t layer = 0; layer < depth; ++layer) {
                rows_.apply(parts_.layers[layer]);
            }
            each(first, last);
        }
    }
    RecurrentRows& rows() { return rows_; }

private:
    const NetworkParts& parts_;
    Batch sentences_;
    LineVector<float> inputs_;
    RecurrentRows rows_;
};

}  // namespace

void ParserNetwork::encode(const NetworkWords& words, const Batch& sentences, std::size_t depth,
                           float* out) const {
    Reader reader(parts_, words, sentences);
    reader.read(depth, [&](std::int64_t first, std::int64_t) {
        const std::size_t size = reader.rows().count() * parts_.width();
        std::copy_n(reader.rows().row(0), size,
                    out + static_cast<std::size_t>(sentences.offsets[first]) * parts_.width());
    });
}

void ParserNetwork::parse(const NetworkWords& words, const Batch& sentences, std::int32_t* tags,
                          std::int32_t* heads, std::int32_t* labels) const {
    Reader reader(parts_, words, sentences);
    NetworkDecoder decoder(parts_);
    LineVector<std::int32_t> sums;
    LineVector<float> outputs;
    const NetworkAnswers answers{tags, heads, labels};
    reader.read(parts_.layers.size(), [&](std::int64_t first, std::int64_t last) {
        RecurrentRows& rows = reader.rows();
        rows.norm();
        const auto start = static_cast<std::size_t>(sentences.offsets[first]);
        // Several sentences are shorter together than one window.
        for (std::size_t begin = 0; begin < rows.count(); begin += kMostTreeWords) {
            const std::size_t some = std::min(kMostTreeWords, rows.count() - begin);
            if (outputs.size() < some * decoder.columns()) {
                sums.resize(some * decoder.columns());
                outputs.resize(some * decoder.columns());
            }
            rows.multiply(parts_.heads, begin, some, sums.data());
            decoder.scale(sums.data(), rows.steps() + begin, some, outputs.data());
            if (last == first + 1) {
                decoder.decode(outputs.data(), begin, some, answers.from(start + begin));
                continue;
            }
            for (std::int64_t sentence = first; sentence < last; ++sentence) {
                const auto place = static_cast<std::size_t>(sentences.offsets[sentence]) - start;
                const auto length = static_cast<std::size_t>(sentences.offsets[sentence + 1]) - start - place;
                if (length > 0) {
                    decoder.decode(outputs.data() + place * decoder.columns(), 0, length, answers.from(start + place));
                }
            }
        }
    });
}

}  // namespace kilter
