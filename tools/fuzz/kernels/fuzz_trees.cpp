// Dependency trees: edit distance, paths, orders, the best tree of a table of scores.
#include <cmath>
#include <limits>

#include "dependency_tree.hpp"
#include "derp.hpp"
#include "spanning_tree.hpp"
#include "target.hpp"
#include "tree_edit.hpp"
#include "tree_order.hpp"

namespace kilter::fuzz {
namespace {

// Trees of several segments on both sides with their links.
struct Sides {
    Rows<std::int32_t> first, second;
    LinkBatch links, turned;
    std::vector<std::int64_t> pairs;
    std::vector<std::int64_t> first_lengths, second_lengths;

    Sides(FuzzedDataProvider& data, std::int32_t most_words) {
        const std::size_t count = small_size(data, 3);
        for (std::size_t k = 0; k < count; ++k) {
            const std::int32_t n = sentence_length(data, most_words);
            const std::int32_t m = sentence_length(data, most_words);
            first.add(tree(data, n));
            second.add(tree(data, m));
            first_lengths.push_back(n);
            second_lengths.push_back(m);
            const std::vector<std::int32_t> own = fuzz::links(data, n, m);
            links.add(own);
            std::vector<std::pair<std::int32_t, std::int32_t>> swapped;
            for (std::size_t i = 0; i < own.size(); i += 2) {
                swapped.emplace_back(own[i + 1], own[i]);
            }
            std::sort(swapped.begin(), swapped.end());
            std::vector<std::int32_t> flat;
            for (const auto& [a, b] : swapped) {
                flat.push_back(a);
                flat.push_back(b);
            }
            turned.add(flat);
            pairs.push_back(static_cast<std::int64_t>(k));
        }
    }
    TreePairs compared() const {
        return {pairs.data(), pairs.data(), pairs.data(), static_cast<std::int64_t>(pairs.size())};
    }
    static TreeRows rows(const Rows<std::int32_t>& trees) {
        return {trees.values.data(), trees.offsets.data(), trees.rows()};
    }
};

void tree_edit(FuzzedDataProvider& data) {
    const Sides sides(data, 60);
    const std::size_t count = sides.pairs.size();
    const TreeRows first = Sides::rows(sides.first);
    const TreeRows second = Sides::rows(sides.second);
    std::vector<std::int64_t> one(count * kEditColumns), other(one), flat(one), flat_again(one);
    edit_distances(first, second, sides.compared(), sides.links.rows(), 1, one.data());
    edit_distances(second, first, sides.compared(), sides.turned.rows(), kSeveral, other.data());
    law(one == other, "distances do not depend on the side, nor on threads");
    flat_edit_distances(sides.first_lengths.data(), sides.second_lengths.data(), sides.links.rows(), 1, flat.data());
    flat_edit_distances(sides.first_lengths.data(), sides.second_lengths.data(), sides.links.rows(), kSeveral,
                        flat_again.data());
    law(flat == flat_again, "threads do not change distances of flat sentences");
    for (std::size_t k = 0; k < count; ++k) {
        const std::int64_t* row = one.data() + k * kEditColumns;
        const std::int64_t words = sides.first_lengths[k] + sides.second_lengths[k];
        for (int column = 0; column < kEditColumns; ++column) {
            law(row[column] >= 0 && row[column] <= 2 * words, "a distance counts operations");
        }
        law(row[1] <= row[0], "a link makes no mapping dearer");
        law(row[0] >= std::abs(sides.first_lengths[k] - sides.second_lengths[k]),
            "words that are too many are deleted");
    }
    if (count > 0) {
        const LinkRows own{sides.links.pairs.data(), sides.links.offsets.data(), 1};
        const auto n = static_cast<std::int32_t>(sides.first_lengths[0]);
        const auto m = static_cast<std::int32_t>(sides.second_lengths[0]);
        const auto mapping = edit_mapping(first.begin(0), n, second.begin(0), m, own, EditModel::kLinked);
        std::int64_t cost = n + m - 2 * static_cast<std::int64_t>(mapping.size());
        for (const auto& [a, b] : mapping) {
            law(a >= 0 && a < n && b >= 0 && b < m, "a mapping joins words");
            bool linked = false;
            for (std::int64_t k = own.offsets[0]; k < own.offsets[1]; ++k) {
                linked |= own.pairs[2 * k] == a && own.pairs[2 * k + 1] == b;
            }
            cost += linked ? 0 : 1;
        }
        law(cost == one[1], "the mapping costs what the distance says");
    }
}

void derp(FuzzedDataProvider& data) {
    const Sides sides(data, 60);
    const std::size_t count = sides.pairs.size();
    std::vector<std::int32_t> first_labels(sides.first.values.size()), second_labels(sides.second.values.size());
    for (std::int32_t& label : first_labels) {
        label = data.ConsumeIntegralInRange<std::int32_t>(0, 3);
    }
    for (std::int32_t& label : second_labels) {
        label = data.ConsumeIntegralInRange<std::int32_t>(0, 3);
    }
    const LabelledTrees first{Sides::rows(sides.first), first_labels.data()};
    const LabelledTrees second{Sides::rows(sides.second), second_labels.data()};
    const auto kind = data.ConsumeBool() ? PathKind::kLabels : PathKind::kStructure;
    std::vector<std::int64_t> rows(count * kPathColumns), again(rows), reference(rows), flat(rows);
    path_disparities(first, second, sides.compared(), sides.links.rows(), kind, 1, rows.data());
    path_disparities(first, second, sides.compared(), sides.links.rows(), kind, kSeveral, again.data());
    law(rows == again, "threads do not change disparities");
    reference_disparities(second.trees, sides.pairs.data(), sides.pairs.data(), static_cast<std::int64_t>(count),
                          sides.links.rows(), 1, reference.data());
    flat_path_disparities(sides.links.rows(), 1, flat.data());
    for (std::size_t k = 0; k < rows.size(); k += 2) {
        law(0 <= rows[k] && rows[k] <= rows[k + 1], "no path differs by more than its most");
        law(0 <= flat[k] && flat[k] <= flat[k + 1], "no flat path differs by more than its most");
        law(0 <= reference[k] && reference[k] <= reference[k + 1], "no reference path differs by more than its most");
    }
    if (count > 0 && sides.links.offsets[1] > 0) {
        const LinkRows own{sides.links.pairs.data(), sides.links.offsets.data(), 1};
        std::int64_t cost = 0, most = 0;
        for (const PathEdge& edge : path_edges(first, second, own, kind)) {
            cost += edge.cost;
            most += edge.most;
        }
        law(cost == rows[0] && most == rows[1], "edges add up to the disparity");
    }
}

void tree_order(FuzzedDataProvider& data) {
    Rows<std::int32_t> heads;
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        heads.add(tree(data, sentence_length(data, 130)));
    }
    const bool any = !heads.values.empty() && data.ConsumeBool();
    if (any) {  // any head inside the sentence: cycles are told
        const auto tree = data.ConsumeIntegralInRange<std::size_t>(0, count - 1);
        const std::int64_t begin = heads.offsets[tree], end = heads.offsets[tree + 1];
        if (begin < end) {
            heads.values[static_cast<std::size_t>(data.ConsumeIntegralInRange<std::int64_t>(begin, end - 1))] =
                data.ConsumeIntegralInRange<std::int32_t>(-1, static_cast<std::int32_t>(end - begin) - 1);
        }
    }
    std::vector<std::int32_t> child(heads.values.size()), head(child), order(child);
    std::vector<std::uint8_t> backward(child.size());
    for (std::size_t k = 0; k < child.size(); ++k) {
        child[k] = data.ConsumeIntegralInRange<std::int32_t>(-2, 4);
        head[k] = data.ConsumeIntegralInRange<std::int32_t>(-2, 4);
        backward[k] = data.ConsumeBool() ? 1 : 0;
    }
    const Batch batch{heads.values.data(), heads.offsets.data(), heads.rows()};
    const int jobs = data.ConsumeBool() ? 1 : kSeveral;
    TreeCheck check;
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        const bool found = check.is_forest(batch.begin(s), batch.length(s));
        law(found == is_tree(batch.begin(s), static_cast<std::size_t>(batch.length(s)), false), "what is no tree is told");
        if (!found) {
            return;
        }
    }
    order_trees(batch, {child.data(), backward.data(), head.data()}, jobs, order.data());
    for (std::int64_t s = 0; s < batch.segments; ++s) {
        std::vector<std::int32_t> own(order.begin() + batch.offsets[s], order.begin() + batch.offsets[s + 1]);
        std::sort(own.begin(), own.end());
        for (std::size_t k = 0; k < own.size(); ++k) {
            law(own[k] == static_cast<std::int32_t>(k), "an order holds every word once");
        }
    }
}

void best_tree(FuzzedDataProvider& data) {
    const auto words = data.ConsumeIntegralInRange<std::int32_t>(0, 24);
    static constexpr double kOdd[] = {0.0, -0.0, 1.0, -1.0, 1e308, -1e308, 5e-324,
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity()};
    std::vector<double> scores(static_cast<std::size_t>(words) * static_cast<std::size_t>(words + 1));
    for (double& score : scores) {
        score = data.ConsumeBool() ? data.PickValueInArray(kOdd)
                                   : static_cast<double>(data.ConsumeIntegralInRange<int>(-9, 9));
    }
    std::vector<std::int32_t> heads(static_cast<std::size_t>(words));
    spanning_tree(scores.data(), words, heads.data());
    law(is_tree(heads.data(), heads.size(), true), "the best tree is a tree with one root");
}

const Register kTreeEdit("tree-edit", tree_edit);
const Register kDerp("derp", derp);
const Register kTreeOrder("tree-order", tree_order);
const Register kSpanningTree("spanning-tree", best_tree);

}  // namespace
}  // namespace kilter::fuzz
