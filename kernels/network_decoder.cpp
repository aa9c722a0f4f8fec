#include "network_decoder.hpp"

#include <algorithm>
#include <limits>

#include "argmax.hpp"
#include "multiversion.hpp"
#include "row_product.hpp"
#include "spanning_tree.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

KILTER_INLINE float leaky_relu(float x) { return x > 0.0F ? x : 0.1F * x; }

// Columns of arcs go through a leaky ReLU, the others are left as they are.
KILTER_WIDE_MULTIVERSION void dequantize(const std::int32_t* sums, const float* steps, std::size_t rows,
                                         std::size_t activated, std::size_t stride, SumColumns columns, float* out) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t* __restrict own = sums + row * stride;
        float* __restrict outputs = out + row * stride;
        for (std::size_t k = 0; k < activated; ++k) {
            outputs[k] = leaky_relu(columns.number(own[k], k, steps[row]));
        }
        for (std::size_t k = activated; k < stride; ++k) {
            outputs[k] = columns.number(own[k], k, steps[row]);
        }
    }
}

KILTER_WIDE_MULTIVERSION void add_leaky_relu(const float* __restrict one, const float* __restrict other,
                                             std::size_t size, float* __restrict out) {
    for (std::size_t k = 0; k < size; ++k) {
        out[k] = leaky_relu(one[k] + other[k]);
    }
}

template <class T>
void make_room(LineVector<T>& numbers, std::size_t size) {
    if (numbers.size() < size) {
        numbers.resize(size);
    }
}

}  // namespace

NetworkDecoder::NetworkDecoder(const NetworkParts& parts)
    : parts_(parts), arcs_(parts.arc_width()), labels_(parts.label_width()), first_head_(labels_) {}

void NetworkDecoder::scale(const std::int32_t* sums, const float* steps, std::size_t words, float* outputs) const {
    dequantize(sums, steps, words, 2 * arcs_, columns(), parts_.heads.columns(), outputs);
}

void NetworkDecoder::decode(const float* outputs, std::size_t begin, std::size_t words, NetworkAnswers out) {
    const std::size_t tag_column = 2 * arcs_ + 2 * labels_;
    for (std::size_t word = 0; word < words; ++word) {
        out.tags[word] = static_cast<std::int32_t>(argmax(outputs + word * columns() + tag_column, parts_.tags()));
    }
    find_heads(outputs, words, out.heads);
    label_arcs(outputs, begin, words, out);
}

void NetworkDecoder::find_heads(const float* outputs, std::size_t words, std::int32_t* heads) {
    score_arcs(outputs, words);
    if (take_best_heads(words, heads)) {
        return;
    }
    const std::size_t cells = words * (words + 1);
    exact_.assign(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(cells));
    spanning_tree(exact_.data(), static_cast<std::int32_t>(words), heads);
}

void NetworkDecoder::score_arcs(const float* outputs, std::size_t words) {
    make_room(dependents_, words * arcs_);
    make_room(weighted_, words * arcs_);
    make_room(heads_, (words + 1) * arcs_);
    make_room(scores_, words * (words + 1));
    std::copy_n(parts_.root_arc.data(), arcs_, heads_.data());
    for (std::size_t word = 0; word < words; ++word) {
        std::copy_n(outputs + word * columns(), arcs_, dependents_.data() + word * arcs_);
        std::copy_n(outputs + word * columns() + arcs_, arcs_, heads_.data() + (word + 1) * arcs_);
    }
    parts_.arcs.multiply(dependents_.data(), words, weighted_.data());
    const auto reach = static_cast<std::ptrdiff_t>(parts_.distance.size() / 2);
    const float* middle = parts_.distance.data() + reach;
    for (std::size_t word = 0; word < words; ++word) {
        check_stop();
        float* row = scores_.data() + word * (words + 1);
        row_products(weighted_.data() + word * arcs_, 1, heads_.data(), words + 1, arcs_, row);
        const auto from = static_cast<std::ptrdiff_t>(word);
        for (std::ptrdiff_t head = 0; head < static_cast<std::ptrdiff_t>(words); ++head) {
            row[head + 1] += middle[std::clamp(head - from, -reach, reach)];
        }
    }
}

// The best head of each word by itself: if they make a tree of one root, no tree is better.
bool NetworkDecoder::take_best_heads(std::size_t words, std::int32_t* heads) {
    std::size_t roots = 0;
    for (std::size_t word = 0; word < words; ++word) {
        const float* row = scores_.data() + word * (words + 1);
        // What stands before the word's own place, then what stands behind it.
        std::size_t best = argmax(row, word + 1);
        if (word + 1 < words) {
            const std::size_t behind = word + 2 + argmax(row + word + 2, words - word - 1);
            best = row[behind] > row[best] ? behind : best;
        }
        heads[word] = static_cast<std::int32_t>(best) - 1;
        roots += best == 0 ? 1 : 0;
    }
    return roots == 1 && check_.is_forest(heads, static_cast<std::int64_t>(words));
}

const float* NetworkDecoder::label_head(const float* outputs, std::int32_t head) const {
    return head < 0 ? parts_.root_label.data()
                    : outputs + static_cast<std::size_t>(head) * columns() + 2 * arcs_ + labels_;
}

void NetworkDecoder::label_arcs(const float* outputs, std::size_t begin, std::size_t words, NetworkAnswers out) {
    make_room(hidden_, words * labels_);
    make_room(label_scores_, words * parts_.labels.stride());
    const auto root = static_cast<std::size_t>(std::find(out.heads, out.heads + words, -1) - out.heads);
    if (begin == 0) {
        first_root_ = static_cast<std::int32_t>(root);
        std::copy_n(label_head(outputs, first_root_), labels_, first_head_.data());
    }
    for (std::size_t word = 0; word < words; ++word) {
        const float* head = begin > 0 && word == root ? first_head_.data() : label_head(outputs, out.heads[word]);
        add_leaky_relu(outputs + word * columns() + 2 * arcs_, head, labels_, hidden_.data() + word * labels_);
        out.heads[word] += out.heads[word] < 0 ? 0 : static_cast<std::int32_t>(begin);
    }
    if (begin > 0) {
        out.heads[root] = first_root_;
    }
    parts_.labels.multiply(hidden_.data(), words, label_scores_.data());
    for (std::size_t word = 0; word < words; ++word) {
        float* row = label_scores_.data() + word * parts_.labels.stride();
        if (parts_.root >= 0 && (out.heads[word] < 0 || parts_.labels.outputs() == 1)) {
            out.labels[word] = parts_.root;
            continue;
        }
        if (parts_.root >= 0) {
            row[parts_.root] = -std::numeric_limits<float>::infinity();
        }
        out.labels[word] = static_cast<std::int32_t>(argmax(row, parts_.labels.outputs()));
    }
}

}  // namespace kilter
