#include "reordering_score.hpp"

#include <algorithm>
#include <cstddef>

#include "fenwick.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

constexpr std::int32_t kNone = -1;

class ReorderingScorer {
public:
    ReorderingScorer(TiedSpans ties, bool ends) : ties_(ties), ends_(ends) {}

    // Returns the number of joined neighbours; `starts` may be null.
    std::int64_t joins(const std::int32_t* groups, std::size_t words, std::uint8_t* starts) {
        read(groups, words);
        joined_.assign(runs_.size(), 0);
        if (ties_ == TiedSpans::kLocal) {
            for (std::size_t r = 0; r + 1 < runs_.size(); ++r) {
                joined_[r + 1] = runs_[r + 1].group == runs_[r].group + 1;
            }
        } else {
            choose_joins();
        }
        const auto sequence = static_cast<std::int64_t>(words) + (ends_ ? 2 : 0);
        std::int64_t found = sequence - static_cast<std::int64_t>(runs_.size());
        for (const std::uint8_t joined : joined_) {
            found += joined;
        }
        if (starts != nullptr) {
            mark_starts(words, starts);
        }
        return found;
    }

    // Returns the number of pairs in the wrong order; `discordant` may be null.
    std::int64_t wrong_pairs(const std::int32_t* groups, std::size_t words, std::int32_t* discordant) {
        seen_.reset(words);
        std::int64_t total = 0;
        for (std::size_t k = 0; k < words; ++k) {
            const auto larger = static_cast<std::int32_t>(k) - seen_.prefix(groups[k] + 1);
            total += larger;
            if (discordant != nullptr) {
                discordant[k] = larger;
            }
            seen_.add(groups[k], 1);
        }
        if (discordant != nullptr) {
            seen_.reset(words);
            for (std::size_t k = words; k-- > 0;) {
                discordant[k] += seen_.prefix(groups[k]);
                seen_.add(groups[k], 1);
            }
        }
        return total;
    }

private:
    struct Run {
        std::int32_t group;
        std::int32_t first;  // place in the sentence of the run's first word
    };
    // The best number of joins so far if a group was entered by this run; two runs that differ.
    struct Entered {
        std::int32_t run = kNone;
        std::int32_t joins = -1;
        std::int32_t other_run = kNone;
        std::int32_t other_joins = -1;  // -1: there is no other

        void offer(std::int32_t candidate, std::int32_t value) {
            if (value > joins) {
                other_run = run;
                other_joins = joins;
                run = candidate;
                joins = value;
            } else if (value > other_joins) {
                other_run = candidate;
                other_joins = value;
            }
        }
    };

    // Cuts the sentence into runs of words of one group; its ends are groups of their own if they count.
    void read(const std::int32_t* groups, std::size_t words) {
        runs_.clear();
        std::int32_t last = 0;
        if (ends_) {
            runs_.push_back({0, -1});
        }
        const std::int32_t shift = ends_ ? 1 : 0;
        for (std::size_t k = 0; k < words; ++k) {
            const std::int32_t group = groups[k] + shift;
            last = std::max(last, group);
            if (k == 0 || groups[k] != groups[k - 1]) {
                runs_.push_back({group, static_cast<std::int32_t>(k)});
            }
        }
        if (ends_) {
            runs_.push_back({last + 1, static_cast<std::int32_t>(words)});
            ++last;
        }
        groups_ = runs_.empty() ? 0 : static_cast<std::size_t>(last) + 1;
    }

    // A pass over the groups from left to right. Between neighbouring groups at most one pair of runs can
    // be joined; a run can be joined on both sides only if its group has no other run, because it would
    // have to hold the first and the last word of the group.
    void choose_joins() {
        sizes_.assign(groups_ + 1, 0);
        begins_.assign(groups_ + 1, 0);
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            ++sizes_[runs_[r].group];
            if (r + 1 < runs_.size() && runs_[r + 1].group == runs_[r].group + 1) {
                ++begins_[static_cast<std::size_t>(runs_[r].group) + 1];
            }
        }
        for (std::size_t g = 1; g <= groups_; ++g) {
            begins_[g] += begins_[g - 1];
        }
        candidates_.resize(begins_[groups_]);
        fill_.assign(begins_.begin(), begins_.end());
        for (std::size_t r = 0; r + 1 < runs_.size(); ++r) {
            if (runs_[r + 1].group == runs_[r].group + 1) {
                const auto group = static_cast<std::size_t>(runs_[r].group);
                candidates_[fill_[group]++] = static_cast<std::int32_t>(r);
            }
        }
        states_.assign(groups_, Entered{});
        if (groups_ == 0) {
            return;
        }
        states_[0].offer(kNone, 0);
        for (std::size_t g = 0; g + 1 < groups_; ++g) {
            const Entered& from = states_[g];
            Entered& to = states_[g + 1];
            for (std::int32_t c = begins_[g]; c < begins_[g + 1]; ++c) {
                const std::int32_t run = candidates_[c];
                const std::int32_t before = joins_before(from, run, g);
                if (before >= 0) {
                    to.offer(run + 1, before + 1);
                }
            }
            to.offer(kNone, from.joins);
        }
        std::int32_t entered = states_[groups_ - 1].run;
        for (std::size_t g = groups_ - 1; g > 0; --g) {
            const Entered& from = states_[g - 1];
            if (entered == kNone) {
                entered = from.run;
                continue;
            }
            joined_[entered] = 1;
            const std::int32_t left = entered - 1;
            entered = sizes_[g - 1] == 1 || from.run != left ? from.run : from.other_run;
        }
    }

    std::int32_t joins_before(const Entered& from, std::int32_t run, std::size_t group) const {
        return sizes_[group] == 1 || from.run != run ? from.joins : from.other_joins;
    }

    void mark_starts(std::size_t words, std::uint8_t* starts) {
        std::fill(starts, starts + words, std::uint8_t{0});
        for (std::size_t r = 0; r < runs_.size(); ++r) {
            const std::int32_t first = runs_[r].first;
            if (first >= 0 && static_cast<std::size_t>(first) < words && joined_[r] == 0) {
                starts[first] = 1;
            }
        }
    }

    TiedSpans ties_;
    bool ends_;
    std::size_t groups_ = 0;
    WorkVector<Run> runs_;
    WorkVector<std::uint8_t> joined_;
    WorkVector<std::int32_t> sizes_, begins_, fill_, candidates_;
    WorkVector<Entered> states_;
    Fenwick<std::int32_t> seen_;  // how many words of each group were seen
};

}  // namespace

bool are_groups(const Batch& groups) {
    for (std::int64_t s = 0; s < groups.segments; ++s) {
        const std::int64_t begin = groups.offsets[s];
        const std::int64_t end = groups.offsets[s + 1];
        if (begin > end) {
            return false;
        }
        for (std::int64_t k = begin; k < end; ++k) {
            if (groups.values[k] < 0 || groups.values[k] >= end - begin) {
                return false;
            }
        }
    }
    return true;
}

void score_reorderings(const Batch& groups, TiedSpans ties, bool ends, int jobs, std::int64_t* counts,
                       std::uint8_t* starts, std::int32_t* discordant) {
    for_each_block(groups.offsets, groups.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        ReorderingScorer scorer(ties, ends);
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            const std::int64_t at = groups.offsets[s];
            const std::int32_t* values = groups.values + at;
            const auto words = static_cast<std::size_t>(groups.offsets[s + 1] - at);
            pace.work(64 * (groups.length(s) + 1));
            counts[kReorderingColumns * s] =
                scorer.joins(values, words, starts == nullptr ? nullptr : starts + at);
            counts[kReorderingColumns * s + 1] =
                scorer.wrong_pairs(values, words, discordant == nullptr ? nullptr : discordant + at);
        }
    });
}

}  // namespace kilter
