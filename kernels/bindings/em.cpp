// Word alignment learned from a bitext.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "em_aligner.hpp"
#include "symmetrization.hpp"

namespace kilter {
namespace {

// Segments of word numbers, checked once: `least` is -1 where unknown words may stand.
Batch as_column(const Vector<std::int32_t>& ids, const Vector<std::int64_t>& offsets,
                std::int32_t least, std::int64_t words) {
    const Batch column = as_batch(ids, offsets);
    if (!std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("offsets do not fall");
    }
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (ids.data()[k] < least || ids.data()[k] >= words) {
            throw nb::value_error("a word's number lies outside its vocabulary");
        }
    }
    return column;
}

Bitext as_bitext(const Batch& source, const Batch& target, std::int32_t source_words,
                 std::int32_t target_words) {
    if (source.segments != target.segments) {
        throw nb::value_error("both sides hold equally many segments");
    }
    return {source, target, source_words, target_words};
}

JumpOptions as_options(double null, double uniform) {
    if (!(null > 0.0 && null < 1.0 && uniform >= 0.0 && uniform < 1.0)) {
        throw nb::value_error("null lies between 0 and 1, uniform from 0 to below 1");
    }
    return {null, uniform};
}

template <class Values>
auto copy(const Values& values) {
    return to_array(std::vector<typename Values::value_type>(values.begin(), values.end()));
}

// A trainer with a copy of its text, which Python could otherwise change between two iterations.
class Trainer {
public:
    Trainer(const Vector<std::int32_t>& source, const Vector<std::int64_t>& source_offsets,
            const Vector<std::int32_t>& target, const Vector<std::int64_t>& target_offsets,
            std::int32_t source_words, std::int32_t target_words, std::int32_t reach,
            std::int64_t cached_cells, int jobs) {
        if (reach < 1) {
            throw nb::value_error("reach is at least 1");
        }
        const Batch from = copied(as_column(source, source_offsets, 0, source_words), 0);
        const Batch to = copied(as_column(target, target_offsets, 0, target_words), 1);
        const Bitext bitext = as_bitext(from, to, source_words, target_words);
        nb::gil_scoped_release release;
        trainer_ = std::make_unique<EmTrainer>(bitext, reach, cached_cells, jobs);
    }
    std::array<double, 2> model1() {
        nb::gil_scoped_release release;
        return trainer_->model1();
    }
    std::array<double, 2> hmm(double null, double uniform, bool agree) {
        const JumpOptions options = as_options(null, uniform);
        nb::gil_scoped_release release;
        return trainer_->hmm(options, agree);
    }
    auto table(int which) const {
        const LexicalTable& found = direction(which).table;
        return std::make_tuple(copy(found.offsets), copy(found.targets), copy(found.probabilities));
    }
    auto jumps(int which) const { return copy(direction(which).jumps.weights); }

private:
    const EmDirection& direction(int which) const {
        if (which != 0 && which != 1) {
            throw nb::value_error("direction 0 is forward, 1 reverse");
        }
        return trainer_->direction(which);
    }
    Batch copied(const Batch& column, std::size_t side) {
        ids_[side].assign(column.values, column.values + column.offsets[column.segments]);
        offsets_[side].assign(column.offsets, column.offsets + column.segments + 1);
        return {ids_[side].data(), offsets_[side].data(), column.segments};
    }

    std::array<std::vector<std::int32_t>, 2> ids_;
    std::array<std::vector<std::int64_t>, 2> offsets_;
    std::unique_ptr<EmTrainer> trainer_;
};

TableView as_table(const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& targets,
                   const Vector<double>& probabilities) {
    const std::size_t rows = offsets.size();
    if (rows < 2 || offsets.data()[0] != 0 || targets.size() != probabilities.size() ||
        offsets.data()[rows - 1] != static_cast<std::int64_t>(targets.size()) ||
        !std::is_sorted(offsets.data(), offsets.data() + rows)) {
        throw nb::value_error("a table's offsets rise from 0 to its number of entries");
    }
    return {offsets.data(), targets.data(), probabilities.data(),
            static_cast<std::int32_t>(rows) - 2, static_cast<std::int32_t>(offsets.data()[1])};
}

auto decode_columns(const Vector<std::int32_t>& source, const Vector<std::int64_t>& source_offsets,
                    const Vector<std::int32_t>& target, const Vector<std::int64_t>& target_offsets,
                    const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& targets,
                    const Vector<double>& probabilities, const Vector<double>& jumps, double null,
                    double uniform, int decoding, int jobs) {
    const TableView table = as_table(offsets, targets, probabilities);
    const Bitext bitext = as_bitext(as_column(source, source_offsets, -1, table.source_words),
                                    as_column(target, target_offsets, -1, table.target_words),
                                    table.source_words, table.target_words);
    if (jumps.size() % 2 == 0 || decoding < 0 || decoding > 2) {
        throw nb::value_error("an odd number of jumps, and a decoding from 0 to 2");
    }
    JumpModel model(static_cast<std::int32_t>(jumps.size() / 2));
    model.weights.assign(jumps.data(), jumps.data() + jumps.size());
    const JumpOptions options = as_options(null, uniform);
    Output<std::int32_t> positions(target.size());
    {
        nb::gil_scoped_release release;
        decode(bitext, table, model, options, static_cast<Decoding>(decoding), jobs,
               positions.data());
    }
    return std::move(positions).to_array({target.size()});
}

LinkColumn as_links(const Pairs& links, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0 || offsets.data()[0] != 0 ||
        offsets.data()[offsets.size() - 1] != static_cast<std::int64_t>(links.shape(0)) ||
        !std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("offsets rise from 0 to the number of links");
    }
    for (std::size_t k = 0; k < links.size(); ++k) {
        if (links.data()[k] < 0) {
            throw nb::value_error("positions are not negative");
        }
    }
    return {links.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
}

auto symmetrize_columns(const Pairs& forward, const Vector<std::int64_t>& forward_offsets,
                        const Pairs& reverse, const Vector<std::int64_t>& reverse_offsets,
                        int rule) {
    const LinkColumn ahead = as_links(forward, forward_offsets);
    const LinkColumn back = as_links(reverse, reverse_offsets);
    if (ahead.segments != back.segments || rule < 0 ||
        rule > static_cast<int>(Symmetrization::kGrowDiagFinalAnd)) {
        throw nb::value_error("both directions hold equally many segments; rules are 0 to 6");
    }
    std::vector<std::int32_t> links;
    std::vector<std::int64_t> offsets;
    {
        nb::gil_scoped_release release;
        symmetrize(ahead, back, static_cast<Symmetrization>(rule), links, offsets);
    }
    return std::make_tuple(to_array(std::move(links)), to_array(std::move(offsets)));
}

}  // namespace

void add_em(nb::module_& module) {
    nb::class_<Trainer>(module, "EmTrainer")
        .def(nb::init<const Vector<std::int32_t>&, const Vector<std::int64_t>&,
                      const Vector<std::int32_t>&, const Vector<std::int64_t>&, std::int32_t,
                      std::int32_t, std::int32_t, std::int64_t, int>(),
             "source"_a, "source_offsets"_a, "target"_a, "target_offsets"_a, "source_words"_a,
             "target_words"_a, "reach"_a, "cached_cells"_a, "jobs"_a)
        .def("model1", &Trainer::model1)
        .def("hmm", &Trainer::hmm, "null"_a, "uniform"_a, "agree"_a)
        .def("table", &Trainer::table, "direction"_a)
        .def("jumps", &Trainer::jumps, "direction"_a);
    module.def("em_decode", &decode_columns, "source"_a, "source_offsets"_a, "target"_a,
               "target_offsets"_a, "offsets"_a, "targets"_a, "probabilities"_a, "jumps"_a, "null"_a,
               "uniform"_a, "decoding"_a, "jobs"_a);
    module.def("symmetrize", &symmetrize_columns, "forward"_a, "forward_offsets"_a, "reverse"_a,
               "reverse_offsets"_a, "rule"_a);
}

}  // namespace kilter
