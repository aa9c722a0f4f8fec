// The search for the smallest set of block moves, over permutations of a few strips.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "block_move.hpp"
#include "move_cost.hpp"
#include "open_table.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {

// Runs of neighbours that stay neighbours (strips) never have to be torn apart [Christie 1998]; the search
// knows strips only. A state of at most this many fits into two machine words, five bits a strip.
inline constexpr std::int32_t kMostStrips = 24;
// That there are no fewer moves is worth more effort than that none of as many are cheaper.
inline constexpr std::int64_t kCheapestShare = 8;

// A permutation of a few strips.
struct StripOrder {
    std::array<std::int8_t, kMostStrips> order;
};

using StripKey = std::array<std::uint64_t, 2>;

// What is known of a state.
struct KnownState {
    std::int16_t least = 0;  // no set of fewer moves sorts the state
    bool solved = false;     // the best set has `least` moves, costs `cost`, and begins with `move`
    std::array<std::int8_t, 3> move{};
    MoveCost cost;
};

// Iterative deepening over states of at most kMostStrips strips.
class MoveSearch {
public:
    explicit MoveSearch(std::int64_t effort) : all_effort_(effort) {}

    // Sorts strips of these weights. None if `most` moves (or more) would be needed, or if the effort, which
    // is counted down, does not suffice; `lower` is raised to what is proved.
    std::optional<std::vector<BlockMove>> run(const std::int8_t* order, const std::int32_t* weights,
                                              std::int32_t m, std::int32_t most, std::int64_t& effort,
                                              std::int32_t& lower) {
        m_ = m;
        std::copy_n(weights, m, weights_.begin());
        StripOrder start{};
        std::copy_n(order, m, start.order.begin());
        states_.clear();
        pool_.clear();
        effort_ = &effort;
        for (; lower < most; ++lower) {
            exhausted_ = false;
            if (feasible(start, lower)) {
                return best_moves(start, lower);
            }
            if (exhausted_) {
                break;
            }
        }
        return std::nullopt;
    }

private:
    static StripKey key_of(const StripOrder& state, std::int32_t m) {
        StripKey key{0, 0};
        for (std::int32_t i = 0; i < m; ++i) {
            const auto strip = static_cast<std::uint64_t>(state.order[static_cast<std::size_t>(i)]);
            key[static_cast<std::size_t>(i / 12)] |= strip << (5 * (i % 12));
        }
        return key;
    }

    // The entry of a state. It may move when another is asked for.
    KnownState& known(const StripKey& key) { return states_.insert(key, {}); }

    // Where neighbours are none: the only places to cut.
    std::int32_t breakpoints(const StripOrder& state, std::array<std::int8_t, kMostStrips + 1>& cuts) const {
        std::int32_t count = 0;
        std::int32_t before = -1;
        for (std::int32_t i = 0; i <= m_; ++i) {
            const std::int32_t here = i < m_ ? state.order[static_cast<std::size_t>(i)] : m_;
            if (here != before + 1) {
                cuts[static_cast<std::size_t>(count++)] = static_cast<std::int8_t>(i);
            }
            before = here;
        }
        return count;
    }

    static void apply(StripOrder& state, const std::array<std::int8_t, 3>& move) {
        std::int8_t* data = state.order.data();
        std::rotate(data + move[0], data + move[1], data + move[2]);
    }

    struct Choice {
        MoveCost cost;
        std::array<std::int8_t, 3> move;
    };

    // The cycles of the cycle graph, as sets of cuts: for each cut those on its cycle, those of them that are an
    // odd number of steps away, and those that the cycle comes upon no later. Cycles of one cut, where
    // neighbours are neighbours, are counted only.
    struct Cycles {
        std::array<std::uint32_t, kMostStrips + 1> same, odd_way, up_to;
        std::uint32_t all = 0;
        std::uint32_t odd = 0;  // cuts on cycles of odd length
        std::int32_t odd_cycles = 0;
    };

    static std::uint32_t bit(std::int32_t cut) { return std::uint32_t{1} << cut; }

    Cycles cycles(const StripOrder& state) const {
        std::array<std::int8_t, kMostStrips + 1> place;
        for (std::int32_t i = 0; i < m_; ++i) {
            place[static_cast<std::size_t>(state.order[static_cast<std::size_t>(i)])] =
                static_cast<std::int8_t>(i);
        }
        place[static_cast<std::size_t>(m_)] = static_cast<std::int8_t>(m_);
        Cycles found;
        std::array<std::int8_t, kMostStrips + 1> way;
        for (std::uint32_t left = 2 * bit(m_) - 1; left != 0;) {
            std::uint32_t members = 0;
            std::uint32_t odd_index = 0;
            std::size_t length = 0;
            for (std::int32_t k = std::countr_zero(left); !(members & bit(k)); ++length) {
                const auto at = static_cast<std::size_t>(k);
                members |= bit(k);
                odd_index |= length & 1 ? bit(k) : 0;
                way[length] = static_cast<std::int8_t>(k);
                found.up_to[at] = members;
                k = k == 0 ? place[0] : place[static_cast<std::size_t>(state.order[at - 1] + 1)];
            }
            left &= ~members;
            const bool odd = length & 1;
            found.odd_cycles += odd;
            if (length == 1) {
                continue;
            }
            found.all |= members;
            found.odd |= odd ? members : 0;
            for (std::size_t index = 0; index < length; ++index) {
                const auto at = static_cast<std::size_t>(way[index]);
                found.same[at] = members;
                // A way around the end of a cycle of odd length has one step more or less than indices say.
                const std::uint32_t around = odd ? found.up_to[at] & ~bit(way[index]) : 0;
                found.odd_way[at] = odd_index ^ (index & 1 ? members : 0) ^ around;
            }
        }
        return found;
    }

    // The cuts k that, with i and j before them, make a move by which there are two more cycles of odd length.
    // Cutting at i < j < k, what led to i leads to k, what led to k to j, and what led to j to i: three cuts
    // of one cycle in this order part it into three; two cuts part it into two, of which one joins the
    // cycle of the third cut; three cycles join.
    static std::uint32_t gaining(const Cycles& sets, std::int32_t i, std::int32_t j) {
        const auto one = static_cast<std::size_t>(i);
        const auto other = static_cast<std::size_t>(j);
        const bool odd = sets.odd & bit(i);
        if (!(sets.same[one] & bit(j))) {
            return odd || sets.odd & bit(j) ? 0 : sets.odd_way[one] | sets.odd_way[other];
        }
        const bool odd_way = sets.odd_way[one] & bit(j);
        // Those that the cycle comes upon behind j, on the way from i.
        const std::uint32_t behind =
            sets.up_to[one] & bit(j) ? sets.up_to[one] & ~sets.up_to[other] & ~bit(i)
                                     : sets.same[one] & ~(sets.up_to[other] & ~sets.up_to[one]) & ~bit(i);
        if (odd) {
            return odd_way ? behind & ~sets.odd_way[one] : 0;
        }
        return odd_way ? behind | (sets.all & ~sets.odd & ~sets.same[one]) : behind & sets.odd_way[one];
    }

    // The cuts k that, with i and j before them, make a move by which there are two less.
    static std::uint32_t losing(const Cycles& sets, std::int32_t i, std::int32_t j) {
        const auto one = static_cast<std::size_t>(i);
        const auto other = static_cast<std::size_t>(j);
        const bool first = sets.odd & bit(i);
        const bool second = sets.odd & bit(j);
        if (sets.same[one] & bit(j)) {
            return first && !(sets.odd_way[one] & bit(j)) ? sets.odd & ~sets.same[one] : 0;
        }
        const std::uint32_t others = ~(sets.same[one] | sets.same[other]);
        if (first && second) {
            return sets.odd_way[one] | (sets.same[other] & ~sets.odd_way[other]) | others;
        }
        return first || second ? sets.odd & others : 0;
    }

    // Puts the moves between breakpoints that leave what `moves - 1` moves may sort behind the pool of choices,
    // cheap ones first, of those from left to right.
    void choose(const StripOrder& state, std::int32_t moves) {
        std::array<std::int32_t, kMostStrips + 1> sums;
        sums[0] = 0;
        for (std::int32_t i = 0; i < m_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            sums[at + 1] = sums[at] + weights_[static_cast<std::size_t>(state.order[at])];
        }
        const auto sum = [&](std::int8_t cut) { return sums[static_cast<std::size_t>(cut)]; };
        const Cycles graph = cycles(state);
        // How many cycles of odd length a move has to add: an even number, and two at most.
        const std::int32_t needed = m_ + 1 - 2 * (moves - 1) - graph.odd_cycles;
        const std::size_t before = pool_.size();
        const std::uint32_t firsts = needed <= 2 ? graph.all : 0;
        for (std::uint32_t one = firsts; one != 0; one &= one - 1) {
            const auto i = static_cast<std::int8_t>(std::countr_zero(one));
            std::uint32_t other = one & (one - 1);
            if (needed == 2) {  // cuts on a cycle of odd length gain with others of that cycle alone
                const std::uint32_t same = graph.same[static_cast<std::size_t>(i)];
                other &= graph.odd & bit(i) ? same : ~graph.odd;
            }
            for (; other != 0; other &= other - 1) {
                const auto j = static_cast<std::int8_t>(std::countr_zero(other));
                std::uint32_t last = graph.all & ~(2 * bit(j) - 1);
                if (needed == 2) {
                    last &= gaining(graph, i, j);
                } else if (needed == 0) {
                    last &= ~losing(graph, i, j);
                }
                for (; last != 0; last &= last - 1) {
                    const auto k = static_cast<std::int8_t>(std::countr_zero(last));
                    pool_.push_back({move_cost(sum(j) - sum(i), sum(k) - sum(j)), {i, j, k}});
                }
            }
        }
        const std::int64_t cuts = std::popcount(firsts);
        pace_.work(4 * (m_ + cuts * cuts + static_cast<std::int64_t>(pool_.size() - before)));
        std::sort(pool_.begin() + static_cast<std::ptrdiff_t>(before), pool_.end(),
                  [](const Choice& one, const Choice& other) {
                      return one.cost < other.cost ||
                             (!(other.cost < one.cost) && one.move < other.move);
                  });
    }

    MoveCost last_cost(const StripOrder& state, const std::array<std::int8_t, kMostStrips + 1>& cuts) const {
        const auto weight = [&](std::int8_t from, std::int8_t to) {
            std::int64_t total = 0;
            for (std::int8_t i = from; i < to; ++i) {
                total += weights_[static_cast<std::size_t>(state.order[static_cast<std::size_t>(i)])];
            }
            return total;
        };
        return move_cost(weight(cuts[0], cuts[1]), weight(cuts[1], cuts[2]));
    }

    // Counts a move that is tried; false when too many were.
    bool spend() {
        if (*effort_ <= 0) {
            exhausted_ = true;
            return false;
        }
        --*effort_;
        return true;
    }

    // Whether `moves` moves sort a state; cheap moves are tried first, and the first that leads there is kept.
    bool feasible(const StripOrder& state, std::int32_t moves) {
        std::array<std::int8_t, kMostStrips + 1> cuts;
        const std::int32_t count = breakpoints(state, cuts);
        if (count == 0 || moves == 0) {
            return count == 0 && moves == 0;
        }
        const StripKey key = key_of(state, m_);
        if (moves == 1) {  // three cuts are always two blocks in the wrong order
            return count == 3;
        }
        if (known(key).least > moves) {
            return false;
        }
        const std::size_t before = pool_.size();
        choose(state, moves);
        bool found = false;
        for (std::size_t at = before; at < pool_.size() && !found && spend(); ++at) {
            const Choice choice = pool_[at];
            StripOrder next = state;
            apply(next, choice.move);
            found = feasible(next, moves - 1);
            if (found) {
                KnownState& entry = known(key);
                entry.least = static_cast<std::int16_t>(moves);
                entry.move = choice.move;
            }
        }
        pool_.resize(before);
        if (!found && !exhausted_) {
            known(key).least = static_cast<std::int16_t>(moves + 1);
        }
        return found;
    }

    // The least cost of sorting a state in `moves` moves; none if that is not possible.
    std::optional<MoveCost> cheapest(const StripOrder& state, std::int32_t moves) {
        std::array<std::int8_t, kMostStrips + 1> cuts;
        const std::int32_t count = breakpoints(state, cuts);
        if (moves == 0) {
            return count == 0 ? std::optional(MoveCost{}) : std::nullopt;
        }
        if (moves == 1) {
            return count == 3 ? std::optional(last_cost(state, cuts)) : std::nullopt;
        }
        const StripKey key = key_of(state, m_);
        if (const KnownState& entry = known(key); entry.least > moves) {
            return std::nullopt;
        } else if (entry.solved) {
            return entry.cost;
        }
        std::optional<MoveCost> best;
        std::array<std::int8_t, 3> first{};
        const std::size_t before = pool_.size();
        choose(state, moves);
        for (std::size_t at = before; at < pool_.size() && spend(); ++at) {
            const Choice choice = pool_[at];
            // Every later move takes one word and one step at least.
            if (best && !(choice.cost + MoveCost{moves - 1, moves - 1} < *best)) {
                break;
            }
            StripOrder next = state;
            apply(next, choice.move);
            const std::optional<MoveCost> rest = cheapest(next, moves - 1);
            if (rest && (!best || choice.cost + *rest < *best)) {
                best = choice.cost + *rest;
                first = choice.move;
            }
        }
        pool_.resize(before);
        if (exhausted_) {
            return std::nullopt;
        }
        KnownState& entry = known(key);
        if (best) {
            entry.least = static_cast<std::int16_t>(moves);
            entry.solved = true;
            entry.cost = *best;
            entry.move = first;
        } else {
            entry.least = static_cast<std::int16_t>(moves + 1);
        }
        return best;
    }

    // The cheapest set of so many moves, or the first that was found if the effort ends before it is known.
    std::vector<BlockMove> best_moves(const StripOrder& start, std::int32_t moves) {
        std::vector<std::array<std::int8_t, 3>> found = kept_moves(start, moves);
        const std::int64_t left = *effort_;
        const std::int64_t granted = std::min(left, all_effort_ / kCheapestShare);
        exhausted_ = false;
        *effort_ = granted;
        cheapest(start, moves);
        *effort_ += left - granted;
        if (!exhausted_) {
            found = kept_moves(start, moves);
        }
        std::vector<BlockMove> result;
        for (const auto& [begin, middle, end] : found) {
            result.push_back({begin, middle, end});
        }
        return result;
    }

    std::vector<std::array<std::int8_t, 3>> kept_moves(StripOrder state, std::int32_t moves) {
        std::vector<std::array<std::int8_t, 3>> found;
        for (; moves > 0; --moves) {
            if (moves == 1) {
                std::array<std::int8_t, kMostStrips + 1> cuts;
                breakpoints(state, cuts);
                found.push_back({cuts[0], cuts[1], cuts[2]});
            } else {
                found.push_back(known(key_of(state, m_)).move);
            }
            apply(state, found.back());
        }
        return found;
    }

    std::int32_t m_ = 0;
    std::array<std::int32_t, kMostStrips> weights_{};
    OpenTable<StripKey, KnownState> states_;
    std::vector<Choice> pool_;  // those of all states on the way here, one after another
    std::int64_t all_effort_;
    std::int64_t* effort_ = nullptr;
    bool exhausted_ = false;
    Pace pace_;
};

}  // namespace kilter
