// The heavy path of a subtree, against all forests of a subtree of the other tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "edit_rows.hpp"
#include "edit_savings.hpp"
#include "row_stack.hpp"

namespace kilter {

template <class Cost>
class HeavyFollower {
public:
    explicit HeavyFollower(SavedTable<Cost>& table) : table_(table) {}

    // The heavy path of a subtree of tree `own` against all forests of a subtree of the other. From the
    // leaf of the path upwards, words beside it are added on one side, those on the other, then the root.
    void follow(std::size_t own, std::int32_t node, std::int32_t other) {
        const EditTree& tree = *table_.trees[own];
        std::vector<std::int32_t> path{node};
        while (!tree.leaf(path.back())) {
            path.push_back(tree.next(EditPath::kHeavy, path.back()));
        }
        std::reverse(path.begin(), path.end());
        const auto beside = [&](std::size_t at, int side) {
            return tree.place(side, path[at]) - tree.place(side, path[at - 1]) - 1;
        };
        int side = 0;
        for (std::size_t at = 1; at < path.size(); ++at) {
            if (beside(at, 0) + beside(at, 1) > 0) {
                side = beside(at, 0) > 0 ? 0 : 1;
                break;
            }
        }
        steps_.clear();
        batches_.assign(1, {side, 0, 0});
        for (std::size_t at = 0; at < path.size(); ++at) {
            for (int turn = 0; turn < 2 && at > 0; ++turn) {
                // The side that was last comes first, so that it need not be changed.
                const int which = turn == 0 ? side : 1 - side;
                if (beside(at, which) == 0) {
                    continue;
                }
                if (which != batches_.back().side) {
                    batches_.back().end = steps_.size();
                    batches_.push_back({which, steps_.size(), 0});
                }
                for (std::int32_t place = tree.place(which, path[at - 1]) + 1;
                     place < tree.place(which, path[at]); ++place) {
                    steps_.push_back({place, false});
                }
            }
            side = batches_.back().side;
            steps_.push_back({tree.place(side, path[at]), true});
        }
        batches_.back().end = steps_.size();
        const auto words = static_cast<std::size_t>(table_.trees[1 - own]->words(other));
        if (forests_.size() < words * words) {
            forests_.resize(words * words);
        }
        for (int lane = 0; lane < ModelLanes<Cost>::kCount; ++lane) {
            for (std::size_t batch = 0; batch < batches_.size(); ++batch) {
                add_words(own, other, batches_[batch], lane, batch == 0, batch + 1 == batches_.size());
            }
        }
    }

private:
    using Scalar = typename ModelLanes<Cost>::Scalar;
    using Register = typename Wide<Scalar>::Register;
    static constexpr std::size_t kMostRowBytes = std::size_t{1} << 25;
    static constexpr int kMostRegisters = 256 / sizeof(Register);

    // A word that is added to the forests of the path's tree: beside what is there, or as root above it.
    struct Step {
        std::int32_t place;
        bool root;
    };
    // Steps that add words on one side, and roots.
    struct Batch {
        int side;
        std::size_t begin, end;
    };

    // How many rows a batch holds at a time.
    std::size_t depth(const Postorder& order, const Batch& batch) const {
        std::size_t waiting = 0;
        std::size_t most_waiting = 0;
        for (std::size_t at = batch.begin; at < batch.end; ++at) {
            if (!steps_[at].root) {
                const std::int32_t place = steps_[at].place;
                waiting += order.leftmost(place) == place ? 1 : 0;
                most_waiting = std::max(most_waiting, waiting);
                waiting -= order.leftmost(order.parent(place)) != order.leftmost(place) ? 1 : 0;
            }
        }
        return most_waiting + 3;
    }

    void add_words(std::size_t own, std::int32_t other_node, const Batch& batch, int lane, bool first,
                   bool last) {
        const EditTree& tree = *table_.trees[own];
        const EditTree& other = *table_.trees[1 - own];
        const int side = batch.side;
        const Postorder& order = tree.order(side);
        const std::int32_t words = other.words(other_node);
        const std::int32_t end = other.place(side, other_node);
        const std::int32_t begin = end - words + 1;
        const std::int32_t first_pre = other.preorder(side, end);
        slots_.registers = kMostRegisters;
        while (slots_.registers > 1 && depth(order, batch) * static_cast<std::size_t>(words + 1) * sizeof(Register) *
                                               static_cast<std::size_t>(slots_.registers) > kMostRowBytes) {
            slots_.registers /= 2;
        }
        const std::int32_t width = slots_.width();
        joined_.resize(static_cast<std::size_t>(width));
        found_.resize(static_cast<std::size_t>(words) + 1);
        for (std::int32_t block = (words - 1) / width * width; block >= 0; block -= width) {
            lay_out(other, side, begin, words, first_pre, block);
            const std::size_t size = static_cast<std::size_t>(slots_.count()) * static_cast<std::size_t>(slots_.registers);
            slot_rows_.start(size);
            if (!first) {
                load(side, words);
            }
            for (std::size_t at = batch.begin; at < batch.end; ++at) {
                table_.pace.work(std::int64_t{slots_.count()} * width / 8);
                const Step step = steps_[at];
                const std::int32_t node = tree.node(side, step.place);
                Scalar* const found = found_.data();
                for (std::int32_t s = 1; s < slots_.count(); ++s) {
                    found[s] = ModelLanes<Cost>::get(
                        table_.saved[table_.cell(own, node, other.node(side, begin + slots_.words[s]))], lane);
                }
                const Register* const above = slot_rows_.current();
                if (step.root) {
                    join_block(own, node, side, begin, first_pre, lane);
                    root_slot_row(slots_, above, above, joined_.data(), found, slot_rows_.fresh());
                    for (std::int32_t s = 1; s < slots_.count(); ++s) {
                        if (slots_.widths[s] <= width) {
                            ModelLanes<Cost>::set(
                                table_.saved[table_.cell(own, node, other.node(side, begin + slots_.words[s]))], lane,
                                found[s]);
                        }
                    }
                    slot_rows_.restart();
                    continue;
                }
                const bool leaf = order.leftmost(step.place) == step.place;
                const Register* const base = slot_rows_.before(leaf);
                slot_row(slots_, above, base, found, slot_rows_.fresh());
                slot_rows_.done(leaf, order.leftmost(order.parent(step.place)) != order.leftmost(step.place));
            }
            if (!last) {
                store(side, words);
            }
        }
    }

    // The slots of a block of places in the preorder.
    void lay_out(const EditTree& other, int side, std::int32_t begin, std::int32_t words,
                 std::int32_t first_pre, std::int32_t block) {
        slots_.begin = block;
        slots_.words.assign(1, -1);
        slots_.backs.assign(1, 0);
        slots_.widths.assign(1, 0);
        counts_.resize(static_cast<std::size_t>(words) + 1);
        for (std::int32_t b = 0; b < words; ++b) {
            counts_[b] = slots_.count() - 1;  // slots of words before this one
            const std::int32_t width = other.preorder(side, begin + b) - first_pre - block + 1;
            if (width > 0) {
                slots_.backs.push_back(counts_[other.order(side).leftmost(begin + b) - begin]);
                slots_.words.push_back(b);
                slots_.widths.push_back(width);
            }
        }
        counts_[words] = slots_.count() - 1;
    }

    // The table of all forests is laid out for side 0; on the other side, places count from the other end.
    std::size_t forest(int side, std::int32_t words, std::int32_t a, std::int32_t b) const {
        const auto size = static_cast<std::size_t>(words);
        return side == 0 ? static_cast<std::size_t>(b) * size + static_cast<std::size_t>(a)
                         : (size - 1 - static_cast<std::size_t>(a)) * size + size - 1 - static_cast<std::size_t>(b);
    }

    void load(int side, std::int32_t words) {
        const std::int32_t width = slots_.width();
        line_.resize(static_cast<std::size_t>(width));
        std::fill(line_.begin(), line_.end(), Scalar{});
        Register* const rows = slot_rows_.current();
        for (std::int32_t s = 1; s < slots_.count(); ++s) {
            const std::int32_t known = std::min(slots_.widths[s], width);  // the others stay as they are
            const Scalar* from = forests_.data() + forest(side, words, slots_.begin, slots_.words[s]);
            if (side == 0) {
                std::copy(from, from + known, line_.begin());
            } else {
                for (std::int32_t k = 0; k < known; ++k) {
                    line_[k] = *(from - static_cast<std::ptrdiff_t>(k) * words);
                }
            }
            std::memcpy(rows + static_cast<std::ptrdiff_t>(s) * slots_.registers, line_.data(),
                        static_cast<std::size_t>(width) * sizeof(Scalar));
        }
    }

    // Both sides read forests from this table: those that end with `b`, and those that begin with `a`.
    void store(int side, std::int32_t words) {
        const std::int32_t width = std::min(slots_.width(), words - slots_.begin);
        line_.resize(static_cast<std::size_t>(slots_.width()));
        std::int32_t least_end = words;
        for (std::int32_t s = 1; s < slots_.count(); ++s) {
            if (slots_.widths[s] <= slots_.width()) {
                least_end = std::min(least_end, slots_.words[s]);
            }
        }
        const Register* const rows = slot_rows_.current();
        for (std::int32_t b = 0; b < words; ++b) {
            const std::int32_t slot = counts_[b + 1];
            if (slot == counts_[b] && b < least_end) {
                continue;
            }
            std::memcpy(line_.data(), rows + static_cast<std::ptrdiff_t>(slot) * slots_.registers,
                        static_cast<std::size_t>(slots_.width()) * sizeof(Scalar));
            Scalar* to = forests_.data() + forest(side, words, slots_.begin, b);
            if (side == 0) {
                std::copy(line_.begin(), line_.begin() + width, to);
            } else {
                for (std::int32_t k = 0; k < width; ++k) {
                    *(to - static_cast<std::ptrdiff_t>(k) * words) = line_[k];
                }
            }
        }
    }

    // What joining a word of the path to the words of a block saves, by their places in the preorder.
    void join_block(std::size_t own, std::int32_t node, int side, std::int32_t begin, std::int32_t first_pre,
                    int lane) {
        const EditTree& other = *table_.trees[1 - own];
        const bool linked = table_.links.linked(own, node);
        const std::int32_t width = slots_.width();
        for (std::int32_t s = 1; s < slots_.count(); ++s) {
            if (slots_.widths[s] <= width) {
                const std::int32_t at = other.node(side, begin + slots_.words[s]);
                joined_[slots_.widths[s] - 1] =
                    ModelLanes<Cost>::get(table_.join(linked, table_.links.linked(1 - own, at)), lane);
            }
        }
        for (const std::int32_t* partner = table_.links.begin(own, node); partner != table_.links.end(own, node); ++partner) {
            const std::int32_t at =
                other.preorder(side, other.place(side, *partner)) - first_pre - slots_.begin;
            if (at >= 0 && at < width) {
                joined_[at] = ModelLanes<Cost>::get(table_.savings->partners, lane);
            }
        }
    }

    SavedTable<Cost>& table_;
    std::vector<Step> steps_;
    std::vector<Batch> batches_;
    WorkVector<Scalar> forests_;  // by all forests of the subtree beside a heavy path
    WorkVector<Scalar> joined_, found_, line_;
    PlainVector<std::int32_t> counts_;
    Slots<Scalar> slots_;
    RowStack<Register> slot_rows_;
};

}  // namespace kilter
