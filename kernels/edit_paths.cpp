#include "edit_paths.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "edit_rows.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

// All models as lanes, or a single one.
template <class Cost>
struct Lanes {
    using Scalar = Cost;
    static constexpr int kCount = 1;
    static Scalar get(const Cost& value, int) { return value; }
    static void set(Cost& value, int, Scalar lane) { value = lane; }
};
template <>
struct Lanes<EditLanes> {
    using Scalar = std::int32_t;
    static constexpr int kCount = kEditModels;
    static Scalar get(const EditLanes& value, int lane) { return value[lane]; }
    static void set(EditLanes& value, int lane, Scalar number) { value[lane] = number; }
};

// Rows of forests that are still looked back to: the one before each subtree that is not complete.
template <class Value>
class RowStack {
public:
    // All rows are `size` long; the current row is all zeros.
    void start(std::size_t size) {
        size_ = size;
        free_.clear();
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            free_.push_back(static_cast<std::int32_t>(row));
        }
        waiting_.clear();
        current_ = take();
        std::fill(row(current_), row(current_) + size_, Value{});
    }
    Value* current() { return row(current_); }

    // The row before the subtree of a word: a leaf begins one.
    const Value* before(bool leaf) {
        if (leaf) {
            waiting_.push_back(current_);
        }
        return row(waiting_.back());
    }
    // A row to fill with what ends at that word.
    Value* fresh() { return row(next_ = take()); }
    // The word is done; `last`: no later subtree begins where its does.
    void done(bool leaf, bool last) {
        if (!leaf) {
            free_.push_back(current_);
        }
        current_ = next_;
        if (last) {
            free_.push_back(waiting_.back());
            waiting_.pop_back();
        }
    }
    // The current row was overwritten by a fresh one, and no row before it is needed.
    void restart() {
        free_.push_back(current_);
        current_ = next_;
    }

private:
    Value* row(std::int32_t at) { return rows_[static_cast<std::size_t>(at)].data(); }
    std::int32_t take() {
        if (free_.empty()) {
            free_.push_back(static_cast<std::int32_t>(rows_.size()));
            rows_.emplace_back();
        }
        const std::int32_t taken = free_.back();
        free_.pop_back();
        if (rows_[static_cast<std::size_t>(taken)].size() < size_) {
            rows_[static_cast<std::size_t>(taken)].resize(size_);
        }
        return taken;
    }

    std::size_t size_ = 0;
    std::vector<LineVector<Value>> rows_;
    std::vector<std::int32_t> free_, waiting_;
    std::int32_t current_ = 0, next_ = 0;
};

// Linked words of both trees as nodes.
class NodeLinks {
public:
    NodeLinks(const LinkRows& links, std::int64_t segment, const EditTree& first, const EditTree& second) {
        const std::array<const EditTree*, 2> trees{&first, &second};
        const std::int64_t begin = links.offsets[segment];
        const std::int64_t end = links.offsets[segment + 1];
        for (std::size_t side = 0; side < 2; ++side) {
            const auto node = [&](std::int64_t link, std::size_t end_of) {
                return trees[end_of]->order(0).place(links.pairs[2 * link + static_cast<std::int64_t>(end_of)]);
            };
            PlainVector<std::int64_t>& begins = begins_[side];
            begins.assign(static_cast<std::size_t>(trees[side]->size()) + 2, 0);
            for (std::int64_t link = begin; link < end; ++link) {
                ++begins[node(link, side) + 2];
            }
            for (std::size_t at = 2; at < begins.size(); ++at) {
                begins[at] += begins[at - 1];
            }
            partners_[side].resize(static_cast<std::size_t>(end - begin));
            for (std::int64_t link = begin; link < end; ++link) {
                partners_[side][begins[node(link, side) + 1]++] = node(link, 1 - side);
            }
        }
    }
    const std::int32_t* begin(std::size_t side, std::int32_t node) const {
        return partners_[side].data() + begins_[side][node];
    }
    const std::int32_t* end(std::size_t side, std::int32_t node) const {
        return partners_[side].data() + begins_[side][node + 1];
    }
    bool linked(std::size_t side, std::int32_t node) const {
        return begins_[side][node] != begins_[side][node + 1];
    }

private:
    std::array<PlainVector<std::int64_t>, 2> begins_;
    std::array<PlainVector<std::int32_t>, 2> partners_;
};

// What joining two words saves.
template <class Cost>
struct Savings {
    explicit Savings(const CostTable<Cost>& costs)
        : linked(costs[kOneLinked] + costs[kOneLinked] - costs[kMismatch]),
          other(costs[kUnlinked]),  // the word without link is deleted or inserted at that price
          partners(costs[kOneLinked] + costs[kOneLinked] - costs[kPartners]) {}
    Cost linked, other, partners;
};

template <class Cost>
class Follower {
public:
    using Scalar = typename Lanes<Cost>::Scalar;
    using Register = typename Wide<Scalar>::Register;

    Follower(const EditTree& first, const EditTree& second, const EditStrategy& strategy,
             const NodeLinks& links)
        : trees_{&first, &second},
          strategy_(strategy),
          links_(links),
          stride_(static_cast<std::size_t>(second.size()) + 1),
          saved_(static_cast<std::size_t>(first.size()) * stride_) {}

    Cost run(const CostTable<Cost>& costs) {
        const Savings<Cost> savings(costs);
        savings_ = &savings;
        compare_leaves();
        struct Pair {
            std::int32_t first, second;
            bool ready;
        };
        const EditTree& a = *trees_[0];
        const EditTree& b = *trees_[1];
        std::vector<Pair> waiting;
        if (!a.leaf(a.size() - 1) && !b.leaf(b.size() - 1)) {
            waiting.push_back({a.size() - 1, b.size() - 1, false});
        }
        while (!waiting.empty()) {
            const Pair pair = waiting.back();
            const PathChoice choice = strategy_.choice(pair.first, pair.second);
            if (pair.ready) {
                waiting.pop_back();
                follow(choice, pair.first, pair.second);
                continue;
            }
            waiting.back().ready = true;
            const EditTree& tree = *trees_[choice.second ? 1 : 0];
            std::int32_t node = choice.second ? pair.second : pair.first;
            while (!tree.leaf(node)) {
                const std::int32_t next = tree.next(choice.path, node);
                tree.for_each_child(node, [&](std::int32_t child) {
                    if (child != next && !tree.leaf(child)) {
                        waiting.push_back(choice.second ? Pair{pair.first, child, false}
                                                        : Pair{child, pair.second, false});
                    }
                });
                node = next;
            }
        }
        return everything(costs) - saved_[cell(a.size() - 1, b.size() - 1)];
    }

private:
    static constexpr std::size_t kEnoughColumns = 2048;
    static constexpr std::size_t kMostRowBytes = std::size_t{1} << 25;
    static constexpr int kMostRegisters = 256 / sizeof(Register);

    std::size_t cell(std::int32_t first, std::int32_t second) const {
        return static_cast<std::size_t>(first) * stride_ + static_cast<std::size_t>(second);
    }
    // The cell of a node of tree `own` and one of the other.
    std::size_t cell(std::size_t own, std::int32_t node, std::int32_t other) const {
        return own == 0 ? cell(node, other) : cell(other, node);
    }
    Cost join(bool one, bool other) const { return one && other ? savings_->linked : savings_->other; }

    // What it costs to delete the first tree and to insert the second.
    Cost everything(const CostTable<Cost>& costs) const {
        Cost sum = Cost{};
        for (std::size_t own = 0; own < 2; ++own) {
            for (std::int32_t node = 0; node < trees_[own]->size(); ++node) {
                sum = sum + costs[links_.linked(own, node) ? kOneLinked : kUnlinked];
            }
        }
        return sum;
    }

    // What joining a node of tree `own` to nodes of the other saves: places low to high of a side.
    void join_row(std::size_t own, std::int32_t node, int side, std::int32_t low, std::int32_t high,
                  Cost* row) const {
        const EditTree& other = *trees_[1 - own];
        const bool linked = links_.linked(own, node);
        for (std::int32_t place = low; place <= high; ++place) {
            row[place - low] = join(linked, links_.linked(1 - own, other.node(side, place)));
        }
        for (const std::int32_t* partner = links_.begin(own, node); partner != links_.end(own, node); ++partner) {
            const std::int32_t place = other.place(side, *partner);
            if (place >= low && place <= high) {
                row[place - low] = savings_->partners;
            }
        }
    }

    // A leaf is joined to one word of a subtree, the one that saves most.
    void compare_leaves() {
        const EditTree& a = *trees_[0];
        const EditTree& b = *trees_[1];
        std::fill(saved_.begin(), saved_.end(), Cost{});
        joins_.resize(stride_);
        std::vector<std::int32_t> leaves;
        for (std::int32_t j = 0; j < b.size(); ++j) {
            if (b.leaf(j)) {
                leaves.push_back(j);
            }
        }
        for (std::int32_t i = 0; i < a.size(); ++i) {
            pace_.work(4 * std::int64_t{b.size()});
            join_row(0, i, 0, 0, b.size() - 1, joins_.data());
            Cost* const row = saved_.data() + cell(i, 0);
            if (a.leaf(i)) {
                for (std::int32_t j = 0; j < b.size(); ++j) {
                    row[j] = most(row[j], joins_[j]);
                    if (b.parent(j) >= 0) {
                        row[b.parent(j)] = most(row[b.parent(j)], row[j]);
                    }
                }
            }
            for (const std::int32_t j : leaves) {
                row[j] = most(row[j], joins_[j]);
                if (a.parent(i) >= 0) {
                    Cost& above = saved_[cell(a.parent(i), j)];
                    above = most(above, row[j]);
                }
            }
        }
    }

    void follow(PathChoice choice, std::int32_t first, std::int32_t second) {
        const std::size_t own = choice.second ? 1 : 0;
        const std::int32_t node = choice.second ? second : first;
        const std::int32_t other = choice.second ? first : second;
        if (choice.path == EditPath::kHeavy) {
            follow_heavy(own, node, other);
        } else {
            follow_side(own, choice.path == EditPath::kLeft ? 0 : 1, node, other);
        }
    }

    // The first or last path of a subtree of tree `own` against a subtree of the other: Zhang and Shasha's
    // recurrence, some keyroots of the other subtree at a time.
    void follow_side(std::size_t own, int side, std::int32_t node, std::int32_t other) {
        const EditTree& tree = *trees_[1 - own];
        const Postorder& order = tree.order(side);
        const std::int32_t end = tree.place(side, other);
        const PlainVector<std::int32_t>& keyroots = order.inner_keyroots();
        columns_.clear(order.leftmost(end));
        for (auto at = std::lower_bound(keyroots.begin(), keyroots.end(), order.leftmost(end));
             at != keyroots.end() && *at < end; ++at) {
            add_columns(order, *at);
            if (columns_.count() >= kEnoughColumns) {
                compare_columns(own, side, node);
                columns_.clear(*at + 1);
            }
        }
        add_columns(order, end);
        compare_columns(own, side, node);
    }

    // All forests that begin where the subtree of a keyroot does, the empty one first.
    void add_columns(const Postorder& order, std::int32_t keyroot) {
        const std::int32_t begin = order.leftmost(keyroot);
        if (columns_.count() == 0) {
            columns_.low = begin;
        } else if (begin < columns_.low) {
            for (std::int32_t& place : columns_.places) {
                place += columns_.low - begin;
            }
            columns_.low = begin;
        }
        columns_.high = keyroot;
        const auto empty = static_cast<std::int32_t>(columns_.count());
        columns_.places.push_back(order.size() - columns_.low);  // past all words: nothing is saved there
        columns_.backs.push_back(empty);
        columns_.keep.push_back(Cost{});
        columns_.spine.push_back(Cost{});
        for (std::int32_t place = begin; place <= keyroot; ++place) {
            columns_.places.push_back(place - columns_.low);
            columns_.backs.push_back(empty + order.leftmost(place) - begin);
            columns_.keep.push_back(~Cost{});
            columns_.spine.push_back(order.leftmost(place) == begin ? ~Cost{} : Cost{});
        }
    }

    void compare_columns(std::size_t own, int side, std::int32_t node) {
        const EditTree& tree = *trees_[own];
        const EditTree& other = *trees_[1 - own];
        const Postorder& order = tree.order(side);
        const std::int32_t end = tree.place(side, node);
        const std::int32_t begin = order.leftmost(end);
        const std::int32_t low = columns_.low;
        const std::int32_t words = columns_.high - low + 1;
        const bool direct = own == 0 && side == 0;
        joins_.resize(static_cast<std::size_t>(other.size() - low) + 1);
        joins_[other.size() - low] = Cost{};
        known_.resize(joins_.size());
        known_[other.size() - low] = Cost{};
        side_rows_.start(columns_.count());
        for (std::int32_t place = begin; place <= end; ++place) {
            pace_.work(static_cast<std::int64_t>(columns_.count()) + words);
            const std::int32_t at = tree.node(side, place);
            const bool leaf = order.leftmost(place) == place;
            const bool path = order.leftmost(place) == begin;
            Cost* known = known_.data();
            if (direct) {
                known = saved_.data() + cell(at, low);
            } else {
                for (std::int32_t k = 0; k < words; ++k) {
                    known[k] = saved_[cell(own, at, other.node(side, low + k))];
                }
            }
            const Cost* const above = side_rows_.current();
            const Cost* const base = side_rows_.before(leaf);
            Cost* const row = side_rows_.fresh();
            if (path) {
                join_row(own, at, side, low, columns_.high, joins_.data());
                side_path_row(columns_, above, joins_.data(), known, row);
                if (!direct) {
                    for (std::int32_t k = 0; k < words; ++k) {
                        saved_[cell(own, at, other.node(side, low + k))] = known[k];
                    }
                }
            } else {
                side_row(columns_, above, base, known, row);
            }
            const std::int32_t parent = order.parent(place);
            side_rows_.done(leaf, place == end || order.leftmost(parent) != order.leftmost(place));
        }
    }

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

    // The heavy path of a subtree of tree `own` against all forests of a subtree of the other. From the
    // leaf of the path upwards, words beside it are added on one side, those on the other, then the root.
    void follow_heavy(std::size_t own, std::int32_t node, std::int32_t other) {
        const EditTree& tree = *trees_[own];
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
        const auto words = static_cast<std::size_t>(trees_[1 - own]->words(other));
        if (forests_.size() < words * words) {
            forests_.resize(words * words);
        }
        for (int lane = 0; lane < Lanes<Cost>::kCount; ++lane) {
            for (std::size_t batch = 0; batch < batches_.size(); ++batch) {
                add_words(own, other, batches_[batch], lane, batch == 0, batch + 1 == batches_.size());
            }
        }
    }

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
        const EditTree& tree = *trees_[own];
        const EditTree& other = *trees_[1 - own];
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
                pace_.work(std::int64_t{slots_.count()} * width / 8);
                const Step step = steps_[at];
                const std::int32_t node = tree.node(side, step.place);
                Scalar* const found = found_.data();
                for (std::int32_t s = 1; s < slots_.count(); ++s) {
                    found[s] = Lanes<Cost>::get(
                        saved_[cell(own, node, other.node(side, begin + slots_.words[s]))], lane);
                }
                const Register* const above = slot_rows_.current();
                if (step.root) {
                    join_block(own, node, side, begin, first_pre, lane);
                    root_slot_row(slots_, above, above, joined_.data(), found, slot_rows_.fresh());
                    for (std::int32_t s = 1; s < slots_.count(); ++s) {
                        if (slots_.widths[s] <= width) {
                            Lanes<Cost>::set(
                                saved_[cell(own, node, other.node(side, begin + slots_.words[s]))], lane,
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
        const EditTree& other = *trees_[1 - own];
        const bool linked = links_.linked(own, node);
        const std::int32_t width = slots_.width();
        for (std::int32_t s = 1; s < slots_.count(); ++s) {
            if (slots_.widths[s] <= width) {
                const std::int32_t at = other.node(side, begin + slots_.words[s]);
                joined_[slots_.widths[s] - 1] =
                    Lanes<Cost>::get(join(linked, links_.linked(1 - own, at)), lane);
            }
        }
        for (const std::int32_t* partner = links_.begin(own, node); partner != links_.end(own, node); ++partner) {
            const std::int32_t at =
                other.preorder(side, other.place(side, *partner)) - first_pre - slots_.begin;
            if (at >= 0 && at < width) {
                joined_[at] = Lanes<Cost>::get(savings_->partners, lane);
            }
        }
    }

    std::array<const EditTree*, 2> trees_;
    const EditStrategy& strategy_;
    const NodeLinks& links_;
    const Savings<Cost>* savings_ = nullptr;
    std::size_t stride_;      // one more than words of the second tree: a pair of no words saves nothing
    WorkVector<Cost> saved_;  // by subtrees of both trees
    WorkVector<Cost> joins_, known_;
    Columns<Cost> columns_;
    RowStack<Cost> side_rows_;

    std::vector<Step> steps_;
    std::vector<Batch> batches_;
    WorkVector<Scalar> forests_;  // by all forests of the subtree beside a heavy path
    WorkVector<Scalar> joined_, found_, line_;
    PlainVector<std::int32_t> counts_;
    Slots<Scalar> slots_;
    RowStack<Register> slot_rows_;
    Pace pace_;
};

}  // namespace

double PathSolver::plan(const std::int32_t* first, std::int32_t first_size, const std::int32_t* second,
                        std::int32_t second_size, int only) {
    first_.build(first, first_size);
    second_.build(second, second_size);
    return strategy_.plan(first_, second_, only);
}

void PathSolver::run(const LinkRows& links, std::int64_t segment, std::int64_t* row) const {
    const NodeLinks nodes(links, segment, first_, second_);
    if (std::int64_t{first_.size()} + second_.size() < kNarrowWords) {
        const EditLanes found = Follower<EditLanes>(first_, second_, strategy_, nodes).run(lane_costs());
        write_edit_row({found[0], found[1], found[2], found[3]}, kNarrowShift, row);
        return;
    }
    Follower<std::int64_t> follower(first_, second_, strategy_, nodes);
    std::array<std::int64_t, kEditModels> found{};
    for (int model = 0; model < kEditModels; ++model) {
        found[static_cast<std::size_t>(model)] =
            follower.run(model_costs<std::int64_t>(static_cast<EditModel>(model), kWideShift));
    }
    write_edit_row(found, kWideShift, row);
}

}  // namespace kilter
