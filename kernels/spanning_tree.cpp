#include "spanning_tree.hpp"

#include <cmath>
#include <cstddef>

#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Sums of arcs compare by their number of root arcs first (fewer is better), then by infinite arcs, then
// by score. The algorithm needs nothing but an ordered group, so that the single root is exact and no
// large penalty drowns the scores.
struct Weight {
    std::int32_t roots = 0;
    std::int32_t infinite = 0;
    double score = 0.0;

    Weight operator-(const Weight& other) const {
        return {roots - other.roots, infinite - other.infinite, score - other.score};
    }
    bool operator>(const Weight& other) const {
        if (roots != other.roots) {
            return roots < other.roots;
        }
        if (infinite != other.infinite) {
            return infinite > other.infinite;
        }
        return score > other.score;
    }
};

struct Arc {
    Weight weight;
    std::int32_t head = -1;
    std::int32_t dependent = -1;
};

// Follows best arcs backwards along a path. A path that meets itself becomes one node that is as good as
// its best way in; a path that meets the finished part is finished. Node 0 is the root, nodes above
// `words` are contracted cycles. A cycle uses the row and column of one of its members.
class Contraction {
public:
    Contraction(const double* scores, std::int32_t words)
        : words_(words),
          size_(std::int64_t{words} + 1),
          arcs_(size_ * size_),
          node_of_slot_(size_),
          parent_(2 * size_, -1),
          slot_(2 * size_),
          best_(2 * size_) {
        for (std::int32_t d = 0; d <= words; ++d) {
            node_of_slot_[d] = d;
            slot_[d] = d;
            for (std::int32_t h = 0; d > 0 && h <= words; ++h) {
                const double score = scores[(d - 1) * size_ + h];
                Arc& arc = at(d, h);
                arc.head = h;
                arc.dependent = d;
                arc.weight.roots = h == 0 ? 1 : 0;
                if (std::isinf(score)) {
                    arc.weight.infinite = score > 0 ? 1 : -1;
                } else {
                    arc.weight.score = score;
                }
            }
        }
        next_ = words + 1;
    }

    void solve(std::int32_t* heads) {
        PlainVector<std::uint8_t> finished(2 * size_, 0);
        PlainVector<std::uint8_t> on_path(2 * size_, 0);
        finished[0] = 1;
        PlainVector<std::int32_t> path;
        for (std::int32_t start = 1; start <= words_; ++start) {
            const std::int32_t first = top(start);
            if (finished[first]) {
                continue;
            }
            path.assign(1, first);
            on_path[first] = 1;
            while (!path.empty()) {
                const std::int32_t node = path.back();
                pace_.work(words_);
                const std::int32_t from = choose(node);
                if (finished[from]) {
                    for (const std::int32_t done : path) {
                        finished[done] = 1;
                    }
                    path.clear();
                } else if (on_path[from]) {
                    const std::int32_t cycle = contract(path, from);
                    path.push_back(cycle);
                    on_path[cycle] = 1;
                } else {
                    path.push_back(from);
                    on_path[from] = 1;
                }
            }
        }
        expand(heads);
    }

private:
    Arc& at(std::int32_t dependent_slot, std::int32_t head_slot) {
        return arcs_[dependent_slot * size_ + head_slot];
    }

    std::int32_t top(std::int32_t node) const {
        while (parent_[node] >= 0) {
            node = parent_[node];
        }
        return node;
    }

    // Remembers the best arc into a node and returns the node that it comes from.
    std::int32_t choose(std::int32_t node) {
        const std::int32_t slot = slot_[node];
        std::int32_t from = -1;
        for (std::int32_t other = 0; other <= words_; ++other) {
            if (other == slot || node_of_slot_[other] < 0) {
                continue;
            }
            if (from < 0 || at(slot, other).weight > at(slot, from).weight) {
                from = other;
            }
        }
        best_[node] = at(slot, from);
        return node_of_slot_[from];
    }

    // Makes one node of the path from `first` to its end, which is taken off the path.
    std::int32_t contract(PlainVector<std::int32_t>& path, std::int32_t first) {
        const std::int32_t cycle = next_++;
        const std::int32_t slot = slot_[first];
        PlainVector<std::int32_t> members;
        do {
            members.push_back(path.back());
            path.pop_back();
        } while (members.back() != first);
        for (const std::int32_t member : members) {
            pace_.work(4 * std::int64_t{words_});
            parent_[member] = cycle;
            node_of_slot_[slot_[member]] = -1;
            for (std::int32_t other = 0; other <= words_; ++other) {
                Arc& arc = at(slot_[member], other);
                arc.weight = arc.weight - best_[member].weight;
            }
        }
        for (std::int32_t other = 0; other <= words_; ++other) {
            if (node_of_slot_[other] < 0) {
                continue;
            }
            for (const std::int32_t member : members) {
                const std::int32_t from = slot_[member];
                if (at(from, other).weight > at(slot, other).weight) {
                    at(slot, other) = at(from, other);
                }
                if (at(other, from).weight > at(other, slot).weight) {
                    at(other, slot) = at(other, from);
                }
            }
        }
        slot_[cycle] = slot;
        node_of_slot_[slot] = cycle;
        return cycle;
    }

    // The way into a cycle replaces the arc of the member that it leads to; outer cycles come first.
    void expand(std::int32_t* heads) {
        for (std::int32_t cycle = next_ - 1; cycle > words_; --cycle) {
            const Arc& into = best_[cycle];
            std::int32_t member = into.dependent;
            while (parent_[member] != cycle) {
                member = parent_[member];
            }
            best_[member] = into;
        }
        for (std::int32_t word = 1; word <= words_; ++word) {
            heads[word - 1] = best_[word].head - 1;
        }
    }

    std::int32_t words_;
    std::int64_t size_;
    std::int32_t next_ = 0;
    PlainVector<Arc> arcs_;
    PlainVector<std::int32_t> node_of_slot_;
    PlainVector<std::int32_t> parent_;
    PlainVector<std::int32_t> slot_;
    PlainVector<Arc> best_;
    Pace pace_;
};

}  // namespace

void spanning_tree(const double* scores, std::int32_t words, std::int32_t* heads) {
    if (words > 0) {
        Contraction(scores, words).solve(heads);
    }
}

}  // namespace kilter
