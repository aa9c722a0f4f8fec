// Orders of words: from trees, and against reference orders.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <optional>

#include "reordering_score.hpp"
#include "tree_order.hpp"

namespace kilter {
namespace {

Batch rising(const Vector<std::int32_t>& values, const Vector<std::int64_t>& offsets) {
    const Batch batch = as_batch(values, offsets);
    if (!std::is_sorted(batch.offsets, batch.offsets + batch.segments + 1)) {
        throw nb::value_error("offsets rise");
    }
    return batch;
}

auto reordering_counts(const Vector<std::int32_t>& groups, const Vector<std::int64_t>& offsets,
                       bool local, bool ends, int jobs) {
    const Batch batch = rising(groups, offsets);
    if (!are_groups(batch)) {
        throw nb::value_error("groups lie between 0 and the number of words");
    }
    const auto rows = static_cast<std::size_t>(batch.segments);
    Output<std::int64_t> counts(rows * kReorderingColumns);
    {
        nb::gil_scoped_release release;
        score_reorderings(batch, local ? TiedSpans::kLocal : TiedSpans::kBest, ends, jobs,
                          counts.data(), nullptr, nullptr);
    }
    return std::move(counts).to_array({rows, std::size_t{kReorderingColumns}});
}

auto reordering_words(const Vector<std::int32_t>& groups, const Vector<std::int64_t>& offsets,
                      bool local, int jobs) {
    const Batch batch = rising(groups, offsets);
    if (!are_groups(batch)) {
        throw nb::value_error("groups lie between 0 and the number of words");
    }
    Output<std::int64_t> counts(static_cast<std::size_t>(batch.segments) * kReorderingColumns);
    Output<std::uint8_t> starts(groups.size());
    Output<std::int32_t> discordant(groups.size());
    {
        nb::gil_scoped_release release;
        score_reorderings(batch, local ? TiedSpans::kLocal : TiedSpans::kBest, false, jobs,
                          counts.data(), starts.data(), discordant.data());
    }
    return std::make_tuple(std::move(starts).to_array({groups.size()}),
                           std::move(discordant).to_array({groups.size()}));
}

auto tree_orders(const Vector<std::int32_t>& heads, const Vector<std::int64_t>& offsets,
                 const Vector<std::int32_t>& child_slots, const Vector<std::uint8_t>& backward,
                 const Vector<std::int32_t>& head_slots, int jobs) {
    const Batch batch = rising(heads, offsets);
    if (child_slots.size() != heads.size() || backward.size() != heads.size() ||
        head_slots.size() != heads.size()) {
        throw nb::value_error("each word has its slots");
    }
    Output<std::int32_t> order(heads.size());
    std::int64_t bad = -1;
    {
        nb::gil_scoped_release release;
        bad = order_trees(batch, {child_slots.data(), backward.data(), head_slots.data()}, jobs,
                          order.data());
    }
    if (bad >= 0) {
        throw nb::value_error("every word hangs from a root");
    }
    return std::move(order).to_array({heads.size()});
}

}  // namespace

void add_reordering(nb::module_& module) {
    module.def("reordering_counts", &reordering_counts, "groups"_a, "offsets"_a, "local"_a, "ends"_a,
               "jobs"_a);
    module.def("reordering_words", &reordering_words, "groups"_a, "offsets"_a, "local"_a, "jobs"_a);
    module.def("tree_orders", &tree_orders, "heads"_a, "offsets"_a, "child_slots"_a, "backward"_a,
               "head_slots"_a, "jobs"_a);
}

}  // namespace kilter
