// What word vectors say about pairs of sentences.
#include "bindings/checked.hpp"

#include "meaning.hpp"

namespace kilter {
namespace {

// So large that no product of two vectors is infinite.
constexpr double kLargest = 1e9;

// Pairs of sentences that exist, none too large for a table, with the rows that their words have in results.
class CheckedSentencePairs {
public:
    CheckedSentencePairs(const Longs& firsts, const Longs& seconds, const Offsets& sentences)
        : firsts_(firsts), seconds_(seconds) {
        if (firsts_.size() != seconds_.size()) {
            refuse("there are " + std::to_string(firsts_.size()) + " firsts and " + std::to_string(seconds_.size()) +
                   " seconds; both need equally many");
        }
        firsts_.check_within(0, sentences.segments() - 1, "firsts");
        seconds_.check_within(0, sentences.segments() - 1, "seconds");
        first_rows_.push_back(0);
        second_rows_.push_back(0);
        for (std::size_t p = 0; p < firsts_.size(); ++p) {
            const std::int64_t first = sentences.length(firsts_[p]);
            const std::int64_t second = sentences.length(seconds_[p]);
            if (second > 0 && first > kMostMeaningCells / second) {
                refuse("pair " + std::to_string(p) + " has " + std::to_string(first) + " by " + std::to_string(second) +
                       " words; at most " + std::to_string(kMostMeaningCells) + " cells are compared");
            }
            first_rows_.push_back(first_rows_.back() + first);
            second_rows_.push_back(second_rows_.back() + second);
        }
    }
    SentencePairs pairs() const {
        return {firsts_.data(), seconds_.data(), first_rows_.data(), second_rows_.data(),
                static_cast<std::int64_t>(firsts_.size())};
    }
    std::size_t count() const { return firsts_.size(); }
    std::size_t first_words() const { return static_cast<std::size_t>(first_rows_.back()); }
    std::size_t second_words() const { return static_cast<std::size_t>(second_rows_.back()); }

private:
    Copy<std::int64_t> firsts_, seconds_;
    WorkVector<std::int64_t> first_rows_, second_rows_;
};

auto meanings_of(const Matrix<float>& vectors, const Longs& offsets, const Longs& firsts, const Longs& seconds,
                 double context, double position, double temperature, double floor, Int jobs) {
    const MeaningOptions options{in_range(context, 0.0, 1.0, "context"), in_range(position, 0.0, 1.0, "position"),
                                 in_range(temperature, 0.01, 10.0, "temperature"), in_range(floor, -1.0, 2.0, "floor")};
    std::size_t first_words = 0, second_words = 0, count = 0;
    auto [first, second, totals] = unlocked([&] {
        const Copy<float> values(vectors);
        values.check_finite("vectors", -kLargest, kLargest);
        const Offsets sentences(offsets, vectors.shape(0), "offsets");
        const CheckedSentencePairs pairs(firsts, seconds, sentences);
        first_words = pairs.first_words();
        second_words = pairs.second_words();
        count = pairs.count();
        Output<float> of_first(result_size(first_words, kFirstColumns));
        Output<float> of_second(result_size(second_words, kSecondColumns));
        Output<double> of_pairs(result_size(count, kTotalColumns));
        meanings({values.data(), vectors.shape(1), sentences.data(), sentences.segments()}, pairs.pairs(), options,
                 jobs, of_first.data(), of_second.data(), of_pairs.data());
        return std::tuple(std::move(of_first), std::move(of_second), std::move(of_pairs));
    });
    return std::tuple(std::move(first).to_array({first_words, std::size_t{kFirstColumns}}),
                      std::move(second).to_array({second_words, std::size_t{kSecondColumns}}),
                      std::move(totals).to_array({count, std::size_t{kTotalColumns}}));
}

}  // namespace

void add_meanings(nb::module_& module) {
    module.def("meanings", &meanings_of, "vectors"_a, "offsets"_a, "firsts"_a, "seconds"_a, "context"_a, "position"_a,
               "temperature"_a, "floor"_a, "jobs"_a,
               "Return what vectors say about first words, second words and pairs of sentences.");
    module.attr("MOST_MEANING_CELLS") = kMostMeaningCells;
}

}  // namespace kilter
