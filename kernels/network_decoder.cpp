#include "network_decoder.hpp"

#include <algorithm>
#include <limits>

#include "multiversion.hpp"
#include "row_product.hpp"
#include "spanning_tree.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

KILTER_INLINE float leaky(float x) { return x > 0.0F ? x : 0.1F * x; }

// Columns of arcs are bent at 0, the others are left as they are.
KILTER_WIDE_MULTIVERSION void scale_rows(const std::int32_t* sums, const float* steps, std::size_t rows,
                                         std::size_t bent, std::size_t stride, SumColumns columns, float* out) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::int32_t* __restrict own = sums + row * stride;
        float* __restrict said = out + row * stride;
        for (std::size_t k = 0; k < bent; ++k) {
            said[k] = leaky(columns.number(own[k], k, steps[row]));
        }
        for (std::size_t k = bent; k < stride; ++k) {
            said[k] = columns.number(own[k], k, steps[row]);
        }
    }
}

KILTER_WIDE_MULTIVERSION void add_bent(const float* __restrict one, const float* __restrict other, std::size_t size,
                                       float* __restrict out) {
    for (std::size_t k = 0; k < size; ++k) {
        out[k] = leaky(one[k] + other[k]);
    }
}

// The place of the greatest number, the first of equal ones.
std::size_t greatest(const float* numbers, std::size_t size) {
    return static_cast<std::size_t>(std::max_element(numbers, numbers + size) - numbers);
}

template <class T>
void make_room(LineVector<T>& numbers, std::size_t size) {
    if (numbers.size() < size) {
        numbers.resize(size);
    }
}

// Whether every word leads to a root.
bool is_tree(const std::int32_t* heads, std::size_t words, std::vector<std::int32_t>& seen) {
    seen.assign(words, -1);
    for (std::size_t start = 0; start < words; ++start) {
        const auto mark = static_cast<std::int32_t>(start);
        auto word = mark;
        while (word >= 0 && seen[static_cast<std::size_t>(word)] < 0) {
            seen[static_cast<std::size_t>(word)] = mark;
            word = heads[word];
        }
        if (word >= 0 && seen[static_cast<std::size_t>(word)] == mark) {
            return false;
        }
    }
    return true;
}

}  // namespace

NetworkDecoder::NetworkDecoder(const NetworkParts& parts)
    : parts_(parts), arcs_(parts.arc_width()), labels_(parts.label_width()), first_head_(labels_) {}

void NetworkDecoder::scale(const std::int32_t* sums, const float* steps, std::size_t words, float* said) const {
    scale_rows(sums, steps, words, 2 * arcs_, columns(), parts_.heads.columns(), said);
}

void NetworkDecoder::decode(const float* said, std::size_t begin, std::size_t words, NetworkAnswers out) {
    const std::size_t tag_column = 2 * arcs_ + 2 * labels_;
    for (std::size_t word = 0; word < words; ++word) {
        out.tags[word] = static_cast<std::int32_t>(greatest(said + word * columns() + tag_column, parts_.tags()));
    }
    find_heads(said, words, out.heads);
    name_arcs(said, begin, words, out);
}

void NetworkDecoder::find_heads(const float* said, std::size_t words, std::int32_t* heads) {
    score_arcs(said, words);
    if (choose_best(words, heads)) {
        return;
    }
    const std::size_t cells = words * (words + 1);
    exact_.assign(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(cells));
    spanning_tree(exact_.data(), static_cast<std::int32_t>(words), heads);
}

void NetworkDecoder::score_arcs(const float* said, std::size_t words) {
    make_room(dependents_, words * arcs_);
    make_room(weighed_, words * arcs_);
    make_room(heads_, (words + 1) * arcs_);
    make_room(scores_, words * (words + 1));
    std::copy_n(parts_.root_arc.data(), arcs_, heads_.data());
    for (std::size_t word = 0; word < words; ++word) {
        std::copy_n(said + word * columns(), arcs_, dependents_.data() + word * arcs_);
        std::copy_n(said + word * columns() + arcs_, arcs_, heads_.data() + (word + 1) * arcs_);
    }
    parts_.arcs.multiply(dependents_.data(), words, weighed_.data());
    const auto reach = static_cast<std::ptrdiff_t>(parts_.distance.size() / 2);
    const float* middle = parts_.distance.data() + reach;
    for (std::size_t word = 0; word < words; ++word) {
        check_stop();
        float* row = scores_.data() + word * (words + 1);
        row_products(weighed_.data() + word * arcs_, 1, heads_.data(), words + 1, arcs_, row);
        const auto from = static_cast<std::ptrdiff_t>(word);
        for (std::ptrdiff_t head = 0; head < static_cast<std::ptrdiff_t>(words); ++head) {
            row[head + 1] += middle[std::clamp(head - from, -reach, reach)];
        }
    }
}

// The best head of each word by itself: if they make a tree of one root, no tree is better.
bool NetworkDecoder::choose_best(std::size_t words, std::int32_t* heads) {
    std::size_t roots = 0;
    for (std::size_t word = 0; word < words; ++word) {
        const float* row = scores_.data() + word * (words + 1);
        // What stands before the word's own place, then what stands behind it.
        std::size_t best = greatest(row, word + 1);
        if (word + 1 < words) {
            const std::size_t behind = word + 2 + greatest(row + word + 2, words - word - 1);
            best = row[behind] > row[best] ? behind : best;
        }
        heads[word] = static_cast<std::int32_t>(best) - 1;
        roots += best == 0 ? 1 : 0;
    }
    return roots == 1 && is_tree(heads, words, seen_);
}

const float* NetworkDecoder::label_head(const float* said, std::int32_t head) const {
    return head < 0 ? parts_.root_label.data()
                    : said + static_cast<std::size_t>(head) * columns() + 2 * arcs_ + labels_;
}

void NetworkDecoder::name_arcs(const float* said, std::size_t begin, std::size_t words, NetworkAnswers out) {
    make_room(hidden_, words * labels_);
    make_room(names_, words * parts_.labels.stride());
    const auto root = static_cast<std::size_t>(std::find(out.heads, out.heads + words, -1) - out.heads);
    if (begin == 0) {
        first_root_ = static_cast<std::int32_t>(root);
        std::copy_n(label_head(said, first_root_), labels_, first_head_.data());
    }
    for (std::size_t word = 0; word < words; ++word) {
        const float* head = begin > 0 && word == root ? first_head_.data() : label_head(said, out.heads[word]);
        add_bent(said + word * columns() + 2 * arcs_, head, labels_, hidden_.data() + word * labels_);
        out.heads[word] += out.heads[word] < 0 ? 0 : static_cast<std::int32_t>(begin);
    }
    if (begin > 0) {
        out.heads[root] = first_root_;
    }
    parts_.labels.multiply(hidden_.data(), words, names_.data());
    for (std::size_t word = 0; word < words; ++word) {
        float* row = names_.data() + word * parts_.labels.stride();
        if (parts_.root >= 0 && (out.heads[word] < 0 || parts_.labels.outputs() == 1)) {
            out.labels[word] = parts_.root;
            continue;
        }
        if (parts_.root >= 0) {
            row[parts_.root] = -std::numeric_limits<float>::infinity();
        }
        out.labels[word] = static_cast<std::int32_t>(greatest(row, parts_.labels.outputs()));
    }
}

}  // namespace kilter
