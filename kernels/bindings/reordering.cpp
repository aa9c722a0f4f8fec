// Orders of words: from trees, and against reference orders.
#include "bindings/checked.hpp"

#include "reordering_score.hpp"
#include "tree_order.hpp"

namespace kilter {
namespace {

// Segments of groups, each smaller than the number of words of its segment.
class Groups {
public:
    Groups(const Ints& groups, const Longs& offsets)
        : texts_(groups, offsets, 0, std::numeric_limits<std::int32_t>::max(), "groups") {
        if (!are_groups(texts_.batch())) {
            refuse("groups lie between 0 and the number of words of their segment");
        }
    }
    Batch batch() const { return texts_.batch(); }
    std::size_t rows() const { return texts_.rows(); }
    std::size_t size() const { return texts_.size(); }

private:
    Texts texts_;
};

TiedSpans as_ties(bool local) { return local ? TiedSpans::kLocal : TiedSpans::kBest; }

auto reordering_counts(const Ints& groups, const Longs& offsets, bool local, bool ends, Int jobs) {
    auto [rows, counts] = unlocked([&] {
        const Groups given(groups, offsets);
        Output<std::int64_t> found(given.rows() * kReorderingColumns);
        score_reorderings(given.batch(), as_ties(local), ends, jobs, found.data(), nullptr, nullptr);
        return std::make_pair(given.rows(), std::move(found));
    });
    return std::move(counts).to_array({rows, std::size_t{kReorderingColumns}});
}

auto reordering_words(const Ints& groups, const Longs& offsets, bool local, Int jobs) {
    auto [starts, discordant] = unlocked([&] {
        const Groups given(groups, offsets);
        Output<std::int64_t> counts(given.rows() * kReorderingColumns);
        Output<std::uint8_t> begins(given.size());
        Output<std::int32_t> pairs(given.size());
        score_reorderings(given.batch(), as_ties(local), false, jobs, counts.data(), begins.data(), pairs.data());
        return std::make_pair(std::move(begins), std::move(pairs));
    });
    return std::make_tuple(std::move(starts).to_array({groups.size()}),
                           std::move(discordant).to_array({groups.size()}));
}

auto tree_orders(const Ints& heads, const Longs& offsets, const Ints& child_slots, const Vector<std::uint8_t>& backward,
                 const Ints& head_slots, Int jobs) {
    Output<std::int32_t> order = unlocked([&] {
        const Trees trees(heads, offsets, Trees::Roots::kAny);
        if (child_slots.size() != heads.size() || backward.size() != heads.size() ||
            head_slots.size() != heads.size()) {
            refuse("each word has its slots");
        }
        const Copy<std::int32_t> children(child_slots);
        const Copy<std::uint8_t> turned(backward);
        const Copy<std::int32_t> own(head_slots);
        Output<std::int32_t> found(heads.size());
        order_trees(trees.batch(), {children.data(), turned.data(), own.data()}, jobs, found.data());
        return found;
    });
    return std::move(order).to_array({heads.size()});
}

}  // namespace

void add_reordering(nb::module_& module) {
    module.def("reordering_counts", &reordering_counts, "groups"_a, "offsets"_a, "local"_a, "ends"_a, "jobs"_a,
               "Return joined neighbours and pairs in the wrong order of each segment, one column each.");
    module.def("reordering_words", &reordering_words, "groups"_a, "offsets"_a, "local"_a, "jobs"_a,
               "Return for each word whether it begins a chunk, and its number of wrong pairs.");
    module.def("tree_orders", &tree_orders, "heads"_a, "offsets"_a, "child_slots"_a, "backward"_a, "head_slots"_a,
               "jobs"_a, "Return the words of each tree in the order of the slots of children and heads.");
}

}  // namespace kilter
