// Random numbers, draws of resamples and sign flips.
#include "bindings/checked.hpp"

#include <algorithm>

#include "philox.hpp"
#include "rank_correlation.hpp"
#include "resample.hpp"

namespace kilter {
namespace {

std::size_t as_count(std::int64_t value, const char* name) {
    if (value < 0 || value >= std::int64_t{1} << 31) {
        refuse(std::string(name) + " is " + std::to_string(value) + "; it lies between 0 and 2^31 - 1");
    }
    return static_cast<std::size_t>(value);
}

// INDICES draws segments with replacement, the other streams choose each segment with probability 1/2.
auto resampled_counts(Long segments, Long first, Long size, Seed seed, Stream stream, Long start, Long resamples,
                      Int jobs) {
    const auto total = static_cast<std::int64_t>(as_count(segments, "segments"));
    const std::size_t width = as_count(size, "size");
    const std::size_t height = as_count(resamples, "resamples");
    as_count(start, "start");
    as_count(start + resamples, "start + resamples");
    if (first < 0 || first > total - size) {
        refuse("segments " + std::to_string(first) + " to " + std::to_string(first + size) + " are not among " +
               std::to_string(total));
    }
    const std::size_t numbers = result_size(height, width);
    Output<std::uint8_t> counts = unlocked([&] {
        Output<std::uint8_t> result(numbers);
        count_draws({seed, stream, total}, {first, size}, {start, resamples}, jobs, result.data());
        return result;
    });
    return std::move(counts).to_array({height, width});
}

auto indices(Long segments, Long count, Seed seed, Long resamples) {
    as_count(segments, "segments");
    const std::size_t width = as_count(count, "count");
    const std::size_t height = as_count(resamples, "resamples");
    if (segments == 0 && count > 0) {
        refuse("there is no segment to draw");
    }
    const std::size_t size = result_size(height, width);
    Output<std::uint32_t> places = unlocked([&] {
        Output<std::uint32_t> found(size);
        for (std::int64_t resample = 0; resample < resamples; ++resample) {
            check_stop();
            draw_indices(seed, static_cast<std::uint32_t>(resample), segments, 0, count,
                         found.data() + resample * count);
        }
        return found;
    });
    return std::move(places).to_array({height, width});
}

std::int64_t sign_flips(const Floats& differences) {
    if (differences.size() > kMostFlips) {
        refuse("sign flips are counted for up to 30 differences");
    }
    return unlocked([&] {
        const Copy<double> values(differences);
        values.check_finite("differences");
        return count_sign_flips(values.data(), static_cast<int>(values.size()));
    });
}

// Groups of values that count from 0, without a number far beyond their own.
class Ranked {
public:
    Ranked(const Ints& groups, std::size_t values, const char* name) : groups_(groups) {
        if (groups_.size() != values) {
            refuse("every value has a group on both sides and a segment");
        }
        const auto most = static_cast<std::int32_t>(std::max<std::size_t>(values, 1) - 1);
        groups_.check_within(0, most, name);
    }
    RankedColumn column() const {
        const std::int32_t* largest = std::max_element(groups_.begin(), groups_.end());
        return {groups_.data(), groups_.size() == 0 ? 0 : std::int64_t{*largest} + 1};
    }

private:
    Copy<std::int32_t> groups_;
};

auto spearman(const Ints& first, const Ints& second, const Ints& segment, Long segments, Seed seed, Long resamples,
              Int jobs) {
    const std::size_t count = as_count(resamples, "resamples");
    as_count(segments, "segments");
    result_size(count, 1);
    if (segments > kMostSegments || segment.size() >= std::size_t{1} << 31) {
        refuse("there are at most 268435456 segments and 2147483647 values");
    }
    Output<double> rho = unlocked([&] {
        const Ranked one(first, segment.size(), "first");
        const Ranked other(second, segment.size(), "second");
        const Copy<std::int32_t> places(segment);
        if (segments == 0 && places.size() > 0) {
            refuse("there are values but no segment");
        }
        places.check_within(0, static_cast<std::int32_t>(std::max<std::int64_t>(segments, 1) - 1), "segment");
        Output<double> found(count);
        resample_spearman(one.column(), other.column(), places.data(), static_cast<std::int64_t>(places.size()),
                          segments, seed, resamples, jobs, found.data());
        return found;
    });
    return std::move(rho).to_array({count});
}

auto philox_block(Seed block, Seed resample, Seed attempt, Seed stream, Seed seed) {
    const Word4 words = philox({block, resample, attempt, stream}, seed);
    return std::make_tuple(words[0], words[1], words[2], words[3]);
}

}  // namespace

void add_resampling(nb::module_& module) {
    nb::enum_<Stream>(module, "Stream", "What random numbers are drawn for.")
        .value("INDICES", Stream::kIndices)
        .value("SWAPS", Stream::kSwaps)
        .value("FLIPS", Stream::kFlips);
    module.def("resampled_counts", &resampled_counts, "segments"_a, "first"_a, "size"_a, "seed"_a,
               "stream"_a.noconvert(), "start"_a, "resamples"_a, "jobs"_a,
               "Return how often each resample from `start` on draws each of `size` segments from `first` on.");
    module.def("resampled_indices", &indices, "segments"_a, "count"_a, "seed"_a, "resamples"_a,
               "Return the segments that each resample draws with replacement, one row each.");
    testing(module).def("philox", &philox_block, "block"_a, "resample"_a, "attempt"_a, "stream"_a, "seed"_a,
                        "Return the four random words of a counter and a seed.");
    module.def("resampled_spearman", &spearman, "first"_a, "second"_a, "segment"_a, "segments"_a, "seed"_a,
               "resamples"_a, "jobs"_a,
               "Return Spearman's rho of two rankings on each resample of segments; groups are numbers "
               "of equal values in rising order, smaller than the number of values.");
    module.def("count_sign_flips", &sign_flips, "differences"_a,
               "Return how many ways to flip signs give a sum at least as far from 0.");
}

}  // namespace kilter
