#include "tree_order.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

class TreeOrderer {
public:
    // Returns whether every word was reached.
    bool run(const std::int32_t* heads, std::size_t words, const TreeSlots& slots, std::int64_t at,
             std::int32_t* order) {
        begins_.assign(words + 1, 0);
        roots_.clear();
        for (std::size_t w = 0; w < words; ++w) {
            ++begins_[w + 1];  // itself
            if (heads[w] >= 0 && static_cast<std::size_t>(heads[w]) < words) {
                ++begins_[static_cast<std::size_t>(heads[w]) + 1];
            } else {
                roots_.push_back(static_cast<std::int32_t>(w));
            }
        }
        for (std::size_t w = 0; w < words; ++w) {
            begins_[w + 1] += begins_[w];
        }
        entries_.resize(begins_.empty() ? 0 : static_cast<std::size_t>(begins_[words]));
        next_.assign(begins_.begin(), begins_.end());
        for (std::size_t w = 0; w < words; ++w) {
            const auto place = static_cast<std::int32_t>(w);
            put(w, {slots.head[at + place], place, place});
            if (heads[w] >= 0 && static_cast<std::size_t>(heads[w]) < words) {
                put(static_cast<std::size_t>(heads[w]),
                    {slots.child[at + place], slots.backward[at + place] != 0 ? -place : place, place});
            }
        }
        return emit(words, order);
    }

private:
    struct Entry {
        std::int32_t slot, key, word;
        bool operator<(const Entry& other) const {
            return slot != other.slot ? slot < other.slot : key < other.key;
        }
    };

    void put(std::size_t head, const Entry& entry) {
        entries_[static_cast<std::size_t>(next_[head]++)] = entry;
    }

    bool emit(std::size_t words, std::int32_t* order) {
        for (std::size_t w = 0; w < words; ++w) {
            const auto begin = entries_.begin() + begins_[w];
            const auto end = entries_.begin() + begins_[w + 1];
            if (end - begin > 1 && !std::is_sorted(begin, end)) {
                std::sort(begin, end);
            }
            next_[w] = begins_[w];
        }
        std::size_t written = 0;
        for (const std::int32_t root : roots_) {
            open_.assign(1, root);
            while (!open_.empty()) {
                const auto word = static_cast<std::size_t>(open_.back());
                if (next_[word] == begins_[word + 1]) {
                    open_.pop_back();
                    continue;
                }
                const Entry& entry = entries_[static_cast<std::size_t>(next_[word]++)];
                if (static_cast<std::size_t>(entry.word) == word) {
                    order[written++] = entry.word;
                } else {
                    open_.push_back(entry.word);
                }
            }
        }
        return written == words;
    }

    WorkVector<std::int32_t> begins_, next_, roots_, open_;
    WorkVector<Entry> entries_;
};

}  // namespace

std::int64_t order_trees(const Batch& heads, const TreeSlots& slots, int jobs, std::int32_t* order) {
    std::atomic<std::int64_t> bad{heads.segments};
    for_each_block(heads.offsets, heads.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        TreeOrderer orderer;
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            const std::int64_t at = heads.offsets[s];
            const auto words = static_cast<std::size_t>(heads.offsets[s + 1] - at);
            pace.work(32 * (heads.length(s) + 1));
            if (!orderer.run(heads.values + at, words, slots, at, order + at)) {
                std::int64_t least = bad.load();
                while (s < least && !bad.compare_exchange_weak(least, s)) {
                }
            }
        }
    });
    return bad.load() == heads.segments ? -1 : bad.load();
}

}  // namespace kilter
