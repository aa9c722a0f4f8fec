// The one-to-one matcher.
#include "bindings/checked.hpp"

#include <algorithm>
#include <limits>

#include "match.hpp"

namespace kilter {
namespace {

// Links of earlier stages: inside their sentences, each word in one at most.
void check_one_to_one(const Links& links, const Batch& first, const Batch& second) {
    if (links.segments() != first.segments) {
        refuse("links are of " + std::to_string(links.segments()) + " segments, the texts of " +
               std::to_string(first.segments));
    }
    const LinkRows rows = links.rows();
    std::vector<std::int64_t> last_use;  // of a column: the segment that linked it, plus 1
    for (std::int64_t s = 0; s < first.segments; ++s) {
        links.check_inside(s, first.length(s), second.length(s));
        for (std::int64_t k = rows.offsets[s]; k < rows.offsets[s + 1]; ++k) {
            const auto column = static_cast<std::size_t>(rows.pairs[2 * k + 1]);
            if (column >= last_use.size()) {
                last_use.resize(column + 1, 0);
            }
            if ((k > rows.offsets[s] && rows.pairs[2 * k] == rows.pairs[2 * k - 2]) ||
                std::exchange(last_use[column], s + 1) == s + 1) {
                refuse("a word of segment " + std::to_string(s) +
                       " has several links; each word has one at most");
            }
        }
    }
}

// What words match by: one key each, a negative one for none, or sorted lists of them.
class Keys {
public:
    Keys(const Longs& offsets, const Ints& keys) : keys_(keys) {
        constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max() - 1;
        if (offsets.size() > 0) {
            offsets_ = std::make_unique<Offsets>(offsets, keys.size(), "key_offsets");
            keys_.check_within(0, most, "keys");
            for (std::int64_t word = 0; word < words(); ++word) {
                const std::int32_t* begin = keys_.data() + (*offsets_)[word];
                const std::int32_t* end = keys_.data() + (*offsets_)[word + 1];
                if (std::adjacent_find(begin, end, std::greater_equal<>()) != end) {
                    refuse("the keys of word " + std::to_string(word) + " are not sorted and distinct");
                }
            }
        } else {
            keys_.check_within(std::numeric_limits<std::int32_t>::min(), most, "keys");
        }
        for (const std::int32_t key : keys_) {
            last_ = std::max(last_, key);
        }
        // Tables are as long as the largest key.
        if (last_ > 1 << 28) {
            refuse("a key is " + std::to_string(last_) + "; keys are at most 268435456");
        }
    }
    std::int64_t words() const {
        return offsets_ ? offsets_->segments() : static_cast<std::int64_t>(keys_.size());
    }
    MatchKeys keys() const { return {offsets_ ? offsets_->data() : nullptr, keys_.data(), last_ + 1}; }

private:
    Copy<std::int32_t> keys_;
    std::unique_ptr<Offsets> offsets_;
    std::int32_t last_ = -1;
};

auto match(const Ints& first, const Longs& first_offsets, const Ints& second,
           const Longs& second_offsets, const Pairs& links, const Longs& link_offsets,
           const Longs& key_offsets, const Ints& keys, bool crossings, Long bound, Long trials,
           Int jobs) {
    if (bound < 0 || trials < 0) {
        refuse("bound and trials count from 0");
    }
    const MatchOptions options{crossings ? MatchRule::kCrossings : MatchRule::kChunks, bound, trials,
                               jobs};
    MatchLinks result = unlocked([&] {
        const Keys words(key_offsets, keys);
        const Texts one(first, first_offsets, 0, words.words() - 1, "first");
        const Texts other(second, second_offsets, 0, words.words() - 1, "second");
        if (one.segments() != other.segments()) {
            refuse("both texts hold equally many segments");
        }
        const Links earlier(links, link_offsets, "links");
        check_one_to_one(earlier, one.batch(), other.batch());
        const LinkRows rows = earlier.rows();
        return match_batch(one.batch(), other.batch(), {rows.pairs, rows.offsets}, words.keys(), options);
    });
    return std::make_tuple(to_array(std::move(result.links), 2), to_array(std::move(result.offsets)),
                           to_array(std::move(result.bounded)));
}

}  // namespace

void add_match(nb::module_& module) {
    module.def("match", &match, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "links"_a, "link_offsets"_a, "key_offsets"_a, "keys"_a, "crossings"_a, "bound"_a,
               "trials"_a, "jobs"_a,
               "Return the links of a stage with those before it, their offsets, and which segments hit "
               "the search bound.");
}

}  // namespace kilter
