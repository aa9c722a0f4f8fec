// Dependency trees: edit distances and path disparities.
#include "bindings/checked.hpp"

#include <algorithm>

#include "dependency_tree.hpp"
#include "derp.hpp"
#include "tree_edit.hpp"

namespace kilter {
namespace {

void check_exists(std::int64_t value, std::int64_t size, const char* name, std::size_t pair) {
    if (value < 0 || value >= size) {
        refuse("pair " + std::to_string(pair) + " names " + std::to_string(value) + " in " + name + "; there are " +
               std::to_string(size));
    }
}

// Pairs name trees and segments that exist, and trees that have the words which links speak of.
class CheckedPairs {
public:
    CheckedPairs(const Longs& firsts, const Longs& seconds, const Longs& segments, const Trees& first,
                 const Trees& second, const Links& links)
        : firsts_(firsts), seconds_(seconds), segments_(segments) {
        if (firsts_.size() != seconds_.size() || firsts_.size() != segments_.size()) {
            refuse("a pair has a first tree, a second tree and a segment");
        }
        for (std::size_t pair = 0; pair < firsts_.size(); ++pair) {
            check_exists(firsts_[pair], first.count(), "first_trees", pair);
            check_exists(seconds_[pair], second.count(), "second_trees", pair);
            check_exists(segments_[pair], links.segments(), "segments", pair);
            links.check_inside(segments_[pair], first.length(firsts_[pair]), second.length(seconds_[pair]));
        }
    }
    TreePairs pairs() const {
        return {firsts_.data(), seconds_.data(), segments_.data(), static_cast<std::int64_t>(firsts_.size())};
    }

private:
    Copy<std::int64_t> firsts_, seconds_, segments_;
};

auto edits(const Ints& first_heads, const Longs& first_offsets, const Ints& second_heads, const Longs& second_offsets,
           const Longs& firsts, const Longs& seconds, const Longs& segments, const Pairs& links,
           const Longs& link_offsets, Int jobs, bool only_long) {
    Output<std::int64_t> found = unlocked([&] {
        const Trees first(first_heads, first_offsets);
        const Trees second(second_heads, second_offsets);
        const Links rows(links, link_offsets, "links");
        const CheckedPairs pairs(firsts, seconds, segments, first, second, rows);
        Output<std::int64_t> distances(firsts.size() * kEditColumns);
        edit_distances(first.rows(), second.rows(), pairs.pairs(), rows.rows(), jobs, distances.data(), only_long);
        return distances;
    });
    return std::move(found).to_array({firsts.size(), std::size_t{kEditColumns}});
}

template <bool OnlyLong>
auto edits_by(const Ints& first_heads, const Longs& first_offsets, const Ints& second_heads,
              const Longs& second_offsets, const Longs& firsts, const Longs& seconds, const Longs& segments,
              const Pairs& links, const Longs& link_offsets, Int jobs) {
    return edits(first_heads, first_offsets, second_heads, second_offsets, firsts, seconds, segments, links,
                 link_offsets, jobs, OnlyLong);
}

auto flat_edits(const Longs& first_lengths, const Longs& second_lengths, const Pairs& links, const Longs& link_offsets,
                Int jobs) {
    auto [rows, found] = unlocked([&] {
        const Links given(links, link_offsets, "links");
        const Lengths first(first_lengths, given.segments(), kMostGivenWords, "first_lengths");
        const Lengths second(second_lengths, given.segments(), kMostGivenWords, "second_lengths");
        const auto count = static_cast<std::size_t>(given.segments());
        for (std::size_t s = 0; s < count; ++s) {
            given.check_inside(static_cast<std::int64_t>(s), first[s], second[s]);
        }
        Output<std::int64_t> distances(count * kEditColumns);
        flat_edit_distances(first.data(), second.data(), given.rows(), jobs, distances.data());
        return std::make_pair(count, std::move(distances));
    });
    return std::move(found).to_array({rows, std::size_t{kEditColumns}});
}

auto mapping(const Ints& first_heads, const Ints& second_heads, const Pairs& links, EditModel model) {
    std::vector<std::int32_t> found = unlocked([&] {
        const Trees first(first_heads);
        const Trees second(second_heads);
        const std::int64_t one = first.length(0);
        const std::int64_t other = second.length(0);
        if (!mapping_fits(first.rows().values, one, second.rows().values, other)) {
            refuse("the trees are too large or too deep for a mapping");
        }
        const Links given(links, "links");
        given.check_inside(0, one, other);
        std::vector<std::int32_t> flat;
        for (const auto& [word, partner] :
             edit_mapping(first.rows().values, static_cast<std::int32_t>(one), second.rows().values,
                          static_cast<std::int32_t>(other), given.rows(), model)) {
            flat.push_back(word);
            flat.push_back(partner);
        }
        return flat;
    });
    return to_array(std::move(found), 2);
}

bool fits(const Ints& first_heads, const Ints& second_heads) {
    return unlocked([&] {
        const Trees first(first_heads);
        const Trees second(second_heads);
        return mapping_fits(first.rows().values, first.length(0), second.rows().values, second.length(0));
    });
}

// The labels of the words of trees; any number is one.
Copy<std::int32_t> as_labels(const Ints& labels, const Trees& trees) {
    if (labels.size() != trees.size()) {
        refuse("there are " + std::to_string(labels.size()) + " labels of " + std::to_string(trees.size()) + " words");
    }
    return Copy<std::int32_t>(labels);
}

auto disparities(const Ints& first_heads, const Ints& labels, const Longs& first_offsets, const Ints& second_heads,
                 const Ints& other_labels, const Longs& second_offsets, const Longs& firsts, const Longs& seconds,
                 const Longs& segments, const Pairs& links, const Longs& link_offsets, bool labelled, Int jobs) {
    Output<std::int64_t> found = unlocked([&] {
        const Trees first(first_heads, first_offsets);
        const Trees second(second_heads, second_offsets);
        const Copy<std::int32_t> first_labels = as_labels(labels, first);
        const Copy<std::int32_t> second_labels = as_labels(other_labels, second);
        const Links rows(links, link_offsets, "links");
        const CheckedPairs pairs(firsts, seconds, segments, first, second, rows);
        Output<std::int64_t> sums(firsts.size() * kPathColumns);
        path_disparities({first.rows(), first_labels.data()}, {second.rows(), second_labels.data()}, pairs.pairs(),
                         rows.rows(), labelled ? PathKind::kLabels : PathKind::kStructure, jobs, sums.data());
        return sums;
    });
    return std::move(found).to_array({firsts.size(), std::size_t{kPathColumns}});
}

auto from_references(const Ints& heads, const Longs& offsets, const Longs& trees, const Longs& segments,
                     const Longs& lengths, const Pairs& links, const Longs& link_offsets, Int jobs) {
    Output<std::int64_t> found = unlocked([&] {
        const Trees second(heads, offsets);
        const Links rows(links, link_offsets, "links");
        const Copy<std::int64_t> numbers(trees);
        const Copy<std::int64_t> places(segments);
        const Copy<std::int64_t> words(lengths);
        if (numbers.size() != places.size() || numbers.size() != words.size()) {
            refuse("a pair has a tree, a segment and the length of the other sentence");
        }
        words.check_within(0, kMostWords, "lengths");
        for (std::size_t pair = 0; pair < numbers.size(); ++pair) {
            check_exists(numbers[pair], second.count(), "trees", pair);
            check_exists(places[pair], rows.segments(), "segments", pair);
            rows.check_inside(places[pair], words[pair], second.length(numbers[pair]));
        }
        Output<std::int64_t> sums(numbers.size() * kPathColumns);
        reference_disparities(second.rows(), numbers.data(), places.data(), static_cast<std::int64_t>(numbers.size()),
                              rows.rows(), jobs, sums.data());
        return sums;
    });
    return std::move(found).to_array({trees.size(), std::size_t{kPathColumns}});
}

// Tables of words are as long as the largest position.
void check_positions(const Links& links) {
    for (std::int64_t s = 0; s < links.segments(); ++s) {
        links.check_inside(s, kMostGivenWords, kMostGivenWords);
    }
}

auto flat_disparities(const Pairs& links, const Longs& link_offsets, Int jobs) {
    auto [rows, found] = unlocked([&] {
        const Links given(links, link_offsets, "links");
        check_positions(given);
        const auto count = static_cast<std::size_t>(given.segments());
        Output<std::int64_t> sums(count * kPathColumns);
        flat_path_disparities(given.rows(), jobs, sums.data());
        return std::make_pair(count, std::move(sums));
    });
    return std::move(found).to_array({rows, std::size_t{kPathColumns}});
}

auto edges(const Ints& first_heads, const Ints& labels, const Ints& second_heads, const Ints& other_labels,
           const Pairs& links, PathKind kind) {
    std::vector<std::int64_t> found = unlocked([&] {
        const Trees first(first_heads);
        const Trees second(second_heads);
        const Copy<std::int32_t> first_labels = as_labels(labels, first);
        const Copy<std::int32_t> second_labels = as_labels(other_labels, second);
        const Links given(links, "links");
        given.check_inside(0, first.length(0), second.length(0));
        std::vector<std::int64_t> flat;
        for (const PathEdge& edge : path_edges({first.rows(), first_labels.data()},
                                               {second.rows(), second_labels.data()}, given.rows(), kind)) {
            flat.insert(flat.end(), {edge.word, edge.other, edge.partner, edge.other_partner, edge.cost, edge.most});
        }
        return flat;
    });
    return to_array(std::move(found), 6);
}

}  // namespace

void add_trees(nb::module_& module) {
    nb::enum_<EditModel>(module, "EditModel", "What operations cost.")
        .value("BASIC", EditModel::kBasic)
        .value("LINKED", EditModel::kLinked)
        .value("OPERATION", EditModel::kOperation)
        .value("NODE", EditModel::kNode);
    nb::enum_<PathKind>(module, "PathKind", "What is compared of the paths between two words.")
        .value("LABELS", PathKind::kLabels)
        .value("STRUCTURE", PathKind::kStructure)
        .value("FLAT", PathKind::kFlat)
        .value("REFERENCE", PathKind::kReference);
    module.def("edit_distances", &edits_by<false>, "first_heads"_a, "first_offsets"_a, "second_heads"_a,
               "second_offsets"_a, "first_trees"_a, "second_trees"_a, "segments"_a, "links"_a, "link_offsets"_a,
               "jobs"_a,
               "Return the edit distances of pairs of trees under all cost models, -1 where a pair is "
               "too large.");
    testing(module).def("long_edit_distances", &edits_by<true>, "first_heads"_a, "first_offsets"_a, "second_heads"_a,
                        "second_offsets"_a, "first_trees"_a, "second_trees"_a, "segments"_a, "links"_a,
                        "link_offsets"_a, "jobs"_a,
                        "Return the same by the kernel for long trees, whatever their length.");
    module.def("flat_edit_distances", &flat_edits, "first_lengths"_a, "second_lengths"_a, "links"_a, "link_offsets"_a,
               "jobs"_a, "Return the same distances of flattened sentences, which are known by their lengths.");
    module.def("edit_mapping", &mapping, "first_heads"_a, "second_heads"_a, "links"_a, "model"_a.noconvert(),
               "Return the pairs of words that one optimal mapping joins.");
    module.def("mapping_fits", &fits, "first_heads"_a, "second_heads"_a,
               "Return whether trees are small and shallow enough for a mapping.");
    module.def("path_disparities", &disparities, "first_heads"_a, "first_labels"_a, "first_offsets"_a, "second_heads"_a,
               "second_labels"_a, "second_offsets"_a, "first_trees"_a, "second_trees"_a, "segments"_a, "links"_a,
               "link_offsets"_a, "labelled"_a, "jobs"_a,
               "Return the sums of L and of its largest value over the spanning tree of each pair, -1 "
               "where it is too large.");
    module.def("reference_disparities", &from_references, "heads"_a, "offsets"_a, "trees"_a, "segments"_a, "lengths"_a,
               "links"_a, "link_offsets"_a, "jobs"_a,
               "Return the same sums for positions along the paths of references.");
    module.def("flat_path_disparities", &flat_disparities, "links"_a, "link_offsets"_a, "jobs"_a,
               "Return the same sums for flattened sentences.");
    module.def("path_edges", &edges, "first_heads"_a, "first_labels"_a, "second_heads"_a, "second_labels"_a, "links"_a,
               "kind"_a.noconvert(),
               "Return the edges of the spanning tree: two words, their partners, L and its largest "
               "value.");
}

}  // namespace kilter
