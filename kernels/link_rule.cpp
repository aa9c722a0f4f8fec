#include "link_rule.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr double kBeforeAll = -std::numeric_limits<double>::infinity();
constexpr double kAfterAll = std::numeric_limits<double>::infinity();

struct Word {
    double key;
    std::int32_t position;
    std::int32_t number;  // among the kept words, in source order
    bool linked;
};

bool comes_before(const Word& left, const Word& right) {
    return left.key != right.key ? left.key < right.key : left.position < right.position;
}

class Reorderer {
public:
    explicit Reorderer(const LinkRule& rule) : rule_(rule) {}

    void run(const std::int32_t* pairs, std::int64_t count, std::int64_t length, std::int32_t* order,
             std::int32_t* group, std::int32_t* ranks) {
        find_keys(pairs, count, length);
        if (rule_.null_word == NullWord::kDrop) {
            std::erase_if(words_, [](const Word& word) { return !word.linked; });
        } else {
            place_null_words();
        }
        for (std::size_t i = 0; i < words_.size(); ++i) {
            words_[i].number = static_cast<std::int32_t>(i);
        }
        std::sort(words_.begin(), words_.end(), comes_before);
        for (std::size_t i = 0; i < words_.size(); ++i) {
            order[i] = words_[i].position;
            ranks[words_[i].number] = static_cast<std::int32_t>(i);
        }
        number_groups(group);
    }

private:
    void find_keys(const std::int32_t* pairs, std::int64_t count, std::int64_t length) {
        words_.resize(length);
        for (std::int32_t s = 0; s < length; ++s) {
            words_[s] = {0.0, s, 0, false};
        }
        spans_.clear();
        for (std::int64_t begin = 0; begin < count;) {
            const std::int32_t source = pairs[2 * begin];
            std::int64_t end = begin;
            double sum = 0.0;
            while (end < count && pairs[2 * end] == source) {
                sum += pairs[2 * end + 1];
                ++end;
            }
            Word& word = words_[source];
            word.linked = true;
            word.key = rule_.key == LinkKey::kMean ? sum / static_cast<double>(end - begin)
                                                   : pairs[2 * begin + 1];
            if (rule_.key == LinkKey::kSpan) {
                spans_.push_back({pairs[2 * begin + 1], pairs[2 * end - 1], source});
            }
            begin = end;
        }
        merge_spans();
    }

    // Words whose target spans overlap, directly or through others, take the start of their union.
    void merge_spans() {
        std::sort(spans_.begin(), spans_.end(),
                  [](const Span& left, const Span& right) { return left.first < right.first; });
        std::int32_t start = 0;
        std::int32_t last = -1;
        for (const Span& span : spans_) {
            if (span.first > last) {
                start = span.first;
            }
            last = std::max(last, span.last);
            words_[span.source].key = start;
        }
    }

    // A word without link takes the key of its neighbour. Where there is none on that side it stands
    // at the end of the sentence; spans tie it with the nearest linked word instead.
    void place_null_words() {
        const bool tied = rule_.key == LinkKey::kSpan;
        const bool from_left = rule_.null_word == NullWord::kPrevious;
        const auto size = static_cast<std::ptrdiff_t>(words_.size());
        const std::ptrdiff_t step = from_left ? 1 : -1;
        const std::ptrdiff_t start = from_left ? 0 : size - 1;
        double key = from_left ? kBeforeAll : kAfterAll;
        if (tied) {
            for (std::ptrdiff_t i = start; i >= 0 && i < size; i += step) {
                if (words_[i].linked) {
                    key = words_[i].key;
                    break;
                }
            }
        }
        for (std::ptrdiff_t i = start; i >= 0 && i < size; i += step) {
            Word& word = words_[i];
            key = word.linked ? word.key : key;
            word.key = key;
        }
    }

    // Linked words of one key form a group. Words without link join it between its members; before
    // its first and after its last member they stand alone, unless spans tie them.
    void number_groups(std::int32_t* group) {
        std::int32_t number = -1;
        for (std::size_t begin = 0; begin < words_.size();) {
            std::size_t end = begin;
            std::size_t first = words_.size();
            std::size_t last = 0;
            while (end < words_.size() && words_[end].key == words_[begin].key) {
                if (words_[end].linked || rule_.key == LinkKey::kSpan) {
                    first = std::min(first, end);
                    last = end;
                }
                ++end;
            }
            for (std::size_t i = begin; i < end; ++i) {
                const bool joins = rule_.grouped && i > first && i <= last;
                number += joins ? 0 : 1;
                group[i] = number;
            }
            begin = end;
        }
    }

    struct Span {
        std::int32_t first, last, source;
    };

    LinkRule rule_;
    WorkVector<Word> words_;
    WorkVector<Span> spans_;
};

}  // namespace

std::int64_t find_outside(const LinkRows& links, const std::int64_t* first_lengths,
                          const std::int64_t* second_lengths) {
    for (std::int64_t s = 0; s < links.segments; ++s) {
        for (std::int64_t k = links.offsets[s]; k < links.offsets[s + 1]; ++k) {
            const std::int32_t first = links.pairs[2 * k];
            const std::int32_t second = links.pairs[2 * k + 1];
            if (first < 0 || second < 0 || first >= first_lengths[s] ||
                (second_lengths != nullptr && second >= second_lengths[s])) {
                return k;
            }
        }
    }
    return -1;
}

std::int64_t collect_links(const std::int64_t* owners, const std::int32_t* pairs, std::int64_t count,
                           std::int64_t segments, std::int32_t* collected, std::int64_t* offsets) {
    WorkVector<std::int64_t> next(segments + 1);
    std::fill(next.begin(), next.end(), 0);
    for (std::int64_t k = 0; k < count; ++k) {
        ++next[owners[k] + 1];
    }
    for (std::size_t s = 1; s < next.size(); ++s) {
        next[s] += next[s - 1];
    }
    WorkVector<std::uint64_t> keys(count);
    for (std::int64_t k = 0; k < count; ++k) {
        const auto place = static_cast<std::size_t>(next[owners[k]]++);
        keys[place] = static_cast<std::uint64_t>(static_cast<std::uint32_t>(pairs[2 * k])) << 32 |
                      static_cast<std::uint32_t>(pairs[2 * k + 1]);
    }
    // Each `next` has moved on to the end of its segment.
    std::int64_t kept = 0;
    auto begin = keys.begin();
    for (std::int64_t s = 0; s < segments; ++s) {
        const auto end = keys.begin() + next[s];
        if (!std::is_sorted(begin, end)) {
            std::sort(begin, end);
        }
        offsets[s] = kept;
        for (auto key = begin; key != end; ++key) {
            if (key == begin || *key != key[-1]) {
                collected[2 * kept] = static_cast<std::int32_t>(*key >> 32);
                collected[2 * kept + 1] = static_cast<std::int32_t>(*key & 0xffffffffU);
                ++kept;
            }
        }
        begin = end;
    }
    offsets[segments] = kept;
    return kept;
}

void count_linked_words(const LinkRows& links, int jobs, std::int64_t* counts) {
    for_each_block(links.offsets, links.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        WorkVector<std::int32_t> seconds;
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            const std::int32_t* pairs = links.pairs + 2 * links.offsets[s];
            const std::int64_t count = links.offsets[s + 1] - links.offsets[s];
            pace.work(16 * (count + 1));
            seconds.clear();
            std::int64_t firsts = 0;
            for (std::int64_t k = 0; k < count; ++k) {
                firsts += k == 0 || pairs[2 * k] != pairs[2 * k - 2];
                seconds.push_back(pairs[2 * k + 1]);
            }
            std::sort(seconds.begin(), seconds.end());
            counts[2 * s] = firsts;
            counts[2 * s + 1] = std::unique(seconds.begin(), seconds.end()) - seconds.begin();
        }
    });
}

void reorder(const LinkRows& links, const std::int64_t* lengths, const LinkRule& rule, int jobs,
             const std::int64_t* offsets, std::int32_t* order, std::int32_t* group,
             std::int32_t* ranks) {
    for_each_block(links.offsets, links.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        Reorderer reorderer(rule);
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            pace.work(32 * (lengths[s] + 1));
            reorderer.run(links.pairs + 2 * links.offsets[s], links.offsets[s + 1] - links.offsets[s],
                          lengths[s], order + offsets[s], group + offsets[s], ranks + offsets[s]);
        }
    });
}

}  // namespace kilter
