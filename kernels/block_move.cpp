#include "block_move.hpp"

#include <algorithm>
#include <mutex>

#include "move_heuristic.hpp"
#include "move_search.hpp"
#include "permutation_window.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Up to this many strips moves are chosen one after another by what they mend; the work is quadratic.
constexpr std::int32_t kMostGreedy = 4096;

// (m + 1 - odd cycles) / 2 of the cycle graph [Bafna, Pevzner 1998]: a move adds two odd cycles at most.
// `order` holds strips between -1 and m, `place` where each of 0..m stands (m stands at the end).
std::int32_t cycle_bound(const WorkVector<std::int32_t>& order, const WorkVector<std::int32_t>& place,
                         std::int32_t m, WorkVector<std::int8_t>& seen) {
    std::int32_t odd = 0;
    for (std::int32_t i = 0; i <= m; ++i) {
        seen[i] = 0;
    }
    for (std::int32_t i = 0; i <= m; ++i) {
        if (seen[i]) {
            continue;
        }
        std::int32_t length = 0;
        for (std::int32_t k = i; !seen[k]; ++length) {
            seen[k] = 1;
            k = k == 0 ? place[0] : place[order[k - 1] + 1];
        }
        odd += length & 1;
    }
    return (m + 1 - odd) / 2;
}

// Finds the moves of one permutation after another.
class MoveFinder {
public:
    explicit MoveFinder(std::int64_t effort) : effort_(effort), search_(effort) {}

    // Appends the moves, three numbers each, and returns the lower bound.
    std::int32_t find(const std::int32_t* values, std::int32_t n, std::vector<std::int32_t>& moves) {
        pace_.work(4 * static_cast<std::int64_t>(n));
        glue(values, n);
        const auto m = static_cast<std::int32_t>(order_.size());
        std::int64_t effort = effort_;
        std::int32_t lower = 0;
        const std::size_t before = moves.size();
        split(m, [&](std::int32_t first, std::int32_t last, std::int32_t start) {
            const Part part = solve(first, last, start, effort);
            lower = part.lower;
            append(part.moves, moves);
        });
        if (parts_ <= 1) {
            return lower;
        }
        // Distances of parts that stand one after another need not add up: 321 takes two moves, 321654 three.
        const auto found = static_cast<std::int32_t>((moves.size() - before) / 3);
        lower = bound(0, m);
        if (lower < found && m <= kMostStrips) {
            to_small(order_);
            const auto fewer = search_.run(small_.data(), weights_.data(), m, found, effort, lower);
            if (fewer) {
                moves.resize(before);
                append(in_elements(*fewer, 0, m, start_), moves);
            }
        }
        return lower;
    }

private:
    struct Part {
        std::vector<BlockMove> moves;
        std::int32_t lower;
    };

    static void append(const std::vector<BlockMove>& found, std::vector<std::int32_t>& moves) {
        for (const BlockMove& move : found) {
            moves.insert(moves.end(), {move.start, move.middle, move.end});
        }
    }

    // Strips between the fixed beginning and end: their order, and the elements of each by its rank.
    void glue(const std::int32_t* values, std::int32_t n) {
        std::int32_t first = 0;
        std::int32_t last = n;
        while (first < last && values[first] == first) {
            ++first;
        }
        while (last > first && values[last - 1] == last - 1) {
            --last;
        }
        start_ = first;
        order_.clear();
        weights_.clear();
        lengths_.clear();
        if (first == last) {
            return;
        }
        rank_.assign(last - first, 0);
        for (std::int32_t i = first; i < last; ++i) {
            const bool begins = i == first || values[i] != values[i - 1] + 1;
            if (begins) {
                order_.push_back(values[i] - first);
                lengths_.push_back(0);
                rank_[values[i] - first] = 1;
            }
            ++lengths_[lengths_.size() - 1];
        }
        std::int32_t strips = 0;
        for (std::int32_t& rank : rank_) {
            strips += rank;
            rank = strips - 1;
        }
        weights_.resize(order_.size());
        for (std::size_t k = 0; k < order_.size(); ++k) {
            order_[k] = rank_[order_[k]];
            weights_[order_[k]] = lengths_[k];
        }
    }

    // Calls each(first, last, start) for parts that lie one after another in both orders, where elements begin
    // at `start`; single strips are in place.
    template <class Each>
    void split(std::int32_t m, Each each) {
        parts_ = 0;
        std::int32_t first = 0;
        std::int32_t start = start_;
        std::int32_t end = start_;
        std::int32_t highest = -1;
        for (std::int32_t i = 0; i < m; ++i) {
            highest = std::max(highest, order_[i]);
            end += weights_[i];
            if (highest == i) {
                if (i > first) {
                    ++parts_;
                    each(first, i + 1, start);
                }
                first = i + 1;
                start = end;
            }
        }
    }

    // The bound of the strips from first to last, whose ranks are left in part_.
    std::int32_t bound(std::int32_t first, std::int32_t last) {
        const std::int32_t m = last - first;
        part_.resize(m);
        place_.resize(m + 1);
        seen_.resize(m + 1);
        for (std::int32_t i = 0; i < m; ++i) {
            part_[i] = order_[first + i] - first;
            place_[part_[i]] = i;
        }
        place_[m] = m;
        return cycle_bound(part_, place_, m, seen_);
    }

    Part solve(std::int32_t first, std::int32_t last, std::int32_t start, std::int64_t& effort) {
        const std::int32_t m = last - first;
        std::int32_t lower = bound(first, last);
        const std::int32_t* weights = weights_.data() + first;
        if (m <= kMostStrips) {
            to_small(part_);
            const auto found = search_.run(small_.data(), weights, m, m + 1, effort, lower);
            if (found) {
                return {in_elements(*found, first, m, start), lower};
            }
        }
        if (m <= kMostGreedy) {
            return {in_elements(greedy_.run(part_.data(), weights, m), first, m, start), lower};
        }
        std::vector<BlockMove> moves = insertion_.run(part_.data(), weights, m);
        for (BlockMove& move : moves) {
            move = {move.start + start, move.middle + start, move.end + start};
        }
        return {std::move(moves), lower};
    }

    void to_small(const WorkVector<std::int32_t>& order) {
        small_.resize(order.size());
        std::transform(order.begin(), order.end(), small_.begin(),
                       [](std::int32_t strip) { return static_cast<std::int8_t>(strip); });
    }

    // Moves of strips as moves of elements, while they are replayed.
    std::vector<BlockMove> in_elements(const std::vector<BlockMove>& moves, std::int32_t first,
                                       std::int32_t m, std::int32_t start) {
        replayed_.assign(order_.begin() + first, order_.begin() + first + m);
        std::vector<BlockMove> found;
        found.reserve(moves.size());
        for (const BlockMove& move : moves) {
            pace_.work(2 * static_cast<std::int64_t>(m));
            const auto length = [&](std::int32_t from, std::int32_t to) {
                std::int32_t total = 0;
                for (std::int32_t i = from; i < to; ++i) {
                    total += weights_[replayed_[i]];
                }
                return total;
            };
            const std::int32_t begin = start + length(0, move.start);
            const std::int32_t middle = begin + length(move.start, move.middle);
            found.push_back({begin, middle, middle + length(move.middle, move.end)});
            std::rotate(replayed_.begin() + move.start, replayed_.begin() + move.middle,
                        replayed_.begin() + move.end);
        }
        return found;
    }

    std::int64_t effort_;
    std::int32_t start_ = 0;
    std::int32_t parts_ = 0;
    WorkVector<std::int32_t> order_, weights_, lengths_, rank_, part_, place_, replayed_;
    WorkVector<std::int8_t> seen_, small_;
    MoveSearch search_;
    GreedyMoves greedy_;
    InsertionMoves insertion_;
    Pace pace_;
};

}  // namespace

BlockMoves find_block_moves(const Batch& batch, std::int64_t effort, int jobs) {
    struct Block {
        std::int64_t first;
        std::vector<std::int32_t> moves;
    };
    BlockMoves result;
    result.offsets.assign(batch.segments + 1, 0);
    result.lower.assign(batch.segments, 0);
    std::mutex mutex;
    std::vector<Block> blocks;
    for_each_block(batch.offsets, batch.segments, jobs, [&](std::int64_t first, std::int64_t last) {
        MoveFinder finder(effort);
        Block block{first, {}};
        for_each_window(batch, first, last, [&](const Batch& part, std::int64_t at) {
            for (std::int64_t s = 0; s < part.segments; ++s) {
                const std::size_t before = block.moves.size();
                const auto segment = static_cast<std::size_t>(at + s);
                result.lower[segment] = finder.find(
                    part.begin(s), static_cast<std::int32_t>(part.length(s)), block.moves);
                result.offsets[segment + 1] =
                    static_cast<std::int64_t>((block.moves.size() - before) / 3);
            }
        });
        const std::lock_guard lock(mutex);
        blocks.push_back(std::move(block));
    });
    for (std::size_t s = 0; s < result.lower.size(); ++s) {
        result.offsets[s + 1] += result.offsets[s];
    }
    std::sort(blocks.begin(), blocks.end(),
              [](const Block& one, const Block& other) { return one.first < other.first; });
    for (const Block& block : blocks) {
        result.moves.insert(result.moves.end(), block.moves.begin(), block.moves.end());
    }
    return result;
}

}  // namespace kilter
