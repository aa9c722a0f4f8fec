#include "link_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fenwick.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

struct Counts {
    std::int64_t concordant = 0;
    std::int64_t discordant = 0;
};

class PairCounter {
public:
    // `xs` never fall.
    Counts count(const WorkVector<std::int32_t>& xs, const WorkVector<std::int32_t>& ys) {
        return xs.size() <= kFew ? compare_all(xs, ys) : sweep(xs, ys);
    }

private:
    static constexpr std::size_t kFew = 48;

    static Counts compare_all(const WorkVector<std::int32_t>& xs,
                              const WorkVector<std::int32_t>& ys) {
        Counts result;
        for (std::size_t j = 1; j < xs.size(); ++j) {
            for (std::size_t i = 0; i < j; ++i) {
                result.concordant += static_cast<int>(xs[i] < xs[j]) & static_cast<int>(ys[i] < ys[j]);
                result.discordant += static_cast<int>(xs[i] < xs[j]) & static_cast<int>(ys[i] > ys[j]);
            }
        }
        return result;
    }

    // `seen_` counts the ys of all smaller xs.
    Counts sweep(const WorkVector<std::int32_t>& xs, const WorkVector<std::int32_t>& ys) {
        sorted_.assign(ys.begin(), ys.end());
        std::sort(sorted_.begin(), sorted_.end());
        sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
        seen_.reset(sorted_.size());
        Counts result;
        std::int64_t inserted = 0;
        for (std::size_t begin = 0; begin < xs.size();) {
            std::size_t end = begin;
            for (; end < xs.size() && xs[end] == xs[begin]; ++end) {
                const std::size_t rank = rank_of(ys[end]);
                result.concordant += seen_.prefix(rank);
                result.discordant += inserted - seen_.prefix(rank + 1);
            }
            for (; begin < end; ++begin, ++inserted) {
                seen_.add(rank_of(ys[begin]), 1);
            }
        }
        return result;
    }

    std::size_t rank_of(std::int32_t value) const {
        return static_cast<std::size_t>(
            std::lower_bound(sorted_.begin(), sorted_.end(), value) - sorted_.begin());
    }

    WorkVector<std::int32_t> sorted_;
    Fenwick<std::int64_t> seen_;  // by rank
};

}  // namespace

void count_link_pairs(const LinkRows& links, bool sequences, int jobs, std::int64_t* counts) {
    for_each_block(links.offsets, links.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        PairCounter counter;
        Pace pace;
        WorkVector<std::int32_t> firsts, seconds;
        WorkVector<std::pair<std::int32_t, std::int32_t>> by_second;
        for (std::int64_t s = begin; s < end; ++s) {
            pace.work(64 * (links.offsets[s + 1] - links.offsets[s] + 1));
            firsts.clear();
            seconds.clear();
            by_second.clear();
            for (std::int64_t k = links.offsets[s]; k < links.offsets[s + 1]; ++k) {
                firsts.push_back(links.pairs[2 * k]);
                seconds.push_back(links.pairs[2 * k + 1]);
                by_second.emplace_back(links.pairs[2 * k + 1], links.pairs[2 * k]);
            }
            if (sequences) {
                std::sort(by_second.begin(), by_second.end());
                for (std::size_t k = 0; k < by_second.size(); ++k) {
                    seconds[k] = by_second[k].second;
                }
            }
            const Counts found = counter.count(firsts, seconds);
            counts[2 * s] = found.concordant;
            counts[2 * s + 1] = found.discordant;
        }
    });
}

}  // namespace kilter
