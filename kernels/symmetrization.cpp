#include "symmetrization.hpp"

#include <array>
#include <utility>

namespace kilter {
namespace {

class Grid {
public:
    void fill(std::int64_t sources, const std::int32_t* reverse, std::int64_t targets,
              const std::int32_t* forward) {
        sources_ = sources;
        targets_ = targets;
        const auto cells = static_cast<std::size_t>(sources * targets);
        forward_.assign(cells, 0);
        reverse_.assign(cells, 0);
        for (std::int64_t t = 0; t < targets; ++t) {
            if (forward[t] >= 0) {
                forward_[at(forward[t], t)] = 1;
            }
        }
        for (std::int64_t s = 0; s < sources; ++s) {
            if (reverse[s] >= 0) {
                reverse_[at(s, reverse[s])] = 1;
            }
        }
        chosen_.assign(cells, 0);
        source_linked_.assign(static_cast<std::size_t>(sources), 0);
        target_linked_.assign(static_cast<std::size_t>(targets), 0);
    }

    void apply(Symmetrization rule) {
        const bool both = rule == Symmetrization::kUnion;
        const bool first = both || rule == Symmetrization::kForward;
        const bool second = both || rule == Symmetrization::kReverse;
        const bool plain = first || second;
        for (std::int64_t s = 0; s < sources_; ++s) {
            for (std::int64_t t = 0; t < targets_; ++t) {
                const bool ahead = forward_[at(s, t)];
                const bool back = reverse_[at(s, t)];
                if (plain ? (first && ahead) || (second && back) : ahead && back) {
                    choose(s, t);
                }
            }
        }
        if (plain || rule == Symmetrization::kIntersection) {
            return;
        }
        while (grow()) {
        }
        if (rule != Symmetrization::kGrowDiag) {
            finish(forward_, rule == Symmetrization::kGrowDiagFinalAnd);
            finish(reverse_, rule == Symmetrization::kGrowDiagFinalAnd);
        }
    }

    void append_to(std::vector<std::int32_t>& links) const {
        for (std::int64_t s = 0; s < sources_; ++s) {
            for (std::int64_t t = 0; t < targets_; ++t) {
                if (chosen_[at(s, t)]) {
                    links.push_back(static_cast<std::int32_t>(s));
                    links.push_back(static_cast<std::int32_t>(t));
                }
            }
        }
    }

private:
    std::size_t at(std::int64_t s, std::int64_t t) const {
        return static_cast<std::size_t>(s * targets_ + t);
    }

    void choose(std::int64_t s, std::int64_t t) {
        chosen_[at(s, t)] = 1;
        source_linked_[static_cast<std::size_t>(s)] = 1;
        target_linked_[static_cast<std::size_t>(t)] = 1;
    }

    bool free(std::int64_t s, std::int64_t t, bool both) const {
        const bool source = !source_linked_[static_cast<std::size_t>(s)];
        const bool target = !target_linked_[static_cast<std::size_t>(t)];
        return both ? source && target : source || target;
    }

    // One pass, target words first: a link added on the way is a neighbour at once.
    bool grow() {
        static constexpr std::array<std::pair<int, int>, 8> kNeighbours{
            {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
        bool added = false;
        for (std::int64_t t = 0; t < targets_; ++t) {
            for (std::int64_t s = 0; s < sources_; ++s) {
                if (!chosen_[at(s, t)]) {
                    continue;
                }
                for (const auto& [dt, ds] : kNeighbours) {
                    const std::int64_t u = t + dt;
                    const std::int64_t r = s + ds;
                    if (u < 0 || u >= targets_ || r < 0 || r >= sources_ || !free(r, u, false)) {
                        continue;
                    }
                    if (forward_[at(r, u)] || reverse_[at(r, u)]) {
                        choose(r, u);
                        added = true;
                    }
                }
            }
        }
        return added;
    }

    void finish(const std::vector<std::uint8_t>& direction, bool both) {
        for (std::int64_t t = 0; t < targets_; ++t) {
            for (std::int64_t s = 0; s < sources_; ++s) {
                if (direction[at(s, t)] && free(s, t, both)) {
                    choose(s, t);
                }
            }
        }
    }

    std::int64_t sources_ = 0;
    std::int64_t targets_ = 0;
    std::vector<std::uint8_t> forward_, reverse_, chosen_, source_linked_, target_linked_;
};

}  // namespace

void symmetrize(const std::int32_t* forward, const std::int64_t* target_offsets,
                const std::int32_t* reverse, const std::int64_t* source_offsets,
                std::int64_t sentences, Symmetrization rule, std::vector<std::int32_t>& links,
                std::vector<std::int64_t>& offsets) {
    Grid grid;
    offsets.assign(1, 0);
    for (std::int64_t s = 0; s < sentences; ++s) {
        grid.fill(source_offsets[s + 1] - source_offsets[s], reverse + source_offsets[s],
                  target_offsets[s + 1] - target_offsets[s], forward + target_offsets[s]);
        grid.apply(rule);
        grid.append_to(links);
        offsets.push_back(static_cast<std::int64_t>(links.size()) / 2);
    }
}

}  // namespace kilter
