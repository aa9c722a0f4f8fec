// Links between words, and the orders they make.
#include "bindings/arrays.hpp"

#include <algorithm>
#include <optional>

#include "link_pairs.hpp"
#include "link_reader.hpp"
#include "link_rule.hpp"

namespace kilter {
namespace {

LinkRows as_links(const Pairs& pairs, const Vector<std::int64_t>& offsets) {
    if (offsets.size() == 0) {
        throw nb::value_error("offsets hold at least one entry");
    }
    const LinkRows links{pairs.data(), offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1};
    if (links.offsets[0] != 0 ||
        links.offsets[links.segments] != static_cast<std::int64_t>(pairs.shape(0)) ||
        !std::is_sorted(links.offsets, links.offsets + links.segments + 1)) {
        throw nb::value_error("offsets rise from 0 to the number of links");
    }
    return links;
}

void check_lengths(const LinkRows& links, const Vector<std::int64_t>& lengths) {
    if (static_cast<std::int64_t>(lengths.size()) != links.segments) {
        throw nb::value_error("one length per segment");
    }
}

std::int64_t link_outside(const Pairs& pairs, const Vector<std::int64_t>& offsets,
                          const Vector<std::int64_t>& first_lengths,
                          std::optional<Vector<std::int64_t>> second_lengths) {
    const LinkRows links = as_links(pairs, offsets);
    check_lengths(links, first_lengths);
    if (second_lengths) {
        check_lengths(links, *second_lengths);
    }
    nb::gil_scoped_release release;
    return find_outside(links, first_lengths.data(),
                        second_lengths ? second_lengths->data() : nullptr);
}

auto collected_links(const Vector<std::int64_t>& owners, const Pairs& pairs, std::int64_t segments) {
    const auto count = static_cast<std::int64_t>(owners.size());
    if (segments < 0 || static_cast<std::int64_t>(pairs.shape(0)) != count) {
        throw nb::value_error("one owner per link, and no negative number of segments");
    }
    for (std::int64_t k = 0; k < count; ++k) {
        if (owners.data()[k] < 0 || owners.data()[k] >= segments || pairs.data()[2 * k] < 0 ||
            pairs.data()[2 * k + 1] < 0) {
            throw nb::value_error("a link has no such segment or a negative position");
        }
    }
    Output<std::int32_t> links(static_cast<std::size_t>(count) * 2);
    Output<std::int64_t> offsets(static_cast<std::size_t>(segments) + 1);
    std::int64_t kept = 0;
    {
        nb::gil_scoped_release release;
        kept = collect_links(owners.data(), pairs.data(), count, segments, links.data(),
                             offsets.data());
    }
    return std::make_tuple(
        std::move(links).to_array({static_cast<std::size_t>(kept), std::size_t{2}}),
        std::move(offsets).to_array({static_cast<std::size_t>(segments) + 1}));
}

auto linked_words(const Pairs& pairs, const Vector<std::int64_t>& offsets, int jobs) {
    const LinkRows links = as_links(pairs, offsets);
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> counts(rows * 2);
    {
        nb::gil_scoped_release release;
        count_linked_words(links, jobs, counts.data());
    }
    return std::move(counts).to_array({rows, std::size_t{2}});
}

auto link_pairs(const Pairs& pairs, const Vector<std::int64_t>& offsets, bool sequences, int jobs) {
    const LinkRows links = as_links(pairs, offsets);
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> counts(rows * 2);
    {
        nb::gil_scoped_release release;
        count_link_pairs(links, sequences, jobs, counts.data());
    }
    return std::move(counts).to_array({rows, std::size_t{2}});
}

auto reorder_words(const Pairs& pairs, const Vector<std::int64_t>& link_offsets,
                   const Vector<std::int64_t>& lengths, int key, int null_word, bool grouped,
                   int jobs) {
    const LinkRows links = as_links(pairs, link_offsets);
    check_lengths(links, lengths);
    if (key < 0 || key > 2 || null_word < 0 || null_word > 2) {
        throw nb::value_error("there is no such rule");
    }
    const LinkRule rule{static_cast<LinkKey>(key), static_cast<NullWord>(null_word), grouped};
    const auto rows = static_cast<std::size_t>(links.segments);
    Output<std::int64_t> offsets(rows + 1);
    offsets.data()[0] = 0;
    std::unique_ptr<Output<std::int32_t>> columns[3];
    bool outside = false;
    {
        nb::gil_scoped_release release;
        outside = find_outside(links, lengths.data(), nullptr) >= 0;
        if (!outside) {
            std::vector<std::int64_t> counts;
            if (rule.null_word == NullWord::kDrop) {
                counts.resize(rows * 2);
                count_linked_words(links, jobs, counts.data());
            }
            for (std::size_t s = 0; s < rows; ++s) {
                offsets.data()[s + 1] =
                    offsets.data()[s] + (counts.empty() ? lengths.data()[s] : counts[2 * s]);
            }
            for (auto& column : columns) {
                column = std::make_unique<Output<std::int32_t>>(
                    static_cast<std::size_t>(offsets.data()[rows]));
            }
            reorder(links, lengths.data(), rule, jobs, offsets.data(), columns[0]->data(),
                    columns[1]->data(), columns[2]->data());
        }
    }
    if (outside) {
        throw nb::value_error("a link points outside its sentence");
    }
    const auto kept = static_cast<std::size_t>(offsets.data()[rows]);
    return std::make_tuple(std::move(*columns[0]).to_array({kept}),
                           std::move(*columns[1]).to_array({kept}),
                           std::move(*columns[2]).to_array({kept}),
                           std::move(offsets).to_array({rows + 1}));
}

auto link_lines(nb::bytes data) {
    LinkLines lines;
    {
        const auto* bytes = static_cast<const unsigned char*>(data.data());
        const std::size_t size = data.size();
        nb::gil_scoped_release release;
        lines = read_link_lines(bytes, size);
    }
    nb::list bad;
    for (const BadLink& link : lines.bad) {
        bad.append(nb::make_tuple(link.line, link.begin, link.end));
    }
    return nb::make_tuple(to_array(std::move(lines.pairs)), to_array(std::move(lines.signs)),
                          to_array(std::move(lines.offsets)), bad);
}

}  // namespace

void add_links(nb::module_& module) {
    module.def("link_outside", &link_outside, "links"_a, "offsets"_a, "first_lengths"_a,
               "second_lengths"_a.none());
    module.def("collect_links", &collected_links, "owners"_a, "links"_a, "segments"_a);
    module.def("linked_words", &linked_words, "links"_a, "offsets"_a, "jobs"_a);
    module.def("link_pairs", &link_pairs, "links"_a, "offsets"_a, "sequences"_a, "jobs"_a);
    module.def("reorder", &reorder_words, "links"_a, "offsets"_a, "lengths"_a, "key"_a,
               "null_word"_a, "grouped"_a, "jobs"_a);
    module.def("link_lines", &link_lines, "data"_a);
}

}  // namespace kilter
