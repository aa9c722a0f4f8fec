#include "lexical_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// The sentences in which each source word occurs, each sentence once.
struct Occurrences {
    PlainVector<std::int64_t> offsets;
    WorkVector<std::int32_t> sentences;
};

template <class Visit>
void visit_distinct(const Batch& batch, std::int32_t words, Visit visit) {
    PlainVector<std::int64_t> seen(words, -1);
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        for (std::int64_t k = batch.offsets[s]; k < batch.offsets[s + 1]; ++k) {
            auto& last = seen[batch.values[k]];
            if (last != s) {
                last = s;
                visit(batch.values[k], s);
            }
        }
    }
}

Occurrences find_occurrences(const Batch& batch, std::int32_t words) {
    Occurrences result;
    result.offsets.assign(words + 1, 0);
    visit_distinct(batch, words, [&](std::int32_t word, std::int64_t) {
        ++result.offsets[word + 1];
    });
    for (std::size_t w = 1; w < result.offsets.size(); ++w) {
        result.offsets[w] += result.offsets[w - 1];
    }
    result.sentences.resize(result.offsets.back());
    PlainVector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
    visit_distinct(batch, words, [&](std::int32_t word, std::int64_t s) {
        result.sentences[next[word]++] =
            static_cast<std::int32_t>(s);
    });
    return result;
}

// Calls work(word, distinct target words) for source words first..last, in order.
template <class Work>
void visit_rows(const Bitext& bitext, const Occurrences& occurrences, std::int64_t first,
                std::int64_t last, Work work) {
    PlainVector<std::int64_t> seen(bitext.target_words, -1);
    PlainVector<std::int32_t> row;
    Pace pace;
    for (std::int64_t word = first; word < last; ++word) {
        row.clear();
        for (std::int64_t k = occurrences.offsets[word];
             k < occurrences.offsets[word + 1]; ++k) {
            const std::int32_t s = occurrences.sentences[k];
            pace.work(2 * bitext.target.length(s));
            for (std::int64_t t = bitext.target.offsets[s]; t < bitext.target.offsets[s + 1]; ++t) {
                const std::int32_t target = bitext.target.values[t];
                auto& last_seen = seen[target];
                if (last_seen != word) {
                    last_seen = word;
                    row.push_back(target);
                }
            }
        }
        work(word, row);
    }
}

}  // namespace

std::int64_t TableView::find(std::int32_t source, std::int32_t target) const {
    if (source < 0 || target < 0) {
        return -1;
    }
    // Halving without branches: frequent words have long rows, and every guess would be wrong half
    // of the time.
    const std::int32_t* place = targets + offsets[source + 1];
    std::int64_t size = offsets[source + 2] - offsets[source + 1];
    if (size == 0) {
        return -1;
    }
    while (size > 1) {
        const std::int64_t half = size / 2;
        place += place[half] <= target ? half : 0;
        size -= half;
    }
    return *place == target ? place - targets : -1;
}

LexicalTable::LexicalTable(const Bitext& bitext, int jobs) : target_words_(bitext.target_words) {
    if (bitext.source.segments > std::numeric_limits<std::int32_t>::max()) {
        throw std::length_error("at most 2,147,483,647 sentence pairs");
    }
    const auto words = static_cast<std::size_t>(bitext.source_words);
    const Occurrences occurrences = find_occurrences(bitext.source, bitext.source_words);
    offsets.assign(words + 2, 0);
    offsets[1] = target_words_;
    for_each_block(occurrences.offsets.data(), bitext.source_words, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       visit_rows(bitext, occurrences, first, last, [&](auto word, auto& row) {
                           offsets[word + 2] =
                               static_cast<std::int64_t>(row.size());
                       });
                   });
    for (std::size_t row = 2; row < offsets.size(); ++row) {
        offsets[row] += offsets[row - 1];
    }
    const auto entries = static_cast<std::size_t>(offsets.back());
    if (entries > std::numeric_limits<std::uint32_t>::max()) {
        throw std::length_error("at most 4,294,967,295 pairs of words that occur together");
    }
    targets.resize(entries);
    for (std::int32_t target = 0; target < target_words_; ++target) {
        targets[target] = target;
    }
    for_each_block(occurrences.offsets.data(), bitext.source_words, jobs,
                   [&](std::int64_t first, std::int64_t last) {
                       visit_rows(bitext, occurrences, first, last, [&](auto word, auto& row) {
                           std::sort(row.begin(), row.end());
                           std::copy(row.begin(), row.end(),
                                     targets.begin() + offsets[word + 1]);
                       });
                   });
    probabilities.assign(entries, 1.0 / std::max(target_words_, 1));
    counts.assign(entries, 0.0);
}

TableView LexicalTable::view() const {
    return {offsets.data(), targets.data(), probabilities.data(),
            static_cast<std::int32_t>(offsets.size()) - 2, target_words_};
}

void LexicalTable::normalize(int jobs) {
    for_each_block(offsets.data(), rows(), jobs, [&](std::int64_t first, std::int64_t last) {
        Pace pace;
        for (std::int64_t row = first; row < last; ++row) {
            pace.work(2 * (offsets[row + 1] - offsets[row]));
            const auto start = static_cast<std::size_t>(offsets[row]);
            const auto end = static_cast<std::size_t>(offsets[row + 1]);
            double total = 0.0;
            for (std::size_t e = start; e < end; ++e) {
                total += counts[e];
            }
            for (std::size_t e = start; e < end; ++e) {
                probabilities[e] = total > 0.0 ? counts[e] / total : 0.0;
                counts[e] = 0.0;
            }
        }
    });
}

}  // namespace kilter
