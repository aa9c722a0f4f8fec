// Dependency trees: edit distances and path disparities.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "dependency_tree.hpp"
#include "derp.hpp"
#include "link_rule.hpp"
#include "tree_edit.hpp"

namespace kilter {
namespace {

TreeRows as_trees(const Vector<std::int32_t>& heads, const Vector<std::int64_t>& offsets) {
    const Batch batch = as_batch(heads, offsets);
    const TreeRows trees{batch.values, batch.offsets, batch.segments};
    if (!std::is_sorted(trees.offsets, trees.offsets + trees.trees + 1)) {
        throw nb::value_error("offsets rise from 0 to the number of heads");
    }
    for (std::int64_t tree = 0; tree < trees.trees; ++tree) {
        if (trees.length(tree) >= std::numeric_limits<std::int32_t>::max()) {
            throw nb::value_error("a tree has too many words");
        }
    }
    return trees;
}

LinkRows as_segment_links(const Pairs& pairs, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0) {
        throw nb::value_error("offsets hold at least one entry");
    }
    const LinkRows links{pairs.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    if (links.offsets[0] != 0 ||
        links.offsets[links.segments] != static_cast<std::int64_t>(pairs.shape(0)) ||
        !std::is_sorted(links.offsets, links.offsets + links.segments + 1)) {
        throw nb::value_error("offsets rise from 0 to the number of links");
    }
    return links;
}

// Links between sentences of these lengths, one of each side per segment, lie inside them.
void check_inside(const LinkRows& links, const std::int64_t* first_lengths,
                  const std::int64_t* second_lengths) {
    if (find_outside(links, first_lengths, second_lengths) >= 0) {
        throw nb::value_error("a link points outside its sentences");
    }
}

// Pairs name trees and segments that exist, and trees that have the words which links speak of.
TreePairs as_pairs(const Vector<std::int64_t>& firsts, const Vector<std::int64_t>& seconds,
                   const Vector<std::int64_t>& segments, const TreeRows& first,
                   const TreeRows& second, const LinkRows& links) {
    if (firsts.size() != seconds.size() || firsts.size() != segments.size()) {
        throw nb::value_error("a pair has a first tree, a second tree and a segment");
    }
    const TreePairs pairs{firsts.data(), seconds.data(), segments.data(),
                          static_cast<std::int64_t>(firsts.size())};
    const auto outside = [](std::int64_t value, std::int64_t size) {
        return value < 0 || value >= size;
    };
    for (std::int64_t pair = 0; pair < pairs.count; ++pair) {
        const std::int64_t segment = pairs.segments[pair];
        if (outside(pairs.firsts[pair], first.trees) || outside(pairs.seconds[pair], second.trees) ||
            outside(segment, links.segments)) {
            throw nb::value_error("a pair names a tree or a segment that does not exist");
        }
        const LinkRows own{links.pairs, links.offsets + segment, 1};
        const std::int64_t lengths[2] = {first.length(pairs.firsts[pair]),
                                         second.length(pairs.seconds[pair])};
        check_inside(own, lengths, lengths + 1);
    }
    return pairs;
}

auto edits(const Vector<std::int32_t>& heads, const Vector<std::int64_t>& offsets,
           const Vector<std::int32_t>& other_heads, const Vector<std::int64_t>& other_offsets,
           const Vector<std::int64_t>& firsts, const Vector<std::int64_t>& seconds,
           const Vector<std::int64_t>& segments, const Pairs& links,
           const Vector<std::int64_t>& link_offsets, int jobs) {
    const TreeRows first = as_trees(heads, offsets);
    const TreeRows second = as_trees(other_heads, other_offsets);
    const LinkRows rows = as_segment_links(links, link_offsets);
    const TreePairs pairs = as_pairs(firsts, seconds, segments, first, second, rows);
    Output<std::int64_t> found(firsts.size() * kEditColumns);
    {
        nb::gil_scoped_release release;
        edit_distances(first, second, pairs, rows, jobs, found.data());
    }
    return std::move(found).to_array({firsts.size(), std::size_t{kEditColumns}});
}

auto flat_edits(const Vector<std::int64_t>& first_lengths, const Vector<std::int64_t>& second_lengths,
                const Pairs& links, const Vector<std::int64_t>& link_offsets, int jobs) {
    const LinkRows rows = as_segment_links(links, link_offsets);
    const auto count = static_cast<std::size_t>(rows.segments);
    if (first_lengths.size() != count || second_lengths.size() != count) {
        throw nb::value_error("one length of each side per segment");
    }
    for (const auto* lengths : {&first_lengths, &second_lengths}) {
        for (std::size_t s = 0; s < count; ++s) {
            if (lengths->data()[s] < 0 ||
                lengths->data()[s] >= std::numeric_limits<std::int32_t>::max()) {
                throw nb::value_error("a length is negative or too large");
            }
        }
    }
    check_inside(rows, first_lengths.data(), second_lengths.data());
    Output<std::int64_t> found(count * kEditColumns);
    {
        nb::gil_scoped_release release;
        flat_edit_distances(first_lengths.data(), second_lengths.data(), rows, jobs, found.data());
    }
    return std::move(found).to_array({count, std::size_t{kEditColumns}});
}

auto mapping(const Vector<std::int32_t>& heads, const Vector<std::int32_t>& other_heads,
             const Pairs& links, int model) {
    const auto one = static_cast<std::int64_t>(heads.size());
    const auto other = static_cast<std::int64_t>(other_heads.size());
    if (model < 0 || model > static_cast<int>(EditModel::kNode)) {
        throw nb::value_error("there is no such cost model");
    }
    if (other > 0 && one > kMostMappingCells / other) {
        throw nb::value_error("the trees are too large for a mapping");
    }
    const std::int64_t borders[2] = {0, static_cast<std::int64_t>(links.shape(0))};
    const LinkRows rows{links.data(), borders, 1};
    check_inside(rows, &one, &other);
    std::vector<std::pair<std::int32_t, std::int32_t>> found;
    {
        nb::gil_scoped_release release;
        found = edit_mapping(heads.data(), static_cast<std::int32_t>(one), other_heads.data(),
                             static_cast<std::int32_t>(other), rows, static_cast<EditModel>(model));
    }
    Output<std::int32_t> pairs(found.size() * 2);
    for (std::size_t k = 0; k < found.size(); ++k) {
        pairs.data()[2 * k] = found[k].first;
        pairs.data()[2 * k + 1] = found[k].second;
    }
    return std::move(pairs).to_array({found.size(), std::size_t{2}});
}

LabelledTrees with_labels(const TreeRows& trees, const Vector<std::int32_t>& labels) {
    if (static_cast<std::int64_t>(labels.size()) != trees.offsets[trees.trees]) {
        throw nb::value_error("every word has a label");
    }
    return {trees, labels.data()};
}

auto disparities(const Vector<std::int32_t>& heads, const Vector<std::int32_t>& labels,
                 const Vector<std::int64_t>& offsets, const Vector<std::int32_t>& other_heads,
                 const Vector<std::int32_t>& other_labels, const Vector<std::int64_t>& other_offsets,
                 const Vector<std::int64_t>& firsts, const Vector<std::int64_t>& seconds,
                 const Vector<std::int64_t>& segments, const Pairs& links,
                 const Vector<std::int64_t>& link_offsets, bool labelled, int jobs) {
    const TreeRows first = as_trees(heads, offsets);
    const TreeRows second = as_trees(other_heads, other_offsets);
    const LinkRows rows = as_segment_links(links, link_offsets);
    const TreePairs pairs = as_pairs(firsts, seconds, segments, first, second, rows);
    const LabelledTrees one = with_labels(first, labels);
    const LabelledTrees other = with_labels(second, other_labels);
    Output<std::int64_t> found(firsts.size() * kPathColumns);
    {
        nb::gil_scoped_release release;
        path_disparities(one, other, pairs, rows, labelled ? PathKind::kLabels : PathKind::kStructure,
                         jobs, found.data());
    }
    return std::move(found).to_array({firsts.size(), std::size_t{kPathColumns}});
}

auto from_references(const Vector<std::int32_t>& heads, const Vector<std::int64_t>& offsets,
                     const Vector<std::int64_t>& trees, const Vector<std::int64_t>& segments,
                     const Vector<std::int64_t>& lengths, const Pairs& links,
                     const Vector<std::int64_t>& link_offsets, int jobs) {
    const TreeRows second = as_trees(heads, offsets);
    const LinkRows rows = as_segment_links(links, link_offsets);
    if (trees.size() != segments.size() || trees.size() != lengths.size()) {
        throw nb::value_error("a pair has a tree, a segment and the length of the other sentence");
    }
    for (std::size_t pair = 0; pair < trees.size(); ++pair) {
        const std::int64_t tree = trees.data()[pair];
        const std::int64_t segment = segments.data()[pair];
        if (tree < 0 || tree >= second.trees || segment < 0 || segment >= rows.segments) {
            throw nb::value_error("a pair names a tree or a segment that does not exist");
        }
        const std::int64_t length = second.length(tree);
        check_inside({rows.pairs, rows.offsets + segment, 1}, lengths.data() + pair, &length);
    }
    Output<std::int64_t> found(trees.size() * kPathColumns);
    {
        nb::gil_scoped_release release;
        reference_disparities(second, trees.data(), segments.data(),
                              static_cast<std::int64_t>(trees.size()), rows, jobs, found.data());
    }
    return std::move(found).to_array({trees.size(), std::size_t{kPathColumns}});
}

auto flat_disparities(const Pairs& links, const Vector<std::int64_t>& link_offsets, int jobs) {
    const LinkRows rows = as_segment_links(links, link_offsets);
    for (std::size_t k = 0; k < 2 * links.shape(0); ++k) {
        if (links.data()[k] < 0) {
            throw nb::value_error("a link has a negative position");
        }
    }
    const auto count = static_cast<std::size_t>(rows.segments);
    Output<std::int64_t> found(count * kPathColumns);
    {
        nb::gil_scoped_release release;
        flat_path_disparities(rows, jobs, found.data());
    }
    return std::move(found).to_array({count, std::size_t{kPathColumns}});
}

auto edges(const Vector<std::int32_t>& heads, const Vector<std::int32_t>& labels,
           const Vector<std::int32_t>& other_heads, const Vector<std::int32_t>& other_labels,
           const Pairs& links, int kind) {
    if (kind < 0 || kind > static_cast<int>(PathKind::kReference)) {
        throw nb::value_error("there is no such kind of paths");
    }
    const std::int64_t borders[2] = {0, static_cast<std::int64_t>(links.shape(0))};
    const std::int64_t first_borders[2] = {0, static_cast<std::int64_t>(heads.size())};
    const std::int64_t second_borders[2] = {0, static_cast<std::int64_t>(other_heads.size())};
    const LinkRows rows{links.data(), borders, 1};
    check_inside(rows, first_borders + 1, second_borders + 1);
    const LabelledTrees first = with_labels({heads.data(), first_borders, 1}, labels);
    const LabelledTrees second = with_labels({other_heads.data(), second_borders, 1}, other_labels);
    std::vector<PathEdge> found;
    {
        nb::gil_scoped_release release;
        found = path_edges(first, second, rows, static_cast<PathKind>(kind));
    }
    Output<std::int64_t> table(found.size() * 6);
    std::int64_t* at = table.data();
    for (const PathEdge& edge : found) {
        for (const std::int64_t value : {std::int64_t{edge.word}, std::int64_t{edge.other},
                                         std::int64_t{edge.partner}, std::int64_t{edge.other_partner},
                                         edge.cost, edge.most}) {
            *at++ = value;
        }
    }
    return std::move(table).to_array({found.size(), std::size_t{6}});
}

}  // namespace

void add_trees(nb::module_& module) {
    module.def("edit_distances", &edits, "heads"_a, "offsets"_a, "other_heads"_a, "other_offsets"_a,
               "firsts"_a, "seconds"_a, "segments"_a, "links"_a, "link_offsets"_a, "jobs"_a);
    module.def("flat_edit_distances", &flat_edits, "first_lengths"_a, "second_lengths"_a, "links"_a,
               "link_offsets"_a, "jobs"_a);
    module.def("edit_mapping", &mapping, "heads"_a, "other_heads"_a, "links"_a, "model"_a);
    module.def("path_disparities", &disparities, "heads"_a, "labels"_a, "offsets"_a, "other_heads"_a,
               "other_labels"_a, "other_offsets"_a, "firsts"_a, "seconds"_a, "segments"_a, "links"_a,
               "link_offsets"_a, "labelled"_a, "jobs"_a);
    module.def("reference_disparities", &from_references, "heads"_a, "offsets"_a, "trees"_a,
               "segments"_a, "lengths"_a, "links"_a, "link_offsets"_a, "jobs"_a);
    module.def("flat_path_disparities", &flat_disparities, "links"_a, "link_offsets"_a, "jobs"_a);
    module.def("path_edges", &edges, "heads"_a, "labels"_a, "other_heads"_a, "other_labels"_a,
               "links"_a, "kind"_a);
    module.attr("MOST_EDIT_CELLS") = kMostEditCells;
    module.attr("MOST_EDIT_STEPS") = kMostEditSteps;
    module.attr("MOST_MAPPING_CELLS") = kMostMappingCells;
}

}  // namespace kilter
