// Links: orders that rules make of them, crossings, one set of two, the matcher, groups of a reordering.
#include "link_pairs.hpp"
#include "match.hpp"
#include "reordering_score.hpp"
#include "symmetrization.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

void link_rules(FuzzedDataProvider& data) {
    LinkBatch given;
    std::vector<std::int64_t> lengths, offsets{0};
    const LinkRule rule{static_cast<LinkKey>(data.ConsumeIntegralInRange<int>(0, 2)),
                        static_cast<NullWord>(data.ConsumeIntegralInRange<int>(0, 2)), data.ConsumeBool()};
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t n = sentence_length(data, 130);
        given.add(links(data, n, sentence_length(data, 130)));
        lengths.push_back(n);
    }
    const LinkRows rows = given.rows();
    std::vector<std::int64_t> linked(2 * count), pairs(2 * count), sequences(2 * count);
    count_linked_words(rows, 1, linked.data());
    count_link_pairs(rows, false, 1, pairs.data());
    count_link_pairs(rows, true, kSeveral, sequences.data());
    law(find_outside(rows, lengths.data(), nullptr) == -1, "no link points outside");
    for (std::size_t s = 0; s < count; ++s) {
        const std::int64_t own = rows.offsets[s + 1] - rows.offsets[s];
        law(linked[2 * s] <= own && linked[2 * s + 1] <= own, "no more words are linked than there are links");
        law(pairs[2 * s] >= 0 && pairs[2 * s + 1] >= 0 && pairs[2 * s] + pairs[2 * s + 1] <= own * (own - 1) / 2,
            "pairs of links are counted once");
        offsets.push_back(offsets.back() + (rule.null_word == NullWord::kDrop ? linked[2 * s] : lengths[s]));
    }
    const auto kept = static_cast<std::size_t>(offsets.back());
    std::vector<std::int32_t> order(kept), group(kept), ranks(kept), order2(kept), group2(kept), ranks2(kept);
    reorder(rows, lengths.data(), rule, 1, offsets.data(), order.data(), group.data(), ranks.data());
    reorder(rows, lengths.data(), rule, kSeveral, offsets.data(), order2.data(), group2.data(), ranks2.data());
    law(order == order2 && group == group2 && ranks == ranks2, "threads do not change an order");
    for (std::size_t s = 0; s < count; ++s) {
        std::vector<std::int32_t> own(order.begin() + offsets[s], order.begin() + offsets[s + 1]);
        std::sort(own.begin(), own.end());
        law(std::adjacent_find(own.begin(), own.end()) == own.end(), "an order holds a word once");
        std::vector<std::int32_t> places(ranks.begin() + offsets[s], ranks.begin() + offsets[s + 1]);
        std::sort(places.begin(), places.end());
        for (std::size_t k = 0; k < places.size(); ++k) {
            law(places[k] == static_cast<std::int32_t>(k), "places are counted from 0 without gaps");
        }
    }
}

void one_set(FuzzedDataProvider& data) {
    const std::int32_t n = sentence_length(data, 70), m = sentence_length(data, 70);
    LinkBatch forward, reverse;
    forward.add(links(data, n, m));
    reverse.add(links(data, n, m));
    const auto rule = static_cast<Symmetrization>(data.ConsumeIntegralInRange<int>(0, 6));
    std::vector<std::int32_t> found;
    std::vector<std::int64_t> offsets;
    symmetrize({forward.pairs.data(), forward.offsets.data(), 1}, {reverse.pairs.data(), reverse.offsets.data(), 1}, rule,
               found, offsets);
    law(offsets.size() == 2 && offsets[1] * 2 == static_cast<std::int64_t>(found.size()), "offsets end with the links");
    const auto has = [](const LinkBatch& batch, std::int32_t a, std::int32_t b) {
        for (std::size_t k = 0; k < batch.pairs.size(); k += 2) {
            if (batch.pairs[k] == a && batch.pairs[k + 1] == b) {
                return true;
            }
        }
        return false;
    };
    for (std::size_t k = 0; k < found.size(); k += 2) {
        law(has(forward, found[k], found[k + 1]) || has(reverse, found[k], found[k + 1]), "no link is made up");
        law(k == 0 || std::make_pair(found[k - 2], found[k - 1]) < std::make_pair(found[k], found[k + 1]),
            "links are sorted, each once");
    }
}

void matcher(FuzzedDataProvider& data) {
    constexpr std::int32_t kWords = 12;
    Rows<std::int32_t> first, second;
    LinkBatch earlier;
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        const auto a = words(data, 40, kWords), b = words(data, 40, kWords);
        first.add(a);
        second.add(b);
        earlier.add(links(data, static_cast<std::int32_t>(a.size()), static_cast<std::int32_t>(b.size()), true));
    }
    std::vector<std::int32_t> keys(kWords);
    for (std::int32_t& key : keys) {
        key = data.ConsumeIntegralInRange<std::int32_t>(-1, 5);
    }
    const MatchOptions options{data.ConsumeBool() ? MatchRule::kChunks : MatchRule::kCrossings,
                               data.ConsumeIntegralInRange<std::int64_t>(0, 5000),
                               data.ConsumeIntegralInRange<std::int64_t>(0, 64), 1};
    MatchOptions several = options;
    several.jobs = kSeveral;
    MatchKeys by;
    by.keys = keys.data();
    by.count = 6;
    const Batch one{first.values.data(), first.offsets.data(), first.rows()};
    const Batch other{second.values.data(), second.offsets.data(), second.rows()};
    const EarlierLinks before{earlier.pairs.data(), earlier.offsets.data()};
    const MatchLinks found = match_batch(one, other, before, by, options);
    const MatchLinks again = match_batch(one, other, before, by, several);
    law(found.links == again.links && found.offsets == again.offsets, "threads do not change links");
    for (std::size_t s = 0; s < count; ++s) {
        std::vector<bool> rows(static_cast<std::size_t>(one.length(static_cast<std::int64_t>(s))));
        std::vector<bool> cols(static_cast<std::size_t>(other.length(static_cast<std::int64_t>(s))));
        for (std::int64_t k = found.offsets[s]; k < found.offsets[s + 1]; ++k) {
            const auto a = static_cast<std::size_t>(found.links[static_cast<std::size_t>(2 * k)]);
            const auto b = static_cast<std::size_t>(found.links[static_cast<std::size_t>(2 * k + 1)]);
            law(a < rows.size() && b < cols.size() && !rows[a] && !cols[b], "links are one-to-one");
            rows[a] = cols[b] = true;
        }
        law(found.offsets[s + 1] - found.offsets[s] >= earlier.offsets[s + 1] - earlier.offsets[s], "links stay");
    }
}

void reordering(FuzzedDataProvider& data) {
    Rows<std::int32_t> groups;
    const std::size_t count = small_size(data, 3);
    for (std::size_t k = 0; k < count; ++k) {
        const std::vector<std::int32_t> order = permutation(data, sentence_length(data, 130));
        std::vector<std::int32_t> number(order.size());
        std::int32_t now = 0;
        for (std::size_t i = 0; i < number.size(); ++i) {
            now += i > 0 && data.ConsumeBool() ? 1 : 0;
            number[i] = now;
        }
        std::vector<std::int32_t> row;
        for (const std::int32_t place : order) {
            row.push_back(number[static_cast<std::size_t>(place)]);
        }
        groups.add(row);
    }
    const Batch batch{groups.values.data(), groups.offsets.data(), groups.rows()};
    law(are_groups(batch), "groups are below the number of words");
    std::vector<std::int64_t> best(count * kReorderingColumns), local(best), again(best);
    const bool ends = data.ConsumeBool();
    std::vector<std::uint8_t> starts(groups.values.size());
    std::vector<std::int32_t> discordant(groups.values.size());
    score_reorderings(batch, TiedSpans::kBest, ends, 1, best.data(), starts.data(), discordant.data());
    score_reorderings(batch, TiedSpans::kBest, ends, kSeveral, again.data(), nullptr, nullptr);
    score_reorderings(batch, TiedSpans::kLocal, ends, 1, local.data(), nullptr, nullptr);
    law(best == again, "threads do not change counts");
    for (std::size_t k = 0; k < best.size(); k += 2) {
        law(best[k] <= local[k] && best[k + 1] == local[k + 1], "one reading joins no more than all");
    }
}

const Register kLinkRules("link-rules", link_rules);
const Register kSymmetrization("symmetrization", one_set);
const Register kMatcher("matcher", matcher);
const Register kReordering("reordering", reordering);

}  // namespace
}  // namespace kilter::fuzz
