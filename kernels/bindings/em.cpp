// Word alignment learned from a bitext.
#include "bindings/checked.hpp"
#include "bindings/guarded.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "em_aligner.hpp"
#include "symmetrization.hpp"

namespace kilter {
namespace {

// Tables are as long as vocabularies and reaches say, so these may not be mistyped.
constexpr std::int64_t kMostVocabulary = std::int64_t{1} << 27;
constexpr std::int64_t kMostReach = std::int64_t{1} << 16;

void check_sides(const Texts& source, const Texts& target) {
    if (source.segments() != target.segments()) {
        refuse("the source holds " + std::to_string(source.segments()) + " segments, the target " +
               std::to_string(target.segments()) + "; both need equally many");
    }
}

JumpOptions as_options(double null, double uniform) {
    if (!(null > 0.0 && null < 1.0 && uniform >= 0.0 && uniform < 1.0)) {
        refuse("null lies between 0 and 1, uniform from 0 to below 1");
    }
    return {null, uniform};
}

template <class Values>
auto copied(const Values& values) {
    return std::vector<typename Values::value_type>(values.begin(), values.end());
}

std::int32_t as_vocabulary(std::int64_t words, const char* name) {
    if (words < 0 || words > kMostVocabulary) {
        refuse(std::string(name) + " is " + std::to_string(words) + "; it lies between 0 and 134217728");
    }
    return static_cast<std::int32_t>(words);
}

// A trainer with its text.
struct Training {
    Training(const Ints& source_ids, const Longs& source_offsets, const Ints& target_ids, const Longs& target_offsets,
             std::int32_t source_words, std::int32_t target_words, std::int32_t reach, std::int64_t cached_cells,
             int jobs)
        : source(source_ids, source_offsets, 0, std::int64_t{source_words} - 1, "source"),
          target(target_ids, target_offsets, 0, std::int64_t{target_words} - 1, "target") {
        check_sides(source, target);
        trainer = std::make_unique<EmTrainer>(Bitext{source.batch(), target.batch(), source_words, target_words}, reach,
                                              cached_cells, jobs);
    }
    Texts source, target;
    std::unique_ptr<EmTrainer> trainer;
};

class Trainer {
public:
    Trainer(const Ints& source, const Longs& source_offsets, const Ints& target, const Longs& target_offsets,
            Long source_words, Long target_words, Long reach, Long cached_cells, Int jobs) {
        if (reach < 1 || reach > kMostReach) {
            refuse("reach is " + std::to_string(reach) + "; it lies between 1 and 65536");
        }
        const std::int32_t sources = as_vocabulary(source_words, "source_words");
        const std::int32_t targets = as_vocabulary(target_words, "target_words");
        training_ = unlocked([&] {
            return std::make_unique<Guarded<Training>>(source, source_offsets, target, target_offsets, sources, targets,
                                                       static_cast<std::int32_t>(reach.value), cached_cells.value,
                                                       jobs.value);
        });
    }
    std::array<double, 2> model1() {
        return training_->use([](Training& training) { return training.trainer->model1(); });
    }
    std::array<double, 2> hmm(double null, double uniform, bool agree) {
        const JumpOptions options = as_options(null, uniform);
        return training_->use([&](Training& training) { return training.trainer->hmm(options, agree); });
    }
    auto table(Int direction) {
        const int which = checked(direction);
        auto [offsets, targets, probabilities] = training_->use([&](Training& training) {
            const LexicalTable& found = training.trainer->direction(which).table;
            return std::make_tuple(copied(found.offsets), copied(found.targets), copied(found.probabilities));
        });
        return std::make_tuple(to_array(std::move(offsets)), to_array(std::move(targets)),
                               to_array(std::move(probabilities)));
    }
    auto jumps(Int direction) {
        const int which = checked(direction);
        return to_array(training_->use(
            [&](Training& training) { return copied(training.trainer->direction(which).jumps.weights); }));
    }

private:
    static int checked(int direction) {
        if (direction != 0 && direction != 1) {
            refuse("direction 0 is forward, 1 reverse");
        }
        return direction;
    }

    std::unique_ptr<Guarded<Training>> training_;
};

// A table of probabilities: rows of target words in rising order; row 0 holds all of them.
class TranslationTable {
public:
    TranslationTable(const Longs& offsets, const Ints& targets, const Floats& probabilities)
        : offsets_(offsets, targets.size(), "table offsets"), targets_(targets), probabilities_(probabilities) {
        if (offsets_.segments() < 1 || offsets_.segments() > kMostVocabulary || offsets_[1] > kMostVocabulary ||
            targets_.size() != probabilities_.size()) {
            refuse("a table has a row for NULL, at most 134217728 words, and a probability per entry");
        }
        probabilities_.check_finite("probabilities", 0.0, 1.0);
        const std::int64_t words = offsets_[1];
        for (std::int64_t row = 0; row < offsets_.segments(); ++row) {
            const std::int32_t* begin = targets_.data() + offsets_[row];
            const std::int32_t* end = targets_.data() + offsets_[row + 1];
            if (std::adjacent_find(begin, end, std::greater_equal<>()) != end ||
                (begin != end && (*begin < 0 || end[-1] >= words))) {
                refuse("row " + std::to_string(row) + " of the table does not rise from 0 to below " +
                       std::to_string(words));
            }
        }
    }
    TableView view() const {
        return {offsets_.data(), targets_.data(), probabilities_.data(),
                static_cast<std::int32_t>(offsets_.segments() - 1), static_cast<std::int32_t>(offsets_[1])};
    }

private:
    Offsets offsets_;
    Copy<std::int32_t> targets_;
    Copy<double> probabilities_;
};

JumpModel as_jumps(const Floats& given) {
    const Copy<double> weights(given);
    if (weights.size() % 2 == 0 || weights.size() / 2 > static_cast<std::size_t>(kMostReach)) {
        refuse("there are " + std::to_string(weights.size()) + " jumps; an odd number, up to 131073");
    }
    weights.check_finite("jumps", 1e-12, 1e12);
    JumpModel model(static_cast<std::int32_t>(weights.size() / 2));
    model.weights.assign(weights.begin(), weights.end());
    return model;
}

auto decode_columns(const Ints& source, const Longs& source_offsets, const Ints& target, const Longs& target_offsets,
                    const Longs& offsets, const Ints& targets, const Floats& probabilities, const Floats& jumps,
                    double null, double uniform, Decoding decoding, Int jobs) {
    const JumpOptions options = as_options(null, uniform);
    Output<std::int32_t> positions = unlocked([&] {
        const TranslationTable table(offsets, targets, probabilities);
        const TableView view = table.view();
        const Texts from(source, source_offsets, -1, std::int64_t{view.source_words} - 1, "source");
        const Texts to(target, target_offsets, -1, std::int64_t{view.target_words} - 1, "target");
        check_sides(from, to);
        const JumpModel model = as_jumps(jumps);
        Output<std::int32_t> found(to.size());
        decode({from.batch(), to.batch(), view.source_words, view.target_words}, view, model, options, decoding, jobs,
               found.data());
        return found;
    });
    return std::move(positions).to_array({target.size()});
}

auto symmetrize_columns(const Pairs& forward, const Longs& forward_offsets, const Pairs& reverse,
                        const Longs& reverse_offsets, Symmetrization rule) {
    auto [links, offsets] = unlocked([&] {
        const Links ahead(forward, forward_offsets, "forward", Links::Order::kAny);
        const Links back(reverse, reverse_offsets, "reverse", Links::Order::kAny);
        if (ahead.segments() != back.segments()) {
            refuse("both directions hold equally many segments");
        }
        std::vector<std::int32_t> found;
        std::vector<std::int64_t> borders;
        const LinkRows one = ahead.rows();
        const LinkRows other = back.rows();
        symmetrize({one.pairs, one.offsets, one.segments}, {other.pairs, other.offsets, other.segments}, rule, found,
                   borders);
        return std::make_pair(std::move(found), std::move(borders));
    });
    return std::make_tuple(to_array(std::move(links)), to_array(std::move(offsets)));
}

}  // namespace

void add_em(nb::module_& module) {
    nb::enum_<Decoding>(module, "Decoding", "How links are read off a model.")
        .value("MODEL1", Decoding::kModel1)
        .value("PATH", Decoding::kBestPath)
        .value("POSTERIOR", Decoding::kPosterior);
    nb::enum_<Symmetrization>(module, "Symmetrization", "How the links of both directions become one set.")
        .value("FORWARD", Symmetrization::kForward)
        .value("REVERSE", Symmetrization::kReverse)
        .value("INTERSECTION", Symmetrization::kIntersection)
        .value("UNION", Symmetrization::kUnion)
        .value("GROW_DIAG", Symmetrization::kGrowDiag)
        .value("GROW_DIAG_FINAL", Symmetrization::kGrowDiagFinal)
        .value("GROW_DIAG_FINAL_AND", Symmetrization::kGrowDiagFinalAnd);
    nb::class_<Trainer>(module, "EmTrainer", "Learns word alignment from a bitext by expectation-maximisation.")
        .def(nb::init<const Ints&, const Longs&, const Ints&, const Longs&, Long, Long, Long, Long, Int>(), "source"_a,
             "source_offsets"_a, "target"_a, "target_offsets"_a, "source_words"_a, "target_words"_a, "reach"_a,
             "cached_cells"_a, "jobs"_a)
        .def("model1", &Trainer::model1, "Do one iteration of IBM Model 1 and return the log-likelihoods before it.")
        .def("hmm", &Trainer::hmm, "null"_a, "uniform"_a, "agree"_a,
             "Do one iteration of the hidden Markov model and return the log-likelihoods before it.")
        .def("table", &Trainer::table, "direction"_a, "Return offsets, target words and probabilities of a direction.")
        .def("jumps", &Trainer::jumps, "direction"_a, "Return the weights of jumps of a direction.");
    module.def("em_decode", &decode_columns, "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a,
               "offsets"_a, "targets"_a, "probabilities"_a, "jumps"_a, "null"_a, "uniform"_a, "decoding"_a.noconvert(),
               "jobs"_a, "Return for each target word the source position that it is linked to, or -1.");
    module.def("symmetrize", &symmetrize_columns, "forward"_a, "forward_offsets"_a, "reverse"_a, "reverse_offsets"_a,
               "rule"_a.noconvert(), "Return the links, flat, that a rule makes of two directions, and their offsets.");
}

}  // namespace kilter
