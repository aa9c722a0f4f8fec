#include "tree_order.hpp"

#include <algorithm>

#include "dependency_tree.hpp"
#include "threads.hpp"
#include "watch.hpp"
#include "work_vector.hpp"

namespace kilter {
namespace {

class TreeOrderer {
public:
    void run(const std::int32_t* heads, std::int32_t words, const TreeSlots& slots, std::int64_t at,
             std::int32_t* order) {
        KILTER_ASSERT(TreeCheck().is_forest(heads, words));
        begins_.assign(words + 1, 0);
        roots_.clear();
        for (std::int32_t word = 0; word < words; ++word) {
            ++begins_[word + 1];  // itself
            if (heads[word] >= 0) {
                ++begins_[heads[word] + 1];
            } else {
                roots_.push_back(word);
            }
        }
        for (std::int32_t word = 0; word < words; ++word) {
            begins_[word + 1] += begins_[word];
        }
        entries_.resize(begins_[words]);
        next_.assign(begins_.begin(), begins_.end());
        for (std::int32_t word = 0; word < words; ++word) {
            entries_[next_[word]++] = {slots.head[at + word], word, word};
            if (heads[word] >= 0) {
                entries_[next_[heads[word]]++] = {slots.child[at + word], slots.backward[at + word] != 0 ? -word : word,
                                                  word};
            }
        }
        emit(words, order);
    }

private:
    struct Entry {
        std::int32_t slot, key, word;
        bool operator<(const Entry& other) const {
            return slot != other.slot ? slot < other.slot : key < other.key;
        }
    };

    void emit(std::int32_t words, std::int32_t* order) {
        for (std::int32_t word = 0; word < words; ++word) {
            const auto begin = entries_.begin() + begins_[word];
            const auto end = entries_.begin() + begins_[word + 1];
            if (end - begin > 1 && !std::is_sorted(begin, end)) {
                std::sort(begin, end);
            }
            next_[word] = begins_[word];
        }
        for (const std::int32_t root : roots_) {
            open_.assign(1, root);
            while (!open_.empty()) {
                const std::int32_t word = open_.back();
                if (next_[word] == begins_[word + 1]) {
                    open_.pop_back();
                    continue;
                }
                const Entry& entry = entries_[next_[word]++];
                if (entry.word == word) {
                    *order++ = word;
                } else {
                    open_.push_back(entry.word);
                }
            }
        }
    }

    WorkVector<std::int32_t> begins_, next_, roots_, open_;
    WorkVector<Entry> entries_;
};

}  // namespace

void order_trees(const Batch& heads, const TreeSlots& slots, int jobs, std::int32_t* order) {
    for_each_block(heads.offsets, heads.segments, jobs, [&](std::int64_t begin, std::int64_t end) {
        TreeOrderer orderer;
        Pace pace;
        for (std::int64_t s = begin; s < end; ++s) {
            pace.work(32 * (heads.length(s) + 1));
            orderer.run(heads.begin(s), static_cast<std::int32_t>(heads.length(s)), slots, heads.offsets[s],
                        order + heads.offsets[s]);
        }
    });
}

}  // namespace kilter
