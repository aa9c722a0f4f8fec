#include "spanning_tree.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "watch.hpp"

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
          size_(static_cast<std::size_t>(words) + 1),
          arcs_(size_ * size_),
          node_of_slot_(size_),
          parent_(2 * size_, -1),
          slot_(2 * size_),
          best_(2 * size_) {
        for (std::int32_t d = 0; d <= words; ++d) {
            node_of_slot_[static_cast<std::size_t>(d)] = d;
            slot_[static_cast<std::size_t>(d)] = d;
            for (std::int32_t h = 0; d > 0 && h <= words; ++h) {
                const double score = scores[static_cast<std::size_t>(d - 1) * size_ + static_cast<std::size_t>(h)];
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
        std::vector<bool> finished(2 * size_, false);
        std::vector<bool> on_path(2 * size_, false);
        finished[0] = true;
        std::vector<std::int32_t> path;
        for (std::int32_t start = 1; start <= words_; ++start) {
            const std::int32_t first = top(start);
            if (finished[static_cast<std::size_t>(first)]) {
                continue;
            }
            path.assign(1, first);
            on_path[static_cast<std::size_t>(first)] = true;
            while (!path.empty()) {
                const std::int32_t node = path.back();
                pace_.work(words_);
                const std::int32_t from = choose(node);
                if (finished[static_cast<std::size_t>(from)]) {
                    for (const std::int32_t done : path) {
                        finished[static_cast<std::size_t>(done)] = true;
                    }
                    path.clear();
                } else if (on_path[static_cast<std::size_t>(from)]) {
                    const std::int32_t cycle = contract(path, from);
                    path.push_back(cycle);
                    on_path[static_cast<std::size_t>(cycle)] = true;
                } else {
                    path.push_back(from);
                    on_path[static_cast<std::size_t>(from)] = true;
                }
            }
        }
        expand(heads);
    }

private:
    Arc& at(std::int32_t dependent_slot, std::int32_t head_slot) {
        return arcs_[static_cast<std::size_t>(dependent_slot) * size_ + static_cast<std::size_t>(head_slot)];
    }

    std::int32_t top(std::int32_t node) const {
        while (parent_[static_cast<std::size_t>(node)] >= 0) {
            node = parent_[static_cast<std::size_t>(node)];
        }
        return node;
    }

    // Remembers the best arc into a node and returns the node that it comes from.
    std::int32_t choose(std::int32_t node) {
        const std::int32_t slot = slot_[static_cast<std::size_t>(node)];
        std::int32_t from = -1;
        for (std::int32_t other = 0; other <= words_; ++other) {
            if (other == slot || node_of_slot_[static_cast<std::size_t>(other)] < 0) {
                continue;
            }
            if (from < 0 || at(slot, other).weight > at(slot, from).weight) {
                from = other;
            }
        }
        best_[static_cast<std::size_t>(node)] = at(slot, from);
        return node_of_slot_[static_cast<std::size_t>(from)];
    }

    // Makes one node of the path from `first` to its end, which is taken off the path.
    std::int32_t contract(std::vector<std::int32_t>& path, std::int32_t first) {
        const std::int32_t cycle = next_++;
        const std::int32_t slot = slot_[static_cast<std::size_t>(first)];
        std::vector<std::int32_t> members;
        do {
            members.push_back(path.back());
            path.pop_back();
        } while (members.back() != first);
        for (const std::int32_t member : members) {
            pace_.work(4 * std::int64_t{words_});
            const auto m = static_cast<std::size_t>(member);
            parent_[m] = cycle;
            node_of_slot_[static_cast<std::size_t>(slot_[m])] = -1;
            for (std::int32_t other = 0; other <= words_; ++other) {
                Arc& arc = at(slot_[m], other);
                arc.weight = arc.weight - best_[m].weight;
            }
        }
        for (std::int32_t other = 0; other <= words_; ++other) {
            if (node_of_slot_[static_cast<std::size_t>(other)] < 0) {
                continue;
            }
            for (const std::int32_t member : members) {
                const std::int32_t from = slot_[static_cast<std::size_t>(member)];
                if (at(from, other).weight > at(slot, other).weight) {
                    at(slot, other) = at(from, other);
                }
                if (at(other, from).weight > at(other, slot).weight) {
                    at(other, slot) = at(other, from);
                }
            }
        }
        slot_[static_cast<std::size_t>(cycle)] = slot;
        node_of_slot_[static_cast<std::size_t>(slot)] = cycle;
        return cycle;
    }

    // The way into a cycle replaces the arc of the member that it leads to; outer cycles come first.
    void expand(std::int32_t* heads) {
        for (std::int32_t cycle = next_ - 1; cycle > words_; --cycle) {
            const Arc& into = best_[static_cast<std::size_t>(cycle)];
            std::int32_t member = into.dependent;
            while (parent_[static_cast<std::size_t>(member)] != cycle) {
                member = parent_[static_cast<std::size_t>(member)];
            }
            best_[static_cast<std::size_t>(member)] = into;
        }
        for (std::int32_t word = 1; word <= words_; ++word) {
            heads[word - 1] = best_[static_cast<std::size_t>(word)].head - 1;
        }
    }

    std::int32_t words_;
    std::size_t size_;
    std::int32_t next_ = 0;
    std::vector<Arc> arcs_;
    std::vector<std::int32_t> node_of_slot_;
    std::vector<std::int32_t> parent_;
    std::vector<std::int32_t> slot_;
    std::vector<Arc> best_;
    Pace pace_;
};

}  // namespace

void spanning_tree(const double* scores, std::int32_t words, std::int32_t* heads) {
    if (words > 0) {
        Contraction(scores, words).solve(heads);
    }
}

}  // namespace kilter
