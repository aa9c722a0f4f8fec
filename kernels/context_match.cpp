#include "context_match.hpp"

#include <algorithm>

#include "threads.hpp"

namespace kilter {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The shortest context of a word on one side: its length in words, and the place it gives.
struct Context {
    std::int32_t length = 0;  // 0: none
    std::int32_t col = -1;
};

// How long the context of a word agrees with that of every other place: an n-gram is unique in the first
// sentence when it is longer than the best agreement there, and unique in the second when it is longer
// than the second best there but not than the best. Only one row of agreements is kept.
class ContextMatcher {
public:
    void solve(const std::int32_t* first, std::int32_t rows, const std::int32_t* second,
               std::int32_t cols, std::int32_t* partner) {
        contexts_.resize(at(rows));
        same_.assign(at(rows) + 2, 0);
        other_.assign(at(cols) + 2, 0);
        for (std::int32_t row = 0; row < rows; ++row) {
            for (std::int32_t k = rows - 1; k >= 0; --k) {
                same_[at(k) + 1] = first[k] == first[row] ? same_[at(k)] + 1 : 0;
            }
            for (std::int32_t k = cols - 1; k >= 0; --k) {
                other_[at(k) + 1] = second[k] == first[row] ? other_[at(k)] + 1 : 0;
            }
            contexts_[at(row)] = shortest(row);
        }
        same_.assign(at(rows) + 2, 0);
        other_.assign(at(cols) + 2, 0);
        for (std::int32_t row = rows - 1; row >= 0; --row) {
            for (std::int32_t k = 0; k < rows; ++k) {
                same_[at(k) + 1] = first[k] == first[row] ? same_[at(k) + 2] + 1 : 0;
            }
            for (std::int32_t k = 0; k < cols; ++k) {
                other_[at(k) + 1] = second[k] == first[row] ? other_[at(k) + 2] + 1 : 0;
            }
            const Context left = contexts_[at(row)];
            const Context right = shortest(row);
            const bool take_left =
                left.length > 0 && (right.length == 0 || left.length <= right.length);
            partner[row] = take_left ? left.col : right.col;
        }
    }

    std::int64_t count_rising(const std::int32_t* links, std::int64_t count, std::int32_t cols) {
        tree_.assign(at(cols) + 1, 0);
        std::int64_t rising = 0;
        for (std::int64_t k = 0; k < count; ++k) {
            const std::int32_t col = links[2 * k + 1];
            for (std::int32_t b = col; b > 0; b -= b & -b) {
                rising += tree_[at(b)];
            }
            for (std::int32_t b = col + 1; b <= cols; b += b & -b) {
                ++tree_[at(b)];
            }
        }
        return rising;
    }

private:
    Context shortest(std::int32_t row) const {
        std::int32_t best = 0;
        std::int32_t second_best = 0;
        std::int32_t col = -1;
        for (std::size_t k = 1; k + 1 < other_.size(); ++k) {
            if (other_[k] > best) {
                second_best = best;
                best = other_[k];
                col = static_cast<std::int32_t>(k) - 1;
            } else {
                second_best = std::max(second_best, other_[k]);
            }
        }
        if (best == second_best) {
            return {};
        }
        const std::size_t own = at(row) + 1;
        const std::int32_t before = *std::max_element(same_.begin(), same_.begin() + own);
        const std::int32_t after = *std::max_element(same_.begin() + own + 1, same_.end());
        const std::int32_t length = std::max({second_best, before, after}) + 1;
        return length <= best ? Context{length, col} : Context{};
    }

    std::vector<Context> contexts_;
    std::vector<std::int32_t> same_;   // by place + 1, within the first sentence
    std::vector<std::int32_t> other_;  // by place + 1, in the second
    std::vector<std::int32_t> tree_;
};

}  // namespace

ContextLinks context_match(const Batch& first, const Batch& second, int jobs) {
    const std::int64_t segments = first.segments;
    ContextLinks result;
    result.links.resize(2 * at(first.offsets[segments]));
    result.offsets.assign(at(segments) + 1, 0);
    result.rising.assign(at(segments), 0);
    for_each_block(first.offsets, segments, jobs, [&](std::int64_t from, std::int64_t to) {
        ContextMatcher matcher;
        std::vector<std::int32_t> partner;
        for (std::int64_t s = from; s < to; ++s) {
            const auto rows = static_cast<std::int32_t>(first.offsets[s + 1] - first.offsets[s]);
            const auto cols = static_cast<std::int32_t>(second.offsets[s + 1] - second.offsets[s]);
            partner.resize(at(rows));
            matcher.solve(first.values + first.offsets[s], rows, second.values + second.offsets[s],
                          cols, partner.data());
            std::int32_t* const begin = result.links.data() + 2 * first.offsets[s];
            std::int32_t* link = begin;
            for (std::int32_t row = 0; row < rows; ++row) {
                if (partner[at(row)] >= 0) {
                    *link++ = row;
                    *link++ = partner[at(row)];
                }
            }
            const std::int64_t count = (link - begin) / 2;
            result.offsets[at(s) + 1] = count;
            result.rising[at(s)] = matcher.count_rising(begin, count, cols);
        }
    });
    for (std::int64_t s = 0; s < segments; ++s) {
        const auto begin = result.links.begin() + 2 * first.offsets[s];
        const std::int64_t count = result.offsets[at(s) + 1];
        std::copy(begin, begin + 2 * count, result.links.begin() + 2 * result.offsets[at(s)]);
        result.offsets[at(s) + 1] += result.offsets[at(s)];
    }
    result.links.resize(2 * at(result.offsets.back()));
    return result;
}

}  // namespace kilter
