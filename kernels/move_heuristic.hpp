// Block moves of long permutations, not necessarily the fewest: greedy, and by insertion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "block_move.hpp"
#include "fenwick.hpp"
#include "move_cost.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Moves one after another, each of those that mend most breakpoints the cheapest. There is always one that
// mends a breakpoint, so that there are never more moves than breakpoints.
class GreedyMoves {
public:
    std::vector<BlockMove> run(const std::int32_t* order, const std::int32_t* weights, std::int32_t m) {
        m_ = m;
        order_.assign(m + 2, 0);  // between two ends that stay
        for (std::int32_t i = 0; i < m; ++i) {
            order_[i + 1] = order[i] + 1;
        }
        order_[m + 1] = m + 1;
        place_.resize(m + 2);
        sums_.resize(m + 2);
        std::vector<BlockMove> moves;
        while (find(weights)) {
            moves.push_back({best_.start - 1, best_.middle - 1, best_.end - 1});
            std::rotate(order_.begin() + best_.start, order_.begin() + best_.middle,
                        order_.begin() + best_.end);
        }
        return moves;
    }

private:
    bool broken(std::int32_t at) const { return order_[at] != order_[at - 1] + 1; }

    bool find(const std::int32_t* weights) {
        sums_[0] = sums_[1] = 0;
        for (std::int32_t i = 0; i <= m_ + 1; ++i) {
            place_[order_[i]] = i;
            if (i > 0 && i <= m_) {
                sums_[i + 1] = sums_[i] + weights[order_[i] - 1];
            }
        }
        pace_.work(16 * static_cast<std::int64_t>(m_ + 1));
        mended_ = 0;
        for (std::int32_t i = 1; i <= m_ + 1; ++i) {
            if (!broken(i)) {
                continue;
            }
            const std::int32_t next = place_[order_[i - 1] + 1];  // what ought to stand at i
            if (next > i) {
                std::int32_t end = next + 1;
                while (end <= m_ && !broken(end)) {
                    ++end;
                }
                consider(i, next, end);
                consider(i, next, place_[order_[next - 1] + 1]);
                consider(i, next, place_[order_[i] - 1] + 1);
            } else {
                std::int32_t start = i - 1;
                while (!broken(start)) {
                    --start;
                }
                consider(next, start, i);
                consider(next, place_[order_[next - 1] + 1], i);
                consider(next, place_[order_[i] - 1] + 1, i);
            }
        }
        return mended_ > 0;
    }

    void consider(std::int32_t start, std::int32_t middle, std::int32_t end) {
        if (!(0 < start && start < middle && middle < end && end <= m_ + 1) || !broken(start) ||
            !broken(middle) || !broken(end)) {
            return;
        }
        const std::int32_t mended = (order_[middle] == order_[start - 1] + 1) +
                                    (order_[start] == order_[end - 1] + 1) +
                                    (order_[end] == order_[middle - 1] + 1);
        const MoveCost cost = move_cost(sums_[middle] - sums_[start], sums_[end] - sums_[middle]);
        if (mended > mended_ || (mended == mended_ && mended > 0 && cost < cost_)) {
            mended_ = mended;
            cost_ = cost;
            best_ = {start, middle, end};
        }
    }

    std::int32_t m_ = 0;
    WorkVector<std::int32_t> order_, place_;
    WorkVector<std::int64_t> sums_;
    std::int32_t mended_ = 0;
    MoveCost cost_;
    BlockMove best_{};
    Pace pace_;
};

// What stands outside a longest rising sequence goes to its place, strip by strip, the lowest first. Gives
// moves of elements rather than of strips.
class InsertionMoves {
public:
    std::vector<BlockMove> run(const std::int32_t* order, const std::int32_t* weights, std::int32_t m) {
        find_rising(order, m);
        // Slot 0 holds what belongs before everything that stays, slot i + 1 what stands at i and, if that
        // stays, what was put behind it.
        weights_.reset(m + 2);
        place_.resize(m);
        for (std::int32_t i = 0; i < m; ++i) {
            place_[order[i]] = i;
            weights_.add(i + 1, weights[order[i]]);
        }
        std::vector<BlockMove> moves;
        std::int32_t base = 0;
        for (std::int32_t strip = 0; strip < m; ++strip) {
            pace_.work(64);
            const std::int32_t slot = place_[strip] + 1;
            if (stays_[place_[strip]]) {
                base = slot;
                continue;
            }
            const std::int32_t size = weights[strip];
            const std::int32_t from = weights_.prefix(slot);
            const std::int32_t to = weights_.prefix(base + 1);
            if (from > to) {
                moves.push_back({to, from, from + size});
            } else if (from + size < to) {
                moves.push_back({from, from + size, to});
            }
            weights_.add(slot, -size);
            weights_.add(base, size);
        }
        return moves;
    }

private:
    void find_rising(const std::int32_t* order, std::int32_t m) {
        stays_.assign(m, std::int8_t{0});
        WorkVector<std::int32_t> ends, before(m);
        for (std::int32_t i = 0; i < m; ++i) {
            pace_.work(32);
            const auto found = std::lower_bound(ends.begin(), ends.end(), i, [&](std::int32_t one, std::int32_t other) {
                return order[one] < order[other];
            });
            before[i] = found == ends.begin() ? -1 : *(found - 1);
            if (found == ends.end()) {
                ends.push_back(i);
            } else {
                *found = i;
            }
        }
        for (std::int32_t i = ends.empty() ? -1 : ends.back(); i >= 0; i = before[i]) {
            stays_[i] = 1;
        }
    }

    Fenwick<std::int32_t> weights_;  // elements of each slot
    WorkVector<std::int32_t> place_;
    WorkVector<std::int8_t> stays_;
    Pace pace_;
};

}  // namespace kilter
