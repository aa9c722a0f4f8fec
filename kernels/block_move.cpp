#include "block_move.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <span>

#include "permutation_window.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Runs of neighbours that stay neighbours (strips) never have to be torn apart [Christie 1998]; the search
// knows strips only. A state of at most this many fits into two machine words, five bits a strip.
constexpr std::int32_t kMostStrips = 24;
// Up to this many strips moves are chosen one after another by what they mend; the work is quadratic.
constexpr std::int32_t kMostGreedy = 4096;
// That there are no fewer moves is worth more effort than that none of as many are cheaper.
constexpr std::int64_t kCheapestShare = 8;

struct Cost {
    std::int64_t words = 0;
    std::int64_t distance = 0;

    friend bool operator<(const Cost& one, const Cost& other) {
        return one.words != other.words ? one.words < other.words : one.distance < other.distance;
    }
    friend Cost operator+(const Cost& one, const Cost& other) {
        return {one.words + other.words, one.distance + other.distance};
    }
};

// What moving the smaller of two blocks over the larger takes.
Cost move_cost(std::int64_t left, std::int64_t right) {
    return {std::min(left, right), std::max(left, right)};
}

// (m + 1 - odd cycles) / 2 of the cycle graph [Bafna, Pevzner 1998]: a move adds two odd cycles at most.
// `order` holds strips between -1 and m, `place` where each of 0..m stands (m stands at the end).
template <class Order, class Place, class Seen>
std::int32_t cycle_bound(const Order& order, const Place& place, std::int32_t m, Seen& seen) {
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

// A permutation of a few strips.
struct State {
    std::array<std::int8_t, kMostStrips> order;
};

using Key = std::array<std::uint64_t, 2>;

// What is known of states: hash table that is emptied at once by a new stamp.
class Memory {
public:
    struct Entry {
        Key key;
        std::uint32_t stamp = 0;
        std::int16_t least = 0;  // no set of fewer moves sorts the state
        bool solved = false;     // the best set has `least` moves, costs `cost`, and begins with `move`
        std::array<std::int8_t, 3> move{};
        Cost cost;
    };

    void clear() {
        ++stamp_;
        used_ = 0;
        if (stamp_ == 0) {
            std::fill(table_.begin(), table_.end(), Entry{});
            stamp_ = 1;
        }
    }
    // The entry of a state, a fresh one if there was none. It may move when another is asked for.
    Entry& at(const Key& key) {
        if (2 * (used_ + 1) > table_.size()) {
            grow();
        }
        Entry& found = table_[place(key)];
        if (found.stamp != stamp_) {
            found = Entry{};
            found.key = key;
            found.stamp = stamp_;
            ++used_;
        }
        return found;
    }

private:
    std::size_t place(const Key& key) const {
        std::uint64_t hash = (key[0] ^ (key[1] * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
        std::size_t at = static_cast<std::size_t>(hash) & (table_.size() - 1);
        while (table_[at].stamp == stamp_ && table_[at].key != key) {
            at = (at + 1) & (table_.size() - 1);
        }
        return at;
    }
    void grow() {
        std::vector<Entry> old(table_.size() * 2);
        old.swap(table_);
        for (const Entry& entry : old) {
            if (entry.stamp == stamp_) {
                table_[place(entry.key)] = entry;
            }
        }
    }

    std::vector<Entry> table_ = std::vector<Entry>(64);
    std::uint32_t stamp_ = 0;
    std::size_t used_ = 0;
};

// Iterative deepening over states of at most kMostStrips strips.
class Search {
public:
    explicit Search(std::int64_t effort) : all_effort_(effort) {}

    // Sorts strips of these weights. None if `most` moves (or more) would be needed, or if the effort, which
    // is counted down, does not suffice; `lower` is raised to what is proved.
    std::optional<std::vector<BlockMove>> run(const std::int8_t* order, const std::int32_t* weights,
                                              std::int32_t m, std::int32_t most, std::int64_t& effort,
                                              std::int32_t& lower) {
        m_ = m;
        std::copy_n(weights, m, weights_.begin());
        State start{};
        std::copy_n(order, m, start.order.begin());
        memory_.clear();
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
    static Key key_of(const State& state, std::int32_t m) {
        Key key{0, 0};
        for (std::int32_t i = 0; i < m; ++i) {
            const auto strip = static_cast<std::uint64_t>(state.order[static_cast<std::size_t>(i)]);
            key[static_cast<std::size_t>(i / 12)] |= strip << (5 * (i % 12));
        }
        return key;
    }

    // Where neighbours are none: the only places to cut.
    std::int32_t breakpoints(const State& state, std::array<std::int8_t, kMostStrips + 1>& cuts) const {
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

    static void apply(State& state, const std::array<std::int8_t, 3>& move) {
        std::int8_t* data = state.order.data();
        std::rotate(data + move[0], data + move[1], data + move[2]);
    }

    struct Choice {
        Cost cost;
        std::array<std::int8_t, 3> move;
    };

    // The cycles of the cycle graph: of each cut its cycle, its place on it, and the length of that.
    struct Cycles {
        std::array<std::int8_t, kMostStrips + 1> cycle, index, length;
        std::int32_t odd = 0;
    };

    Cycles cycles(const State& state) const {
        std::array<std::int8_t, kMostStrips + 1> place;
        for (std::int32_t i = 0; i < m_; ++i) {
            place[static_cast<std::size_t>(state.order[static_cast<std::size_t>(i)])] =
                static_cast<std::int8_t>(i);
        }
        place[static_cast<std::size_t>(m_)] = static_cast<std::int8_t>(m_);
        Cycles found;
        found.cycle.fill(-1);
        for (std::int32_t i = 0; i <= m_; ++i) {
            std::int8_t length = 0;
            std::int32_t k = i;
            while (found.cycle[static_cast<std::size_t>(k)] < 0) {
                const auto at = static_cast<std::size_t>(k);
                found.cycle[at] = static_cast<std::int8_t>(i);
                found.index[at] = length++;
                k = k == 0 ? place[0] : place[static_cast<std::size_t>(state.order[at - 1] + 1)];
            }
            found.length[static_cast<std::size_t>(i)] = length;  // of cycle i, if there is one
            found.odd += length & 1;
        }
        return found;
    }

    // How many more cycles of odd length there are after a move. Cutting at i < j < k, what led to i leads to
    // k, what led to k to j, and what led to j to i.
    static std::int32_t odd_gain(const Cycles& graph, std::int8_t i, std::int8_t j, std::int8_t k) {
        const auto cycle = [&](std::int8_t cut) { return graph.cycle[static_cast<std::size_t>(cut)]; };
        const auto length = [&](std::int8_t cut) {
            return std::int32_t{graph.length[static_cast<std::size_t>(cycle(cut))]};
        };
        // Steps from one cut to another on the same cycle.
        const auto steps = [&](std::int8_t from, std::int8_t to) {
            const std::int32_t way = graph.index[static_cast<std::size_t>(to)] -
                                     graph.index[static_cast<std::size_t>(from)];
            return way < 0 ? way + length(from) : way;
        };
        const bool ij = cycle(i) == cycle(j);
        const bool jk = cycle(j) == cycle(k);
        const bool ik = cycle(i) == cycle(k);
        if (ij && jk) {
            const std::int32_t to_j = steps(i, j);
            const std::int32_t to_k = steps(i, k);
            const std::int32_t whole = length(i);
            return to_j < to_k ? (to_j & 1) + ((to_k - to_j) & 1) + ((whole - to_k) & 1) - (whole & 1) : 0;
        }
        // Two cuts of one cycle part it, and the cycle of the third joins one of the parts.
        const auto parted = [&](std::int8_t from, std::int8_t to, std::int8_t other, bool joins_way) {
            const std::int32_t way = steps(from, to);
            const std::int32_t rest = length(from) - way;
            const std::int32_t joined = length(other);
            return ((way + (joins_way ? joined : 0)) & 1) + ((rest + (joins_way ? 0 : joined)) & 1) -
                   (length(from) & 1) - (joined & 1);
        };
        if (ij) {
            return parted(i, j, k, false);
        }
        if (ik) {
            return parted(i, k, j, true);
        }
        if (jk) {
            return parted(j, k, i, false);
        }
        const std::int32_t odd = (length(i) & 1) + (length(j) & 1) + (length(k) & 1);
        return (odd & 1) - odd;
    }

    // Puts the moves between breakpoints that leave what `moves - 1` moves may sort behind the pool of choices,
    // cheap ones first, of those from left to right.
    void choose(const State& state, std::span<const std::int8_t> cuts, std::int32_t moves) {
        std::array<std::int32_t, kMostStrips + 1> sums;
        sums[0] = 0;
        for (std::int32_t i = 0; i < m_; ++i) {
            const auto at = static_cast<std::size_t>(i);
            sums[at + 1] = sums[at] + weights_[static_cast<std::size_t>(state.order[at])];
        }
        const auto sum = [&](std::int8_t cut) { return sums[static_cast<std::size_t>(cut)]; };
        const Cycles graph = cycles(state);
        const std::int32_t needed = m_ + 1 - 2 * (moves - 1) - graph.odd;
        const std::size_t before = pool_.size();
        if (needed <= 2) {
            for (std::size_t i = 0; i < cuts.size(); ++i) {
                for (std::size_t j = i + 1; j < cuts.size(); ++j) {
                    for (std::size_t k = j + 1; k < cuts.size(); ++k) {
                        if (odd_gain(graph, cuts[i], cuts[j], cuts[k]) >= needed) {
                            pool_.push_back({move_cost(sum(cuts[j]) - sum(cuts[i]),
                                                       sum(cuts[k]) - sum(cuts[j])),
                                             {cuts[i], cuts[j], cuts[k]}});
                        }
                    }
                }
            }
        }
        pace_.work(4 * static_cast<std::int64_t>(cuts.size() * cuts.size() * cuts.size()));
        std::sort(pool_.begin() + static_cast<std::ptrdiff_t>(before), pool_.end(),
                  [](const Choice& one, const Choice& other) {
                      return one.cost < other.cost ||
                             (!(other.cost < one.cost) && one.move < other.move);
                  });
    }

    Cost last_cost(const State& state, const std::array<std::int8_t, kMostStrips + 1>& cuts) const {
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
    bool feasible(const State& state, std::int32_t moves) {
        std::array<std::int8_t, kMostStrips + 1> cuts;
        const std::int32_t count = breakpoints(state, cuts);
        if (count == 0 || moves == 0) {
            return count == 0 && moves == 0;
        }
        const Key key = key_of(state, m_);
        if (moves == 1) {  // three cuts are always two blocks in the wrong order
            return count == 3;
        }
        if (memory_.at(key).least > moves) {
            return false;
        }
        const std::size_t before = pool_.size();
        choose(state, {cuts.data(), static_cast<std::size_t>(count)}, moves);
        bool found = false;
        for (std::size_t at = before; at < pool_.size() && !found && spend(); ++at) {
            const Choice choice = pool_[at];
            State next = state;
            apply(next, choice.move);
            found = feasible(next, moves - 1);
            if (found) {
                Memory::Entry& entry = memory_.at(key);
                entry.least = static_cast<std::int16_t>(moves);
                entry.move = choice.move;
            }
        }
        pool_.resize(before);
        if (!found && !exhausted_) {
            memory_.at(key).least = static_cast<std::int16_t>(moves + 1);
        }
        return found;
    }

    // The least cost of sorting a state in `moves` moves; none if that is not possible.
    std::optional<Cost> cheapest(const State& state, std::int32_t moves) {
        std::array<std::int8_t, kMostStrips + 1> cuts;
        const std::int32_t count = breakpoints(state, cuts);
        if (moves == 0) {
            return count == 0 ? std::optional(Cost{}) : std::nullopt;
        }
        if (moves == 1) {
            return count == 3 ? std::optional(last_cost(state, cuts)) : std::nullopt;
        }
        const Key key = key_of(state, m_);
        const Memory::Entry known = memory_.at(key);
        if (known.least > moves) {
            return std::nullopt;
        }
        if (known.solved) {
            return known.cost;
        }
        std::optional<Cost> best;
        std::array<std::int8_t, 3> first{};
        const std::size_t before = pool_.size();
        choose(state, {cuts.data(), static_cast<std::size_t>(count)}, moves);
        for (std::size_t at = before; at < pool_.size() && spend(); ++at) {
            const Choice choice = pool_[at];
            // Every later move takes one word and one step at least.
            if (best && !(choice.cost + Cost{moves - 1, moves - 1} < *best)) {
                break;
            }
            State next = state;
            apply(next, choice.move);
            const std::optional<Cost> rest = cheapest(next, moves - 1);
            if (rest && (!best || choice.cost + *rest < *best)) {
                best = choice.cost + *rest;
                first = choice.move;
            }
        }
        pool_.resize(before);
        if (exhausted_) {
            return std::nullopt;
        }
        Memory::Entry& entry = memory_.at(key);
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
    std::vector<BlockMove> best_moves(const State& start, std::int32_t moves) {
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

    std::vector<std::array<std::int8_t, 3>> kept_moves(State state, std::int32_t moves) {
        std::vector<std::array<std::int8_t, 3>> found;
        for (; moves > 0; --moves) {
            if (moves == 1) {
                std::array<std::int8_t, kMostStrips + 1> cuts;
                breakpoints(state, cuts);
                found.push_back({cuts[0], cuts[1], cuts[2]});
            } else {
                found.push_back(memory_.at(key_of(state, m_)).move);
            }
            apply(state, found.back());
        }
        return found;
    }

    std::int32_t m_ = 0;
    std::array<std::int32_t, kMostStrips> weights_{};
    Memory memory_;
    std::vector<Choice> pool_;  // those of all states on the way here, one after another
    std::int64_t all_effort_;
    std::int64_t* effort_ = nullptr;
    bool exhausted_ = false;
    Pace pace_;
};

// Moves one after another, each of those that mend most breakpoints the cheapest. There is always one that
// mends a breakpoint, so that there are never more moves than breakpoints.
class Greedy {
public:
    std::vector<BlockMove> run(const std::int32_t* order, const std::int32_t* weights, std::int32_t m) {
        m_ = m;
        order_.assign(static_cast<std::size_t>(m) + 2, 0);  // between two ends that stay
        for (std::int32_t i = 0; i < m; ++i) {
            order_[i + 1] = order[i] + 1;
        }
        order_[m + 1] = m + 1;
        place_.resize(static_cast<std::size_t>(m) + 2);
        sums_.resize(static_cast<std::size_t>(m) + 2);
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
        const Cost cost = move_cost(sums_[middle] - sums_[start], sums_[end] - sums_[middle]);
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
    Cost cost_;
    BlockMove best_{};
    Pace pace_;
};

// What stands outside a longest rising sequence goes to its place, strip by strip, the lowest first. Gives
// moves of elements rather than of strips.
class Insertion {
public:
    std::vector<BlockMove> run(const std::int32_t* order, const std::int32_t* weights, std::int32_t m) {
        find_rising(order, m);
        // Slot 0 holds what belongs before everything that stays, slot i + 1 what stands at i and, if that
        // stays, what was put behind it.
        tree_.assign(static_cast<std::size_t>(m) + 2, 0);
        place_.resize(static_cast<std::size_t>(m));
        for (std::int32_t i = 0; i < m; ++i) {
            place_[order[i]] = i;
            add(i + 1, weights[order[i]]);
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
            const std::int32_t from = sum(slot - 1);
            const std::int32_t to = sum(base);
            if (from > to) {
                moves.push_back({to, from, from + size});
            } else if (from + size < to) {
                moves.push_back({from, from + size, to});
            }
            add(slot, -size);
            add(base, size);
        }
        return moves;
    }

private:
    void find_rising(const std::int32_t* order, std::int32_t m) {
        stays_.assign(static_cast<std::size_t>(m), std::int8_t{0});
        WorkVector<std::int32_t> ends, before(static_cast<std::size_t>(m));
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
    void add(std::int32_t slot, std::int32_t weight) {
        for (std::size_t k = static_cast<std::size_t>(slot) + 1; k <= tree_.size(); k += k & (~k + 1)) {
            tree_[k - 1] += weight;
        }
    }
    // Elements of slots 0 to `slot`.
    std::int32_t sum(std::int32_t slot) const {
        std::int32_t total = 0;
        for (std::size_t k = static_cast<std::size_t>(slot) + 1; k > 0; k -= k & (~k + 1)) {
            total += tree_[k - 1];
        }
        return total;
    }

    WorkVector<std::int32_t> tree_, place_;
    WorkVector<std::int8_t> stays_;
    Pace pace_;
};

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
        rank_.assign(static_cast<std::size_t>(last - first), 0);
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
        part_.resize(static_cast<std::size_t>(m));
        place_.resize(static_cast<std::size_t>(m) + 1);
        seen_.resize(static_cast<std::size_t>(m) + 1);
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
    Search search_;
    Greedy greedy_;
    Insertion insertion_;
    Pace pace_;
};

}  // namespace

BlockMoves find_block_moves(const Batch& batch, std::int64_t effort, int jobs) {
    struct Block {
        std::int64_t first;
        std::vector<std::int32_t> moves;
    };
    BlockMoves result;
    result.offsets.assign(static_cast<std::size_t>(batch.segments) + 1, 0);
    result.lower.assign(static_cast<std::size_t>(batch.segments), 0);
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
