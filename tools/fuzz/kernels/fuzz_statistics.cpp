// Statistics of segments: resampled sums, ranks and signs, BLEU of rows of counts, information of n-grams.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "bleu_score.hpp"
#include "information.hpp"
#include "rank_correlation.hpp"
#include "resample.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

double any_number(FuzzedDataProvider& data) {
    static constexpr double kEdges[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e308, -1e308, 1e-308, 5e-324, 4611686018427387904.0};
    switch (data.ConsumeIntegralInRange<int>(0, 3)) {
        case 0:
            return data.PickValueInArray(kEdges);
        case 1:
            return data.ConsumeFloatingPoint<double>();
        default:
            return data.ConsumeIntegralInRange<int>(-3, 30);
    }
}

void resampling(FuzzedDataProvider& data) {
    const std::size_t segments = small_size(data, 70), resamples = small_size(data, 9);
    const auto seed = data.ConsumeIntegral<std::uint64_t>();
    const auto all = static_cast<std::int64_t>(segments), count = static_cast<std::int64_t>(resamples);
    const auto first = data.ConsumeIntegralInRange<std::int64_t>(0, all);
    const Range block{first, data.ConsumeIntegralInRange<std::int64_t>(0, all - first)};
    const Range some{data.ConsumeIntegralInRange<std::int64_t>(0, 5), count};
    std::vector<std::uint32_t> indices(segments);
    for (const Stream stream : {Stream::kIndices, Stream::kSwaps, Stream::kFlips}) {
        const Resamples drawn{seed, stream, all};
        std::vector<std::uint8_t> whole(segments * resamples, 7);
        std::vector<std::uint8_t> counts(static_cast<std::size_t>(block.size) * resamples, 7), again(counts);
        count_draws(drawn, {0, all}, some, 1, whole.data());
        count_draws(drawn, block, some, 1, counts.data());
        count_draws(drawn, block, some, kSeveral, again.data());
        law(counts == again, "threads do not change counts");
        for (std::int64_t row = 0; row < count; ++row) {
            const std::uint8_t* const own = whole.data() + row * all;
            law(std::equal(own + first, own + first + block.size, counts.data() + row * block.size),
                "a block has the counts of the whole");
            if (stream == Stream::kIndices) {
                law(std::accumulate(own, own + all, std::int64_t{0}) == all, "as many are drawn as there are");
                draw_indices(seed, static_cast<std::uint32_t>(some.first + row), all, 0, all, indices.data());
                for (const std::uint32_t index : indices) {
                    law(own[index] > 0, "a segment that is drawn is counted");
                }
            } else {
                law(std::all_of(own, own + all, [](std::uint8_t coin) { return coin < 2; }),
                    "every coin shows a side");
            }
        }
    }
    std::vector<double> differences(small_size(data, 12));
    for (double& each : differences) {
        const double found = any_number(data);
        each = std::isfinite(found) ? found : 1.0;
    }
    const std::int64_t ways = count_sign_flips(differences.data(), static_cast<int>(differences.size()));
    law(ways >= 1 && ways <= std::int64_t{1} << differences.size(), "the sum as it is is one of the ways");
}

void rank_correlation(FuzzedDataProvider& data) {
    const std::size_t values = small_size(data, 40);
    const auto segments = data.ConsumeIntegralInRange<std::int64_t>(values == 0 ? 0 : 1, 30);
    const auto groups = static_cast<std::int32_t>(values);
    std::vector<std::int32_t> first(values), second(values), segment(values);
    for (std::size_t k = 0; k < values; ++k) {
        first[k] = data.ConsumeIntegralInRange<std::int32_t>(0, groups - 1);
        second[k] = data.ConsumeIntegralInRange<std::int32_t>(0, groups - 1);
        segment[k] = data.ConsumeIntegralInRange<std::int32_t>(0, static_cast<std::int32_t>(segments) - 1);
    }
    const auto seed = data.ConsumeIntegral<std::uint64_t>();
    const std::size_t resamples = small_size(data, 9);
    const RankedColumn one{first.data(), groups}, other{second.data(), groups};
    const auto rho = [&](const RankedColumn& a, const RankedColumn& b, int jobs) {
        std::vector<double> found(resamples, -7.0);
        resample_spearman(a, b, segment.data(), static_cast<std::int64_t>(values), segments, seed,
                          static_cast<std::int64_t>(resamples), jobs, found.data());
        return found;
    };
    const std::vector<double> found = rho(one, other, 1), turned = rho(other, one, kSeveral), self = rho(one, one, 1);
    for (std::size_t k = 0; k < resamples; ++k) {
        law(found[k] == turned[k] || (std::isnan(found[k]) && std::isnan(turned[k])), "neither column comes first");
        law(std::isnan(found[k]) || std::abs(found[k]) <= 1.0 + 1e-12, "a correlation lies between -1 and 1");
        law(std::isnan(self[k]) || std::abs(self[k] - 1.0) < 1e-12, "a column agrees with itself");
    }
}

void text_scores(FuzzedDataProvider& data) {
    const int order = data.ConsumeIntegralInRange<int>(1, 6);
    const std::size_t width = 2 + 2 * static_cast<std::size_t>(order), rows = small_size(data, 4);
    std::vector<double> counts(rows * width);
    const bool sound = data.ConsumeBool();
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const double found = std::abs(any_number(data));
        counts[k] = !std::isfinite(found) ? 1.0 : found;
    }
    for (std::size_t row = 0; sound && row < rows; ++row) {
        double* own = counts.data() + row * width;
        for (std::size_t k = 0; k < width; ++k) {  // whole numbers that texts can have
            own[k] = std::floor(std::min(own[k], 1e15));
        }
        for (int n = 0; n < order; ++n) {  // no more matches than n-grams
            own[2 + n] = std::min(own[2 + n], own[2 + order + n]);
        }
    }
    const BleuOptions options{static_cast<BleuSmoothing>(data.ConsumeIntegralInRange<std::uint32_t>(0, 3)),
                              data.ConsumeBool(), data.ConsumeBool()};
    std::vector<double> scores(rows, -7.0);
    bleu_scores(counts.data(), static_cast<std::int64_t>(rows), order, options, scores.data());
    for (const double score : scores) {
        law(!sound || options.smoothing == BleuSmoothing::kFloor || (score >= 0.0 && score <= 1.0 + 1e-9),
            "BLEU lies between 0 and 1");
    }
    Rows<std::int32_t> hypothesis, reference;
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        hypothesis.add(words(data, 70, 7));
        reference.add(words(data, 70, 7));
    }
    const Batch a{hypothesis.values.data(), hypothesis.offsets.data(), hypothesis.rows()};
    const Batch b{reference.values.data(), reference.offsets.data(), reference.rows()};
    const int most = data.ConsumeIntegralInRange<int>(1, kInformationOrder);
    const auto columns = static_cast<std::size_t>(most);
    std::vector<double> bits(count * columns, -7.0), turned(bits), twice(bits);
    sum_information(a, {b, a}, most, bits.data());
    sum_information(a, {a, b}, most, turned.data());
    sum_information(a, {b}, most, twice.data());
    for (std::size_t k = 0; k < bits.size(); ++k) {
        law(std::isfinite(bits[k]) && bits[k] >= 0.0 && std::isfinite(twice[k]) && twice[k] >= 0.0,
            "what is told is a number of bits");
        law(std::abs(bits[k] - turned[k]) <= 1e-9 * (1.0 + bits[k]), "references have no order");
    }
}

const Register kResampling("resampling", resampling);
const Register kRankCorrelation("rank-correlation", rank_correlation);
const Register kTextScores("text-scores", text_scores);

}  // namespace
}  // namespace kilter::fuzz
