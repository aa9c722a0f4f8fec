// Links between words, and the orders they make.
#include "bindings/checked.hpp"

#include <algorithm>
#include <optional>

#include "link_pairs.hpp"
#include "link_reader.hpp"
#include "link_rule.hpp"

namespace kilter {
namespace {

// The one function that takes any positions and any lengths: it looks for those that do not fit.
std::int64_t link_outside(const Pairs& links, const Longs& offsets, const Longs& first_lengths,
                          const std::optional<Longs>& second_lengths) {
    return unlocked([&] {
        const Copy<std::int32_t> pairs(links);
        const Offsets borders(offsets, links.shape(0), "offsets");
        const Copy<std::int64_t> first(first_lengths);
        const auto second = second_lengths ? std::make_unique<Copy<std::int64_t>>(*second_lengths) : nullptr;
        const auto segments = static_cast<std::size_t>(borders.segments());
        if (first.size() != segments || (second && second->size() != segments)) {
            refuse("there is one length of each side per segment");
        }
        return find_outside({pairs.data(), borders.data(), borders.segments()}, first.data(),
                            second ? second->data() : nullptr);
    });
}

auto collected_links(const Longs& owners, const Pairs& links, Long segments) {
    if (segments < 0 || segments > kMostSegments) {
        refuse("segments is " + std::to_string(segments) + "; it lies between 0 and 268435456");
    }
    const std::size_t rows = static_cast<std::size_t>(segments) + 1;
    auto [kept, pairs, offsets] = unlocked([&] {
        const Copy<std::int64_t> owning(owners);
        const Copy<std::int32_t> given(links);
        if (given.size() != 2 * owning.size()) {
            refuse("there are " + std::to_string(owning.size()) + " owners of " + std::to_string(given.size() / 2) +
                   " links");
        }
        owning.check_within(0, segments - 1, "owners");
        given.check_within(0, std::numeric_limits<std::int32_t>::max(), "links");
        Output<std::int32_t> found(given.size());
        Output<std::int64_t> borders(rows);
        const std::int64_t count = collect_links(owning.data(), given.data(), static_cast<std::int64_t>(owning.size()),
                                                 segments, found.data(), borders.data());
        return std::make_tuple(static_cast<std::size_t>(count), std::move(found), std::move(borders));
    });
    return std::make_tuple(std::move(pairs).to_array({kept, std::size_t{2}}), std::move(offsets).to_array({rows}));
}

// Runs a kernel that fills two counts of each segment.
template <class Kernel>
auto count_rows(const Pairs& pairs, const Longs& offsets, Kernel kernel) {
    auto [rows, counts] = unlocked([&] {
        const Links links(pairs, offsets, "links");
        const auto size = static_cast<std::size_t>(links.segments());
        Output<std::int64_t> found(2 * size);
        kernel(links.rows(), found.data());
        return std::make_pair(size, std::move(found));
    });
    return std::move(counts).to_array({rows, std::size_t{2}});
}

auto linked_words(const Pairs& links, const Longs& offsets, Int jobs) {
    return count_rows(links, offsets,
                      [&](const LinkRows& rows, std::int64_t* counts) { count_linked_words(rows, jobs, counts); });
}

auto link_pairs(const Pairs& links, const Longs& offsets, bool sequences, Int jobs) {
    return count_rows(links, offsets, [&](const LinkRows& rows, std::int64_t* counts) {
        count_link_pairs(rows, sequences, jobs, counts);
    });
}

struct Reordered {
    std::size_t rows, kept;
    Output<std::int32_t> order, group, ranks;
    Output<std::int64_t> offsets;
};

Reordered reordered(const Links& links, const Lengths& lengths, const LinkRule& rule, int jobs) {
    const auto rows = static_cast<std::size_t>(links.segments());
    std::vector<std::int64_t> counts;
    if (rule.null_word == NullWord::kDrop) {
        counts.resize(rows * 2);
        count_linked_words(links.rows(), jobs, counts.data());
    }
    Output<std::int64_t> offsets(rows + 1);
    offsets.data()[0] = 0;
    for (std::size_t s = 0; s < rows; ++s) {
        links.check_inside(static_cast<std::int64_t>(s), lengths[s], kMostWords);
        offsets.data()[s + 1] = offsets.data()[s] + (counts.empty() ? lengths[s] : counts[2 * s]);
    }
    const std::size_t kept = result_size(static_cast<std::size_t>(offsets.data()[rows]), 1);
    Reordered found{rows,
                    kept,
                    Output<std::int32_t>(kept),
                    Output<std::int32_t>(kept),
                    Output<std::int32_t>(kept),
                    std::move(offsets)};
    reorder(links.rows(), lengths.data(), rule, jobs, found.offsets.data(), found.order.data(), found.group.data(),
            found.ranks.data());
    return found;
}

auto reorder_words(const Pairs& links, const Longs& offsets, const Longs& lengths, LinkKey key, NullWord null_word,
                   bool grouped, Int jobs) {
    const LinkRule rule{key, null_word, grouped};
    Reordered found = unlocked([&] {
        const Links given(links, offsets, "links");
        return reordered(given, Lengths(lengths, given.segments(), kMostGivenWords, "lengths"), rule, jobs);
    });
    return std::make_tuple(std::move(found.order).to_array({found.kept}), std::move(found.group).to_array({found.kept}),
                           std::move(found.ranks).to_array({found.kept}),
                           std::move(found.offsets).to_array({found.rows + 1}));
}

auto link_lines(const nb::bytes& data) {
    const auto* bytes = static_cast<const unsigned char*>(data.data());
    const std::size_t size = data.size();
    LinkLines lines = unlocked([&] { return read_link_lines(bytes, size); });
    std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> bad;
    for (const BadLink& link : lines.bad) {
        bad.emplace_back(link.line, link.begin, link.end);
    }
    return std::make_tuple(to_array(std::move(lines.pairs)), to_array(std::move(lines.signs)),
                           to_array(std::move(lines.offsets)), std::move(bad));
}

}  // namespace

void add_links(nb::module_& module) {
    nb::enum_<LinkKey>(module, "LinkKey", "By which of its links a word is ordered.")
        .value("FIRST", LinkKey::kFirst)
        .value("MEAN", LinkKey::kMean)
        .value("SPAN", LinkKey::kSpan);
    nb::enum_<NullWord>(module, "NullWord", "Where a word without link goes.")
        .value("PREVIOUS", NullWord::kPrevious)
        .value("NEXT", NullWord::kNext)
        .value("DROP", NullWord::kDrop);
    module.def("link_outside", &link_outside, "links"_a, "offsets"_a, "first_lengths"_a, "second_lengths"_a.none(),
               "Return the number of the first link that points outside its sentences, or -1.");
    module.def("collect_links", &collected_links, "owners"_a, "links"_a, "segments"_a,
               "Return links sorted by segment and position, each once, and their offsets.");
    module.def("linked_words", &linked_words, "links"_a, "offsets"_a, "jobs"_a,
               "Return the numbers of first and of second words with a link, one column each.");
    module.def("link_pairs", &link_pairs, "links"_a, "offsets"_a, "sequences"_a, "jobs"_a,
               "Return how many pairs of links keep their order and how many cross, one column each.");
    module.def("reorder", &reorder_words, "links"_a, "offsets"_a, "lengths"_a, "key"_a.noconvert(),
               "null_word"_a.noconvert(), "grouped"_a, "jobs"_a,
               "Return positions in target order, groups, ranks and offsets of the words that a rule "
               "keeps.");
    module.def("link_lines", &link_lines, "data"_a,
               "Return pairs, signs and offsets of lines of links, and what could not be read.");
}

}  // namespace kilter
