#include "learned_words.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "open_table.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::int32_t kNone = -1;
constexpr double kUnit = 4294967296.0;  // sums are whole numbers of 2^-32, equal in every order

// Gives the same number to equal segments.
PlainVector<std::int32_t> distinct(const Batch& batch) {
    std::unordered_map<std::string_view, std::int32_t> numbers;
    PlainVector<std::int32_t> found(batch.segments);
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        const std::string_view words(reinterpret_cast<const char*>(batch.begin(s)),
                                     static_cast<std::size_t>(batch.length(s)) * sizeof(std::int32_t));
        found[s] = numbers.emplace(words, static_cast<std::int32_t>(numbers.size())).first->second;
    }
    return found;
}

// Where something was seen: once, or in segments that differ on both sides.
struct Sightings {
    std::int32_t first = kNone;
    std::int32_t second = kNone;
    bool first_varies = false;
    bool second_varies = false;

    void see(std::int32_t in_first, std::int32_t in_second) {
        if (first == kNone) {
            first = in_first;
            second = in_second;
        }
        first_varies |= first != in_first;
        second_varies |= second != in_second;
    }
    bool several() const { return first_varies && second_varies; }
};

class Learner {
public:
    Learner(const Batch& first, const Batch& second, const EarlierLinks& links, std::int64_t words,
            const LearnedOptions& options)
        : first_(first), second_(second), links_(links), options_(options) {
        const PlainVector<std::int32_t> first_text = distinct(first);
        const PlainVector<std::int32_t> second_text = distinct(second);
        count_words(first_text, second_text, words);
        list_cells(number_pairs(first_text, second_text));
        for (int k = 0; k < options_.iterations; ++k) {
            iterate(k == 0 ? 1.0 : options_.alone);
        }
    }

    WordCells cells() const {
        return collect_cells(
            first_, second_, links_, options_.jobs,
            [&](std::int64_t s, const FreeWords& free, const auto& add) {
                for (std::int64_t k = offsets_[s]; k < offsets_[s + 1]; ++k) {
                    const Cell& cell = cells_[k];
                    const std::int32_t row = free.rows[cell.x];
                    const std::int32_t col = free.cols[cell.y];
                    const double strength =
                        association_[cell.pair] * nearness(free.neighbours(row, col));
                    if (strength >= options_.threshold && links_of_[cell.pair] >= least_links()) {
                        add(row, col, strength);
                    }
                }
            });
    }

private:
    static bool teaches(const FreeWords& free) {
        return static_cast<std::int64_t>(free.rows.size() * free.cols.size()) <= kMaxLearnedPairs;
    }
    double nearness(int neighbours) const {
        return neighbours == 0   ? 1.0
               : neighbours == 1 ? options_.neighbour
                                 : options_.neighbour * options_.neighbour;
    }
    std::int64_t least_links() const {
        return static_cast<std::int64_t>(std::llround(options_.evidence * kUnit));
    }

    // Calls work(segment, free words) in the order of segments.
    template <class Work>
    void for_each(Work work) {
        FreeWords free;
        Pace pace;
        for (std::int64_t s = 0; s < first_.segments; ++s) {
            pace.work(first_.length(s) + second_.length(s) + 1);
            if (free.list(first_, second_, links_, s) && teaches(free)) {
                pace.work(16 * static_cast<std::int64_t>(free.rows.size() * free.cols.size()));
                work(s, free);
            }
        }
    }

    void count_words(const PlainVector<std::int32_t>& first_text,
                     const PlainVector<std::int32_t>& second_text, std::int64_t words) {
        free_count_.assign(words, 0);
        PlainVector<Sightings> seen(words);
        sizes_.assign(first_.segments, {0, 0});
        for_each([&](std::int64_t s, const FreeWords& free) {
            sizes_[s] = {free.rows.size(), free.cols.size()};
            const auto count = [&](std::int32_t word) {
                ++free_count_[word];
                seen[word].see(first_text[s], second_text[s]);
            };
            for (const std::int32_t row : free.rows) {
                count(first_.begin(s)[row]);
            }
            for (const std::int32_t col : free.cols) {
                count(second_.begin(s)[col]);
            }
        });
        // A word of one segment has no pair in several, so that it need not be looked up.
        known_.resize(words);
        for (std::int64_t word = 0; word < words; ++word) {
            known_[word] = seen[word].several() ? 1 : 0;
        }
    }

    // Returns the number of the two words of every pair that may count, row by row; kNone for others.
    WorkVector<std::int32_t> number_pairs(const PlainVector<std::int32_t>& first_text,
                                          const PlainVector<std::int32_t>& second_text) {
        std::size_t total = 0;
        for (const auto& [rows, cols] : sizes_) {
            total += rows * cols;
        }
        WorkVector<std::int32_t> pairs(total);
        std::int32_t* pair = pairs.data();
        KeyNumbers<std::uint64_t> table(total / 8);  // of real texts, most pairs come several times
        PlainVector<std::uint64_t> keys;            // by number
        PlainVector<Sightings> seen;
        for_each([&](std::int64_t s, const FreeWords& free) {
            for (const std::int32_t row : free.rows) {
                const std::int32_t one = first_.begin(s)[row];
                for (const std::int32_t col : free.cols) {
                    const std::int32_t other = second_.begin(s)[col];
                    if (known_[one] == 0 || known_[other] == 0) {
                        *pair++ = kNone;
                        continue;
                    }
                    const std::uint64_t key = pair_key(std::min(one, other), std::max(one, other));
                    *pair = table.insert(key);
                    if (*pair == seen.ssize()) {
                        seen.emplace_back();
                        keys.push_back(key);
                    }
                    seen[*pair++].see(first_text[s], second_text[s]);
                }
            }
        });
        PlainVector<std::int32_t> kept(seen.size(), kNone);
        for (std::size_t k = 0; k < seen.size(); ++k) {
            if (seen[k].several()) {
                kept[k] = static_cast<std::int32_t>(keys_.size());
                keys_.push_back(keys[k]);
            }
        }
        for (std::int32_t& number : pairs) {
            number = number == kNone ? kNone : kept[number];
        }
        return pairs;
    }

    // Lists the pairs that count, with what does not change from one iteration to the next.
    void list_cells(const WorkVector<std::int32_t>& pairs) {
        cells_.reserve(pairs.size() - static_cast<std::size_t>(std::count(pairs.begin(), pairs.end(), kNone)));
        offsets_.assign(first_.segments + 1, 0);
        const std::int32_t* pair = pairs.data();
        for_each([&](std::int64_t s, const FreeWords& free) {
            const auto height = static_cast<double>(first_.length(s));
            const auto width = static_cast<double>(second_.length(s));
            for (std::size_t x = 0; x < free.rows.size(); ++x) {
                const double place = static_cast<double>(free.rows[x]) / height;
                for (std::size_t y = 0; y < free.cols.size(); ++y, ++pair) {
                    if (*pair == kNone) {
                        continue;
                    }
                    const double other = static_cast<double>(free.cols[y]) / width;
                    const double apart = 1.0 + options_.distance * std::abs(place - other);
                    cells_.push_back({nearness(free.neighbours(free.rows[x], free.cols[y])) /
                                          (apart * apart),
                                      *pair, static_cast<std::uint16_t>(x),
                                      static_cast<std::uint16_t>(y)});
                    ++offsets_[s + 1];
                }
            }
        });
        for (std::size_t s = 1; s < offsets_.size(); ++s) {
            offsets_[s] += offsets_[s - 1];
        }
        association_.assign(keys_.size(), 1.0);
        links_of_.assign(keys_.size(), 0);
    }

    // Shares every word out among the words that it may stand for, and counts.
    void iterate(double alone) {
        PlainVector<std::atomic<std::int64_t>> sums(keys_.size());
        for_each_block(offsets_.data(), first_.segments, options_.jobs,
                       [&](std::int64_t from, std::int64_t to) {
                           Room room;
                           Pace pace;
                           for (std::int64_t s = from; s < to; ++s) {
                               pace.work(16 * (offsets_[s + 1] - offsets_[s]) + 1);
                               share(s, alone, room, sums);
                           }
                       });
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            links_of_[k] = sums[k].load(std::memory_order_relaxed);
            const auto low = static_cast<std::uint32_t>(keys_[k] >> 32);
            const auto high = static_cast<std::uint32_t>(keys_[k]);
            association_[k] = 2.0 * (static_cast<double>(links_of_[k]) / kUnit) /
                              static_cast<double>(free_count_[low] + free_count_[high]);
        }
    }

    // One thread alone need not lock.
    void add(std::atomic<std::int64_t>& sum, std::int64_t units) const {
        if (options_.jobs > 1) {
            sum.fetch_add(units, std::memory_order_relaxed);
        } else {
            sum.store(sum.load(std::memory_order_relaxed) + units, std::memory_order_relaxed);
        }
    }

    struct Room {
        PlainVector<double> weights;
        PlainVector<double> of_row;
        PlainVector<double> of_col;
    };

    void share(std::int64_t s, double alone, Room& room,
               PlainVector<std::atomic<std::int64_t>>& sums) const {
        const Cell* begin = cells_.data() + offsets_[s];
        const Cell* end = cells_.data() + offsets_[s + 1];
        room.weights.resize(end - begin);
        room.of_row.assign(sizes_[s].first, alone);
        room.of_col.assign(sizes_[s].second, alone);
        double* weight = room.weights.data();
        for (const Cell* cell = begin; cell != end; ++cell, ++weight) {
            *weight = association_[cell->pair] * cell->prior;
            room.of_row[cell->x] += *weight;
            room.of_col[cell->y] += *weight;
        }
        for (auto* side : {&room.of_row, &room.of_col}) {
            for (double& sum : *side) {
                sum = 1.0 / std::sqrt(sum);
            }
        }
        weight = room.weights.data();
        for (const Cell* cell = begin; cell != end; ++cell, ++weight) {
            const double part = *weight * (room.of_row[cell->x] * room.of_col[cell->y]);
            add(sums[cell->pair], static_cast<std::int64_t>(part * kUnit + 0.5));
        }
    }

    // A pair of free words of a segment that counts: which of the free ones they are, and how likely they are
    // to stand for one another by their places.
    struct Cell {
        double prior;
        std::int32_t pair;
        std::uint16_t x;
        std::uint16_t y;
    };

    Batch first_;
    Batch second_;
    EarlierLinks links_;
    LearnedOptions options_;
    PlainVector<std::int64_t> free_count_;  // by word: how often it is free where the other side has free ones
    PlainVector<std::uint8_t> known_;       // by word: free in several segments
    PlainVector<std::pair<std::size_t, std::size_t>> sizes_;  // by segment: free words of both sides
    WorkVector<Cell> cells_;
    PlainVector<std::int64_t> offsets_;  // where each segment's cells begin
    PlainVector<std::uint64_t> keys_;    // by number: the two words
    PlainVector<double> association_;
    PlainVector<std::int64_t> links_of_;  // in units
};

}  // namespace

WordCells learned_cells(const Batch& first, const Batch& second, const EarlierLinks& links,
                        std::int64_t words, const LearnedOptions& options) {
    return Learner(first, second, links, words, options).cells();
}

}  // namespace kilter
