// Random numbers, resampled sums and sign flips.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "philox.hpp"
#include "rank_correlation.hpp"
#include "resample.hpp"

namespace kilter {
namespace {

// Resampling.

using Statistics = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

void check_sizes(std::int64_t segments, std::int64_t resamples) {
    if (segments < 0 || segments >= std::int64_t{1} << 31 || resamples < 0 ||
        resamples >= std::int64_t{1} << 31) {
        throw nb::value_error("segments and resamples lie between 0 and 2^31 - 1");
    }
}

Stream as_stream(std::uint32_t stream) {
    if (stream > static_cast<std::uint32_t>(Stream::kFlips)) {
        throw nb::value_error("the streams of random numbers are 0, 1 and 2");
    }
    return static_cast<Stream>(stream);
}

// Stream 0 draws segments with replacement, the others choose each segment with probability 1/2.
auto resampled(const Statistics& statistics, std::uint64_t seed, std::uint32_t stream,
               std::int64_t resamples, int jobs) {
    const StatisticsView view{statistics.data(), static_cast<std::int64_t>(statistics.shape(0)),
                              static_cast<std::int64_t>(statistics.shape(1)),
                              static_cast<std::int64_t>(statistics.shape(2))};
    check_sizes(view.segments, resamples);
    const Stream kind = as_stream(stream);
    const auto systems = static_cast<std::size_t>(view.systems);
    const auto columns = static_cast<std::size_t>(view.columns);
    Output<std::int64_t> sums(systems * static_cast<std::size_t>(resamples) * columns);
    Output<std::int64_t> totals(systems * columns);
    std::vector<std::int32_t> exponents;
    {
        nb::gil_scoped_release release;
        if (!std::all_of(view.values, view.values + statistics.size(),
                         [](double value) { return std::isfinite(value); })) {
            throw std::invalid_argument("statistics are finite numbers");
        }
        const FixedStatistics fixed(view);
        fixed.totals(totals.data());
        if (kind == Stream::kIndices) {
            fixed.bootstrap(seed, resamples, jobs, sums.data());
        } else {
            fixed.subsets(seed, kind, resamples, jobs, sums.data());
        }
        exponents = fixed.exponents();
    }
    return std::make_tuple(
        std::move(sums).to_array({systems, static_cast<std::size_t>(resamples), columns}),
        std::move(totals).to_array({systems, columns}), to_array(std::move(exponents)));
}

auto indices(std::int64_t segments, std::int64_t count, std::uint64_t seed, std::int64_t resamples) {
    check_sizes(segments, resamples);
    check_sizes(count, resamples);
    if (segments == 0 && count > 0) {
        throw nb::value_error("there is no segment to draw");
    }
    const auto width = static_cast<std::size_t>(count);
    Output<std::uint32_t> places(static_cast<std::size_t>(resamples) * width);
    {
        nb::gil_scoped_release release;
        for (std::int64_t resample = 0; resample < resamples; ++resample) {
            draw_indices(seed, static_cast<std::uint32_t>(resample), segments, count,
                         places.data() + resample * count);
        }
    }
    return std::move(places).to_array({static_cast<std::size_t>(resamples), width});
}

std::int64_t sign_flips(const Vector<double>& differences) {
    const double* first = differences.data();
    if (differences.size() > kMostFlips ||
        !std::all_of(first, first + differences.size(), [](double d) { return std::isfinite(d); })) {
        throw nb::value_error("sign flips are counted for up to 30 finite differences");
    }
    nb::gil_scoped_release release;
    return count_sign_flips(first, static_cast<int>(differences.size()));
}

RankedColumn as_ranked(const Vector<std::int32_t>& group, std::size_t values) {
    std::int32_t largest = -1;
    for (std::size_t k = 0; k < group.size(); ++k) {
        if (group.data()[k] < 0) {
            throw nb::value_error("groups count from 0");
        }
        largest = std::max(largest, group.data()[k]);
    }
    if (group.size() != values) {
        throw nb::value_error("every value has a group and a segment");
    }
    return {group.data(), std::int64_t{largest} + 1};
}

auto spearman(const Vector<std::int32_t>& first, const Vector<std::int32_t>& second,
              const Vector<std::int32_t>& segment, std::int64_t segments, std::uint64_t seed,
              std::int64_t resamples, int jobs) {
    check_sizes(segments, resamples);
    const RankedColumn one = as_ranked(first, segment.size());
    const RankedColumn other = as_ranked(second, segment.size());
    const std::int32_t* places = segment.data();
    if (!std::all_of(places, places + segment.size(),
                     [&](std::int32_t place) { return place >= 0 && place < segments; })) {
        throw nb::value_error("segments count from 0 to their number");
    }
    Output<double> rho(static_cast<std::size_t>(resamples));
    {
        nb::gil_scoped_release release;
        resample_spearman(one, other, places, static_cast<std::int64_t>(segment.size()), segments,
                          seed, resamples, jobs, rho.data());
    }
    return std::move(rho).to_array({static_cast<std::size_t>(resamples)});
}

}  // namespace

void add_resampling(nb::module_& module) {
    module.def("resampled_sums", &resampled, "statistics"_a, "seed"_a, "stream"_a, "resamples"_a,
               "jobs"_a);
    module.def("resampled_indices", &indices, "segments"_a, "count"_a, "seed"_a,
               "resamples"_a);
    module.def("philox",
               [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                  std::uint64_t seed) {
                   const Word4 words = philox({a, b, c, d}, seed);
                   return std::make_tuple(words[0], words[1], words[2], words[3]);
               },
               "block"_a, "resample"_a, "attempt"_a, "stream"_a, "seed"_a);
    module.def("resampled_spearman", &spearman, "first"_a, "second"_a, "segment"_a, "segments"_a,
               "seed"_a, "resamples"_a, "jobs"_a);
    module.def("count_sign_flips", &sign_flips, "differences"_a);
}

}  // namespace kilter
