// Random numbers, resampled sums and sign flips.
#include "bindings/checked.hpp"
#include "bindings/guarded.hpp"

#include <algorithm>
#include <cmath>

#include "digit_sums.hpp"
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

// Stream 0 draws segments with replacement, the others choose each segment with probability 1/2.
auto resampled(const Cube<double>& statistics, Seed seed, Long stream, Long resamples, Int jobs) {
    const Stream kind = choice(stream, Stream::kFlips, "stream");
    const std::size_t systems = statistics.shape(0);
    const std::size_t columns = statistics.shape(2);
    const std::size_t count = as_count(resamples, "resamples");
    as_count(static_cast<std::int64_t>(statistics.shape(1)), "the number of segments");
    const std::size_t size = result_size(systems, columns, count);
    auto [sums, totals, exponents] = unlocked([&] {
        const Copy<double> values(statistics);
        values.check_finite("statistics");
        const FixedStatistics fixed(
            {values.data(), static_cast<std::int64_t>(systems),
             static_cast<std::int64_t>(statistics.shape(1)), static_cast<std::int64_t>(columns)});
        Output<std::int64_t> found(size);
        Output<std::int64_t> all(systems * columns);
        std::ranges::copy(fixed.totals(), all.data());
        const Resamples drawn{seed, resamples, jobs};
        if (kind == Stream::kIndices) {
            fixed.bootstrap(drawn, found.data());
        } else {
            fixed.subsets(drawn, kind, found.data());
        }
        return std::make_tuple(std::move(found), std::move(all),
                               std::vector<std::int32_t>(fixed.exponents()));
    });
    return std::make_tuple(std::move(sums).to_array({systems, count, columns}),
                           std::move(totals).to_array({systems, columns}),
                           to_array(std::move(exponents)));
}

// Calls that come in the wrong order are refused, and the object stays as it was.
class Blocks {
public:
    Blocks(Long segments, Long systems, const Floats& largest, Seed seed, Long resamples, Int jobs)
        : systems_(as_count(systems, "systems")), resamples_(as_count(resamples, "resamples")) {
        as_count(segments, "segments");
        const Copy<double> most(largest);
        most.check_finite("largest", 0.0);
        if (systems_ == 0 || most.size() == 0) {
            refuse("there is no column to resample");
        }
        result_size(systems_, most.size(), resamples_);
        largest_.assign(most.begin(), most.end());
        blocks_ = unlocked([&] {
            return std::make_unique<Guarded<ResampledBlocks>>(segments.value, systems.value, largest_,
                                                              Resamples{seed, resamples, jobs});
        });
    }
    void add(const Floats& values) {
        const std::string fault = blocks_->use([&](ResampledBlocks& blocks) -> std::string {
            const Copy<double> numbers(values);
            const auto size = static_cast<std::int64_t>(numbers.size());
            const auto& block = blocks.block();
            const std::int64_t source = block ? block->sources() : 0;
            if (source == blocks.sources()) {
                return "the block has all of its columns; draw it first";
            }
            if (block ? size != block->size() : size < 1 || size > blocks.left()) {
                return "the column has " + std::to_string(size) + " values; " +
                       (block ? "the first of the block has " + std::to_string(block->size())
                              : "there are 1 to " + std::to_string(blocks.left()) + " segments left");
            }
            const double most = largest_[static_cast<std::size_t>(source % blocks.columns())];
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                if (!(std::abs(numbers[k]) <= most)) {
                    return at_entry("values", k) + " is " + std::to_string(numbers[k]) +
                           "; the largest of its column is " + std::to_string(most);
                }
            }
            blocks.add(numbers.data(), size);
            return {};
        });
        check(fault);
    }
    void draw() {
        const std::string fault = blocks_->use([&](ResampledBlocks& blocks) -> std::string {
            if (blocks.block() && blocks.block()->sources() < blocks.sources()) {
                return "the block has " + std::to_string(blocks.block()->sources()) + " of " +
                       std::to_string(blocks.sources()) + " columns";
            }
            blocks.draw();
            return {};
        });
        check(fault);
    }
    auto sums() {
        auto [sums, totals, exponents] = blocks_->use([](ResampledBlocks& blocks) {
            return std::make_tuple(copied<std::int64_t>(blocks.sums()), copied<std::int64_t>(blocks.totals()),
                                   std::vector<std::int32_t>(blocks.exponents()));
        });
        return std::make_tuple(std::move(sums).to_array({systems_, resamples_, largest_.size()}),
                               std::move(totals).to_array({systems_, largest_.size()}),
                               to_array(std::move(exponents)));
    }

private:
    static void check(const std::string& fault) {
        if (!fault.empty()) {
            refuse(fault);
        }
    }
    template <class T>
    static Output<T> copied(const std::vector<T>& values) {
        Output<T> found(values.size());
        std::ranges::copy(values, found.data());
        return found;
    }

    std::size_t systems_;
    std::size_t resamples_;
    std::vector<double> largest_;
    std::unique_ptr<Guarded<ResampledBlocks>> blocks_;
};

auto indices(Long segments, Long count, Seed seed, Long resamples, Int way) {
    const auto& ways = draw_ways();
    if (way < 0 || static_cast<std::size_t>(way) >= ways.size()) {
        refuse("way is " + std::to_string(way) + "; this machine has ways 0 to " + std::to_string(ways.size() - 1));
    }
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
                         found.data() + resample * count, ways[static_cast<std::size_t>(way)]);
        }
        return found;
    });
    return std::move(places).to_array({height, width});
}

// Sums of whole numbers, a row for each column of them, over a row of places for each resample.
auto drawn_sums(const Matrix<std::int64_t>& values, const Matrix<std::int32_t>& places) {
    constexpr std::int64_t kLargestValue = std::int64_t{1} << 40;
    constexpr std::size_t kMostDraws = std::size_t{1} << 20;
    constexpr std::size_t kDrawnAtOnce = 1000;
    const std::size_t columns = values.shape(0);
    const std::size_t segments = values.shape(1);
    const std::size_t resamples = places.shape(0);
    const std::size_t draws = places.shape(1);
    if (segments == 0 || segments > kMostDraws || draws > kMostDraws) {
        refuse("there are 1 to " + std::to_string(kMostDraws) + " segments, and at most as many draws");
    }
    const std::size_t size = result_size(resamples, columns);
    Output<std::int64_t> sums = unlocked([&] {
        const Copy<std::int64_t> numbers(values);
        numbers.check_within(-kLargestValue, kLargestValue, "values");
        const Copy<std::int32_t> drawn(places);
        drawn.check_within(0, static_cast<std::int32_t>(segments - 1), "places");
        DigitColumns digits(static_cast<std::int64_t>(segments));
        for (std::size_t column = 0; column < columns; ++column) {
            const std::int64_t* first = numbers.data() + column * segments;
            digits.add({first, first + segments}, 0);
        }
        Output<std::int64_t> found(size);
        DrawCounts counts(static_cast<std::int64_t>(segments));
        const auto together = static_cast<std::size_t>(counts.rows());
        for (std::size_t start = 0; start < resamples; start += together) {
            check_stop();
            const std::size_t rows = std::min(together, resamples - start);
            for (std::size_t row = 0; row < rows; ++row) {
                const std::int32_t* first = drawn.data() + (start + row) * draws;
                const std::vector<std::uint32_t> own(first, first + draws);
                counts.count(static_cast<std::int64_t>(row), [&](auto take) {
                    for (std::size_t done = 0; done < draws; done += kDrawnAtOnce) {
                        take(own.data() + done, static_cast<std::int64_t>(std::min(kDrawnAtOnce, draws - done)));
                    }
                });
            }
            digits.sum(counts, static_cast<std::int64_t>(rows), found.data() + start * columns);
        }
        return found;
    });
    return std::move(sums).to_array({resamples, columns});
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

auto spearman(const Ints& first, const Ints& second, const Ints& segment, Long segments, Seed seed,
              Long resamples, Int jobs) {
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
        resample_spearman(one.column(), other.column(), places.data(),
                          static_cast<std::int64_t>(places.size()), segments, seed, resamples, jobs,
                          found.data());
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
    module.def("resampled_sums", &resampled, "statistics"_a, "seed"_a, "stream"_a, "resamples"_a,
               "jobs"_a,
               "Return sums over resampled segments, sums over all, and the binary exponent of each "
               "column, by which both are multiplied.");
    nb::class_<Blocks>(module, "ResampledBlocks", "Sums over segments drawn with replacement, of statistics that come "
                                                  "in blocks of consecutive segments.")
        .def(nb::init<Long, Long, const Floats&, Seed, Long, Int>(), "segments"_a, "systems"_a, "largest"_a, "seed"_a,
             "resamples"_a, "jobs"_a)
        .def("add", &Blocks::add, "values"_a,
             "Append a column to the block: all of the first system, then those of the next.")
        .def("draw", &Blocks::draw, "End the block, which has all of its columns, and add it to the sums.")
        .def("sums", &Blocks::sums, "Return what `resampled_sums` returns, over the blocks that have ended.");
    module.def("resampled_indices", &indices, "segments"_a, "count"_a, "seed"_a, "resamples"_a, "way"_a,
               "Return the segments that each resample draws with replacement, one row each, in one of the ways "
               "of this machine.");
    module.def("draw_ways", [] { return draw_ways().size(); },
               "Return in how many ways this machine draws segments; the last is the fastest.");
    module.def("drawn_sums", &drawn_sums, "values"_a, "places"_a,
               "Return the sums of every row of whole numbers over the places that every row of places holds.");
    module.def("philox", &philox_block, "block"_a, "resample"_a, "attempt"_a, "stream"_a, "seed"_a,
               "Return the four random words of a counter and a seed.");
    module.def("resampled_spearman", &spearman, "first"_a, "second"_a, "segment"_a, "segments"_a,
               "seed"_a, "resamples"_a, "jobs"_a,
               "Return Spearman's rho of two rankings on each resample of segments; groups are numbers "
               "of equal values in rising order, smaller than the number of values.");
    module.def("count_sign_flips", &sign_flips, "differences"_a,
               "Return how many ways to flip signs give a sum at least as far from 0.");
}

}  // namespace kilter
