#include "arc_features.hpp"

#include <algorithm>

namespace kilter {
namespace {

std::uint64_t form_of(const Surroundings& here, std::int32_t word) {
    return word >= 0 ? here.words.at(word, form) : 0x2'0000'0000ULL - static_cast<std::uint64_t>(-word);
}
std::uint64_t part_of(const Surroundings& here, std::int32_t word, WordPart part) {
    return word >= 0 ? here.words.at(word, part) : 0x2'0000'0000ULL - static_cast<std::uint64_t>(-word);
}
std::uint64_t tag_of(const Surroundings& here, std::int32_t word) {
    return word >= 0 ? static_cast<std::uint64_t>(here.tags[word])
                     : 1'000'000ULL - static_cast<std::uint64_t>(word);
}
std::uint64_t lefts_of(const Piece& piece) { return std::min(piece.lefts, 4U); }
std::uint64_t rights_of(const Piece& piece) { return std::min(piece.rights, 4U); }
std::uint64_t first_name(const Piece& piece) { return static_cast<std::uint64_t>(piece.first_name); }
std::uint64_t last_name(const Piece& piece) { return static_cast<std::uint64_t>(piece.last_name); }

std::uint64_t distance(std::int32_t from, std::int32_t to) {
    const std::int32_t d = std::max(from, to) - std::min(from, to);
    return static_cast<std::uint64_t>(d <= 5 ? d : d <= 10 ? 6 : 7);
}

}  // namespace

void move_features(const Surroundings& here, Features& out) {
    const std::int32_t s0 = here.s0.word, s1 = here.s1.word, s2 = here.s2, b0 = here.b0.word;
    const auto after = [&](std::int32_t step) {
        return b0 >= 0 && b0 + step < here.words.count ? b0 + step : no_word;
    };
    const std::int32_t b1 = after(1), b2 = after(2);
    const std::int32_t s0l = here.s0.first, s0r = here.s0.last, b0l = here.b0.first;
    const std::int32_t s1r = here.s1.last, s1l = here.s1.first;
    const auto w = [&](std::int32_t x) { return form_of(here, x); };
    const auto p = [&](std::int32_t x) { return tag_of(here, x); };
    const std::uint64_t d = s0 < 0 || b0 < 0 ? 9 : distance(s0, b0);
    const std::uint64_t e = s1 < 0 ? 9 : distance(s1, s0);
    std::uint64_t k = 0;
    out.clear(here.words.way());
    out.add(k++);
    for (const std::int32_t x : {s0, s1, b0, b1}) {
        out.add(k++, w(x));
        out.add(k++, p(x));
        out.add(k++, w(x), p(x));
    }
    out.add(k++, p(b2));
    out.add(k++, p(s2));
    out.add(k++, w(b2));
    out.add(k++, w(s0), p(s0) * 4096 + p(b0), w(b0));
    out.add(k++, w(s0), p(s0), w(b0));
    out.add(k++, w(s0), p(b0), w(b0));
    out.add(k++, w(s0), p(s0), p(b0));
    out.add(k++, p(s0), w(b0), p(b0));
    out.add(k++, w(s0), w(b0));
    out.add(k++, p(s0), p(b0));
    out.add(k++, p(b0), p(b1));
    out.add(k++, p(s1), p(s0));
    out.add(k++, w(s1), w(s0));
    out.add(k++, w(s1), p(s0), p(s1));
    out.add(k++, p(s1), w(s0), p(s0));
    out.add(k++, p(s1), p(b0));
    out.add(k++, w(s1), p(b0));
    out.add(k++, p(s1), w(b0));
    out.add(k++, w(s1), w(b0));
    out.add(k++, p(b0), p(b1), p(b2));
    out.add(k++, p(s0), p(b0), p(b1));
    out.add(k++, w(s0), p(b0), p(b1));
    out.add(k++, p(s0), w(b0), p(b1));
    out.add(k++, p(s0), p(b0), w(b1));
    out.add(k++, p(s1), p(s0), p(b0));
    out.add(k++, w(s1), p(s0), p(b0));
    out.add(k++, p(s1), w(s0), p(b0));
    out.add(k++, p(s1), p(s0), w(b0));
    out.add(k++, p(s1), p(s0), p(b0) * 4096 + p(b1));
    out.add(k++, p(s2), p(s1), p(s0));
    out.add(k++, p(s2), p(s1), p(s0) * 4096 + p(b0));
    out.add(k++, p(s0), p(b0), p(b1) * 4096 + p(b2));
    out.add(k++, p(s0), p(s0l), p(b0));
    out.add(k++, p(s0), p(s0r), p(b0));
    out.add(k++, p(s0), p(b0l), p(b0));
    out.add(k++, p(s1), p(s0), p(s0r));
    out.add(k++, p(s1), p(s0), p(s0l));
    out.add(k++, p(s1), p(s0), p(s1r));
    out.add(k++, p(s1), p(s1l), p(b0));
    out.add(k++, w(s0), w(s0l), p(b0));
    out.add(k++, w(s0l), p(s0), p(s1));
    out.add(k++, w(s0r), p(s0), p(b0));
    out.add(k++, w(b0l), p(s0), p(b0));
    out.add(k++, w(s0), d);
    out.add(k++, p(s0), d);
    out.add(k++, w(b0), d);
    out.add(k++, p(b0), d);
    out.add(k++, w(s0), w(b0), d);
    out.add(k++, p(s0), p(b0), d);
    out.add(k++, p(s1), p(s0), e);
    out.add(k++, p(s1), e, w(s0));
    out.add(k++, p(s1), p(s0), e * 16 + d);
    out.add(k++, w(s0), rights_of(here.s0));
    out.add(k++, p(s0), rights_of(here.s0), p(b0));
    out.add(k++, w(s0), lefts_of(here.s0));
    out.add(k++, p(s0), lefts_of(here.s0), p(b0));
    out.add(k++, w(b0), lefts_of(here.b0));
    out.add(k++, p(b0), lefts_of(here.b0), p(s0));
    out.add(k++, p(s1), rights_of(here.s1), p(s0));
    out.add(k++, p(s0), first_name(here.s0), last_name(here.s0));
    out.add(k++, w(s0), first_name(here.s0));
    out.add(k++, w(s0), last_name(here.s0));
    out.add(k++, p(b0), first_name(here.b0), p(s0));
    out.add(k++, p(s1), last_name(here.s1), p(s0));
    out.add(k++, here.s0.known, p(s0), p(b0));
    out.add(k++, here.s1.known, p(s1), p(s0));
    out.add(k++, here.b0.known, p(b0), p(s0));
    out.add(k++, part_of(here, s0, ending3), p(b0), p(s1));
    out.add(k++, part_of(here, b0, ending3), p(s0));
    out.add(k++, part_of(here, s0, shape), part_of(here, b0, shape), p(s0) * 4096 + p(b0));
    if (!here.words.rich()) {
        return;
    }
    const std::int32_t b3 = after(3);
    const std::int32_t s0l2 = here.s0.second, s0r2 = here.s0.last_but_one, b0l2 = here.b0.second;
    const std::int32_t s1r2 = here.s1.last_but_one;
    const std::uint64_t both = p(s1) * 4096 + p(s0);
    out.add(k++, p(s0), p(s0l), p(s0l2));
    out.add(k++, p(s0), p(s0r), p(s0r2));
    out.add(k++, p(b0), p(b0l), p(b0l2));
    out.add(k++, p(s1), p(s1r), p(s1r2));
    out.add(k++, both, p(s0r), p(b0));
    out.add(k++, both, p(s0l), p(b0));
    out.add(k++, both, p(s1r), p(b0));
    out.add(k++, both, first_name(here.s0), last_name(here.s0));
    out.add(k++, both, first_name(here.s1), last_name(here.s1));
    out.add(k++, w(s1), last_name(here.s1), p(s0));
    out.add(k++, w(s1), first_name(here.s1));
    out.add(k++, w(b0), first_name(here.b0));
    out.add(k++, w(s0), here.s0.known);
    out.add(k++, w(s1), here.s1.known, p(s0));
    out.add(k++, w(b0), here.b0.known);
    out.add(k++, p(b1), p(b2), p(b3));
    out.add(k++, p(b0), p(b1), p(b2) * 4096 + p(b3));
    out.add(k++, w(s0), w(b1), p(b0));
    out.add(k++, w(b1), p(s0), p(b0));
    out.add(k++, w(s2), p(s1), p(s0));
    out.add(k++, w(s1), w(s0), p(b0));
    out.add(k++, p(s1), w(s0), w(b0));
    out.add(k++, w(s1), p(s0), w(b0));
    out.add(k++, part_of(here, s1, ending3), p(s0), p(b0));
    out.add(k++, part_of(here, s0, ending3), part_of(here, b0, ending3));
    out.add(k++, part_of(here, s0, ending2), part_of(here, b0, ending2), both);
    out.add(k++, p(s0), p(b0), d * 64 + lefts_of(here.b0) * 8 + rights_of(here.s0));
    out.add(k++, both, e, rights_of(here.s1) * 8 + lefts_of(here.s0));
    out.add(k++, both, w(s0r), w(s0l));
    out.add(k++, w(s1r), p(s1), p(s0));
    // What stands just before and after, whether or not it still waits.
    const auto near = [&](std::int32_t at) { return at < 0 || at >= here.words.count ? no_word : at; };
    out.add(k++, p(near(s0 - 1)), p(s0), p(b0));
    out.add(k++, p(near(b0 - 1)), p(s0), p(b0));
    out.add(k++, p(near(s0 + 1)), p(s0), p(b0));
    out.add(k++, p(near(s1 + 1)), both, p(near(s0 - 1)));
    out.add(k++, p(near(s0 + 1)), both, p(near(b0 - 1)) * 4096 + p(b0));
}

void label_features(const Surroundings& here, const Piece& above, Features& out) {
    const std::int32_t word = here.s0.word, head = above.word;
    const std::int32_t l = here.s0.first;
    const auto w = [&](std::int32_t x) { return form_of(here, x); };
    const auto p = [&](std::int32_t x) { return tag_of(here, x); };
    const std::uint64_t way = head > word ? 1 : 0;
    const std::uint64_t d = head < 0 ? 19 : distance(head, word) * 2 + way;
    const auto near = [&](std::int32_t at) { return at < 0 || at >= here.words.count ? no_word : at; };
    std::uint64_t k = 0;
    out.clear(here.words.way());
    out.add(k++, way);
    out.add(k++, w(word), way);
    out.add(k++, p(word), way);
    out.add(k++, w(head), way);
    out.add(k++, p(head), way);
    out.add(k++, p(head), p(word), way);
    out.add(k++, p(head), p(word), d);
    out.add(k++, w(head), p(word), way);
    out.add(k++, p(head), w(word), way);
    out.add(k++, w(head), w(word), way);
    out.add(k++, p(word), part_of(here, word, ending3), way);
    out.add(k++, p(head), part_of(here, word, ending3), way);
    out.add(k++, p(head), p(word), w(l));
    out.add(k++, w(head), p(word), w(l));
    out.add(k++, p(head), p(word), first_name(here.s0) * 2 + way);
    out.add(k++, p(head), p(word), last_name(here.s0) * 2 + way);
    out.add(k++, w(l), p(word), way);
    out.add(k++, p(l), p(word), p(head));
    out.add(k++, p(head), p(word), above.known * 2 + way);
    out.add(k++, here.s0.known, p(word), p(head) * 2 + way);
    out.add(k++, above.known, w(word), way);
    out.add(k++, p(near(word - 1)), p(word), p(head) * 2 + way);
    out.add(k++, p(near(word + 1)), p(word), p(head) * 2 + way);
    out.add(k++, w(near(word + 1)), p(word), way);
    out.add(k++, w(near(word - 1)), p(word), way);
    out.add(k++, p(near(head - 1)), p(head), p(word) * 2 + way);
    out.add(k++, p(near(head + 1)), p(head), p(word) * 2 + way);
    out.add(k++, part_of(here, head, ending3), p(word), way);
    out.add(k++, part_of(here, word, shape), part_of(here, head, shape), p(word) * 4096 + p(head));
    if (!here.words.rich()) {
        return;
    }
    const std::int32_t r = here.s0.last;
    const std::int32_t beyond = way == 1 ? here.s1.word : here.b0.word;
    const std::uint64_t both = (p(head) * 4096 + p(word)) * 2 + way;
    out.add(k++, both, p(beyond));
    out.add(k++, both, w(beyond));
    out.add(k++, both, w(r));
    out.add(k++, w(r), p(word), way);
    out.add(k++, w(head), w(l), p(word) * 2 + way);
    out.add(k++, w(word), w(l), way);
    out.add(k++, w(word), first_name(here.s0), way);
    out.add(k++, w(head), first_name(here.s0), p(word) * 2 + way);
    out.add(k++, w(head), above.known, p(word) * 2 + way);
    out.add(k++, both, first_name(above), last_name(above));
    out.add(k++, both, lefts_of(above) * 8 + rights_of(above), d);
    out.add(k++, both, lefts_of(here.s0) * 8 + rights_of(here.s0));
    out.add(k++, w(head), w(word), d);
    out.add(k++, w(head), d, p(word));
    out.add(k++, w(word), d, p(head));
    out.add(k++, part_of(here, word, ending2), part_of(here, head, ending2), both);
    out.add(k++, part_of(here, word, ending3), part_of(here, head, ending3), way);
    out.add(k++, both, p(near(word - 1)), p(near(word + 1)));
    out.add(k++, both, p(near(head - 1)), p(near(head + 1)));
    out.add(k++, w(near(head + 1)), both);
    out.add(k++, w(near(head - 1)), both);
    out.add(k++, part_of(here, word, had_tags), p(word), p(head) * 2 + way);
    out.add(k++, p(here.s0.second), p(l), both);
    out.add(k++, part_of(here, word, ending4), p(head), way);
}

}  // namespace kilter
