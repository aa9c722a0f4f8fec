#include "symmetrization.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "watch.hpp"

namespace kilter {
namespace {

constexpr std::uint8_t kAhead = 1;
constexpr std::uint8_t kBack = 2;

// The links of one segment that either direction has. Neighbours are looked up in the sorted list:
// no grid, so positions may be as large as they like.
class Segment {
public:
    void fill(const LinkColumn& forward, const LinkColumn& reverse, std::int64_t segment) {
        found_.clear();
        add(forward, segment, kAhead);
        add(reverse, segment, kBack);
        std::sort(found_.begin(), found_.end());
        keys_.clear();
        origin_.clear();
        sources_.clear();
        targets_.clear();
        for (const auto& [key, origin] : found_) {
            if (!keys_.empty() && keys_.back() == key) {
                origin_.back() |= origin;
                continue;
            }
            keys_.push_back(key);
            origin_.push_back(origin);
            sources_.push_back(source(key));
            targets_.push_back(target(key));
        }
        std::sort(sources_.begin(), sources_.end());
        chosen_.assign(keys_.size(), 0);
        source_linked_.assign(keys_.size(), 0);
        target_linked_.assign(keys_.size(), 0);
    }

    void apply(Symmetrization rule) {
        switch (rule) {
            case Symmetrization::kForward:
                return choose_all([](std::uint8_t origin) { return (origin & kAhead) != 0; });
            case Symmetrization::kReverse:
                return choose_all([](std::uint8_t origin) { return (origin & kBack) != 0; });
            case Symmetrization::kUnion:
                return choose_all([](std::uint8_t) { return true; });
            default:
                choose_all([](std::uint8_t origin) { return origin == (kAhead | kBack); });
        }
        if (rule == Symmetrization::kIntersection) {
            return;
        }
        while (grow()) {
            check_stop();
        }
        if (rule != Symmetrization::kGrowDiag) {
            finish(kAhead, rule == Symmetrization::kGrowDiagFinalAnd);
            finish(kBack, rule == Symmetrization::kGrowDiagFinalAnd);
        }
    }

    void append_to(std::vector<std::int32_t>& links) {
        pairs_.clear();
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (chosen_[k]) {
                pairs_.emplace_back(source(keys_[k]), target(keys_[k]));
            }
        }
        std::sort(pairs_.begin(), pairs_.end());
        for (const auto& [s, t] : pairs_) {
            links.push_back(s);
            links.push_back(t);
        }
    }

private:
    // By target word, then by source word.
    using Key = std::uint64_t;
    static Key key(std::int64_t s, std::int64_t t) {
        return static_cast<Key>(t) << 32 | static_cast<Key>(s);
    }
    static std::int32_t source(Key key) { return static_cast<std::int32_t>(key & 0xffffffffU); }
    static std::int32_t target(Key key) { return static_cast<std::int32_t>(key >> 32); }

    void add(const LinkColumn& column, std::int64_t segment, std::uint8_t origin) {
        for (std::int64_t k = column.offsets[segment]; k < column.offsets[segment + 1]; ++k) {
            found_.emplace_back(key(column.links[2 * k], column.links[2 * k + 1]), origin);
        }
    }

    // The flag of a word is kept where the word first stands in the sorted list of its side.
    static std::size_t place(const std::vector<std::int32_t>& words, std::int32_t word) {
        return static_cast<std::size_t>(std::lower_bound(words.begin(), words.end(), word) -
                                        words.begin());
    }

    void choose(std::size_t k) {
        chosen_[k] = 1;
        source_linked_[place(sources_, source(keys_[k]))] = 1;
        target_linked_[place(targets_, target(keys_[k]))] = 1;
    }

    template <class Wanted>
    void choose_all(Wanted wanted) {
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (wanted(origin_[k])) {
                choose(k);
            }
        }
    }

    bool free(std::size_t k, bool both) const {
        const bool source_free = !source_linked_[place(sources_, source(keys_[k]))];
        const bool target_free = !target_linked_[place(targets_, target(keys_[k]))];
        return both ? source_free && target_free : source_free || target_free;
    }

    // One pass over the links: one that is added on the way has neighbours at once.
    bool grow() {
        static constexpr std::array<std::pair<int, int>, 8> kNeighbours{
            {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
        bool added = false;
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (!chosen_[k]) {
                continue;
            }
            for (const auto& [dt, ds] : kNeighbours) {
                const std::int64_t t = std::int64_t{target(keys_[k])} + dt;
                const std::int64_t s = std::int64_t{source(keys_[k])} + ds;
                if (t < 0 || s < 0) {
                    continue;
                }
                const auto found = std::lower_bound(keys_.begin(), keys_.end(), key(s, t));
                const auto at = static_cast<std::size_t>(found - keys_.begin());
                if (found != keys_.end() && *found == key(s, t) && !chosen_[at] && free(at, false)) {
                    choose(at);
                    added = true;
                }
            }
        }
        return added;
    }

    void finish(std::uint8_t direction, bool both) {
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if ((origin_[k] & direction) && !chosen_[k] && free(k, both)) {
                choose(k);
            }
        }
    }

    std::vector<std::pair<Key, std::uint8_t>> found_;
    std::vector<Key> keys_;
    std::vector<std::uint8_t> origin_, chosen_, source_linked_, target_linked_;
    std::vector<std::int32_t> sources_, targets_;
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;
};

}  // namespace

void symmetrize(const LinkColumn& forward, const LinkColumn& reverse, Symmetrization rule,
                std::vector<std::int32_t>& links, std::vector<std::int64_t>& offsets) {
    Segment segment;
    Pace pace;
    offsets.assign(1, 0);
    for (std::int64_t s = 0; s < forward.segments; ++s) {
        pace.work(256 * (1 + forward.offsets[s + 1] - forward.offsets[s] + reverse.offsets[s + 1] -
                         reverse.offsets[s]));
        segment.fill(forward, reverse, s);
        segment.apply(rule);
        segment.append_to(links);
        offsets.push_back(static_cast<std::int64_t>(links.size()) / 2);
    }
}

}  // namespace kilter
