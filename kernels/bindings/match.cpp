// The one-to-one matcher.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <limits>

#include "match.hpp"

namespace kilter {
namespace {

// Two texts of equally many segments, with every word below a number of words.
std::pair<Batch, Batch> as_texts(const Vector<std::int32_t>& first,
                                 const Vector<std::int64_t>& first_offsets,
                                 const Vector<std::int32_t>& second,
                                 const Vector<std::int64_t>& second_offsets, std::int64_t words) {
    const Batch one = as_batch(first, first_offsets);
    const Batch other = as_batch(second, second_offsets);
    if (one.segments != other.segments) {
        throw nb::value_error("both texts hold equally many segments");
    }
    for (const Batch& batch : {one, other}) {
        if (!std::is_sorted(batch.offsets, batch.offsets + batch.segments + 1)) {
            throw nb::value_error("offsets never fall");
        }
        for (std::int64_t k = 0; k < batch.offsets[batch.segments]; ++k) {
            if (batch.values[k] < 0 || batch.values[k] >= words) {
                throw nb::value_error("a word number is outside the vocabulary");
            }
        }
    }
    return {one, other};
}

EarlierLinks as_links(const Matrix<std::int32_t>& links, const Vector<std::int64_t>& offsets,
                      const Batch& first, const Batch& second) {
    const auto count = static_cast<std::int64_t>(links.shape(0));
    if (links.shape(1) != 2 || static_cast<std::int64_t>(offsets.size()) != first.segments + 1 ||
        offsets.data()[0] != 0 || offsets.data()[first.segments] != count ||
        !std::is_sorted(offsets.data(), offsets.data() + offsets.size())) {
        throw nb::value_error("links are rows of two, with one offset per segment and the end");
    }
    const EarlierLinks result{links.data(), offsets.data()};
    std::vector<std::int64_t> last_use;  // of a column: the segment that linked it, plus 1
    for (std::int64_t s = 0; s < first.segments; ++s) {
        for (std::int64_t k = result.offsets[s]; k < result.offsets[s + 1]; ++k) {
            const std::int64_t row = result.links[2 * k];
            const std::int64_t col = result.links[2 * k + 1];
            if (row < 0 || row >= first.offsets[s + 1] - first.offsets[s] || col < 0 ||
                col >= second.offsets[s + 1] - second.offsets[s]) {
                throw nb::value_error("a link points outside its sentence pair");
            }
            if (k > result.offsets[s] && row <= result.links[2 * k - 2]) {
                throw nb::value_error("links are sorted, with each word in one link at most");
            }
            if (static_cast<std::size_t>(col) >= last_use.size()) {
                last_use.resize(static_cast<std::size_t>(col) + 1, 0);
            }
            if (std::exchange(last_use[static_cast<std::size_t>(col)], s + 1) == s + 1) {
                throw nb::value_error("links are sorted, with each word in one link at most");
            }
        }
    }
    return result;
}

// The flat pairs of a vector as rows of two, without a copy.
Array<std::int32_t> to_links(std::vector<std::int32_t>&& links) {
    using Links = std::vector<std::int32_t>;
    const std::size_t count = links.size() / 2;
    auto owned = std::make_unique<Links>(std::move(links));
    nb::capsule owner(owned.get(), [](void* p) noexcept { delete static_cast<Links*>(p); });
    return Array<std::int32_t>(owned.release()->data(), {count, 2}, owner);
}

auto match(const Vector<std::int32_t>& first, const Vector<std::int64_t>& first_offsets,
           const Vector<std::int32_t>& second, const Vector<std::int64_t>& second_offsets,
           const Matrix<std::int32_t>& links, const Vector<std::int64_t>& link_offsets,
           const Vector<std::int64_t>& key_offsets, const Vector<std::int32_t>& keys,
           bool crossings, std::int64_t bound, std::int64_t trials, int jobs) {
    // No key offsets: one key per word, and a negative one matches nothing.
    const bool single = key_offsets.size() == 0;
    const auto words = static_cast<std::int64_t>(single ? keys.size() : key_offsets.size() - 1);
    const auto [one, other] = as_texts(first, first_offsets, second, second_offsets, words);
    const EarlierLinks earlier = as_links(links, link_offsets, one, other);
    std::int32_t last = -1;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        last = std::max(last, keys.data()[k]);
        if (!single && keys.data()[k] < 0) {
            throw nb::value_error("keys are at least 0");
        }
    }
    if (last == std::numeric_limits<std::int32_t>::max() ||
        (!single && (key_offsets.data()[0] != 0 ||
                     key_offsets.data()[words] != static_cast<std::int64_t>(keys.size()) ||
                     !std::is_sorted(key_offsets.data(), key_offsets.data() + words + 1)))) {
        throw nb::value_error("key offsets rise from 0 to the number of keys");
    }
    for (std::int64_t word = 0; !single && word < words; ++word) {
        for (std::int64_t k = key_offsets.data()[word] + 1; k < key_offsets.data()[word + 1]; ++k) {
            if (keys.data()[k] <= keys.data()[k - 1]) {
                throw nb::value_error("the keys of a word are sorted and distinct");
            }
        }
    }
    MatchLinks result;
    {
        nb::gil_scoped_release release;
        const MatchKeys match_keys{single ? nullptr : key_offsets.data(), keys.data(), last + 1};
        const MatchOptions options{crossings ? MatchRule::kCrossings : MatchRule::kChunks, bound,
                                   trials, jobs};
        result = match_batch(one, other, earlier, match_keys, options);
    }
    return std::make_tuple(to_links(std::move(result.links)), to_array(std::move(result.offsets)),
                           to_array(std::move(result.bounded)));
}

}  // namespace

void add_match(nb::module_& module) {
    module.def("match", &match, "first"_a, "first_offsets"_a, "second"_a, "second_offsets"_a,
               "links"_a, "link_offsets"_a, "key_offsets"_a, "keys"_a, "crossings"_a, "bound"_a,
               "trials"_a, "jobs"_a);
}

}  // namespace kilter
