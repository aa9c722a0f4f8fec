#include "rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "philox.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// Twice the average rank of each group, less its mean over all values: whole numbers around 0.
class CentredRanks {
public:
    explicit CentredRanks(const RankedColumn& column)
        : group_(column.group), ranks_(static_cast<std::size_t>(column.groups)) {}

    void rank(const PlainVector<std::int64_t>& weights, std::int64_t total) {
        std::fill(ranks_.begin(), ranks_.end(), 0);
        for (std::size_t k = 0; k < weights.size(); ++k) {
            ranks_[group_[k]] += weights[k];
        }
        std::int64_t before = 0;
        for (std::int64_t& rank : ranks_) {
            const std::int64_t upto = before + rank;
            rank = before + upto - total;
            before = upto;
        }
    }

    std::int64_t operator[](std::size_t value) const {
        return ranks_[group_[value]];
    }

private:
    const std::int32_t* group_;
    PlainVector<std::int64_t> ranks_;
};

double rho_of(const PlainVector<std::int64_t>& weights, const CentredRanks& first,
              const CentredRanks& second) {
    std::int64_t xx = 0;
    std::int64_t yy = 0;
    std::int64_t xy = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const std::int64_t x = weights[k] * first[k];
        const std::int64_t y = second[k];
        xx += x * first[k];
        xy += x * y;
        yy += weights[k] * y * y;
    }
    if (xx == 0 || yy == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return static_cast<double>(xy) /
           (std::sqrt(static_cast<double>(xx)) * std::sqrt(static_cast<double>(yy)));
}

}  // namespace

void resample_spearman(const RankedColumn& first, const RankedColumn& second,
                       const std::int32_t* segment, std::int64_t values, std::int64_t segments,
                       std::uint64_t seed, std::int64_t resamples, int jobs, double* rho) {
    const PlainVector<std::int64_t> even(resamples + 1, 0);
    for_each_block(even.data(), resamples, jobs, [&](std::int64_t from, std::int64_t to) {
        PlainVector<std::uint32_t> places(segments);
        PlainVector<std::int64_t> drawn(segments);
        PlainVector<std::int64_t> weights(values);
        CentredRanks one(first);
        CentredRanks other(second);
        for (std::int64_t resample = from; resample < to; ++resample) {
            check_stop();
            draw_indices(seed, static_cast<std::uint32_t>(resample), segments, 0, segments,
                         places.data());
            std::fill(drawn.begin(), drawn.end(), 0);
            for (const std::uint32_t place : places) {
                ++drawn[place];
            }
            std::int64_t total = 0;
            for (std::size_t k = 0; k < weights.size(); ++k) {
                weights[k] = drawn[segment[k]];
                total += weights[k];
            }
            // Beyond this a sum of squares could pass 63 bits: said rather than wrapped round.
            if (total > kMostRanked) {
                rho[resample] = std::numeric_limits<double>::infinity();
                continue;
            }
            one.rank(weights, total);
            other.rank(weights, total);
            rho[resample] = rho_of(weights, one, other);
        }
    });
}

}  // namespace kilter
