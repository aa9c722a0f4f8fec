#include "perceptron_tagger.hpp"

#include "watch.hpp"

namespace kilter {
namespace {

constexpr std::uint64_t no_tag = 1'000'000;

void extract(const WordRows& words, std::int32_t at, std::uint64_t before, std::uint64_t last,
             Features& out) {
    const auto w = [&](std::int32_t step, WordPart part) { return words.at(at + step, part); };
    out.clear(words.way());
    out.add(0);
    out.add(1, w(0, form));
    out.add(2, w(0, ending3));
    out.add(3, w(0, ending2));
    out.add(4, w(0, ending1));
    out.add(5, w(0, beginning));
    out.add(6, w(0, shape), at == 0);
    out.add(7, w(0, shape), w(0, ending2), at == 0);
    out.add(8, w(-1, form));
    out.add(9, w(1, form));
    out.add(10, w(-2, form));
    out.add(11, w(2, form));
    out.add(12, w(-1, ending3));
    out.add(13, w(1, ending3));
    out.add(14, last);
    out.add(15, before, last);
    out.add(16, last, w(0, form));
    out.add(17, w(-1, form), w(0, form));
    out.add(18, w(0, form), w(1, form));
    out.add(19, w(0, shape), w(1, shape), w(-1, shape));
    out.add(20, last, w(0, ending3));
    out.add(21, last, w(0, ending2), w(1, ending2));
    out.add(22, last, w(1, form));
    out.add(23, w(0, form), w(1, ending2), w(2, ending2));
    out.add(24, w(0, form), w(-1, ending2));
    out.add(25, w(0, shape), w(0, ending3), w(1, form));
    if (!words.rich()) {
        return;
    }
    out.add(26, w(0, ending4));
    out.add(27, w(0, beginning2));
    out.add(28, w(0, beginning4));
    out.add(33, w(0, ending4), w(0, shape));
    out.add(34, w(0, shape), w(-1, shape), last);
    out.add(35, w(0, ending2), w(-1, ending3), w(1, ending3));
    out.add(29, w(0, had_tags));
    out.add(30, w(0, had_tags), w(1, had_tags));
    out.add(31, w(0, had_tags), last);
    out.add(32, w(0, had_tags), last, w(1, had_tags));
    out.add(36, w(1, had_tags), last);
}

template <class Decide>
void go(const WordRows& words, Decide decide) {
    Features features;
    std::uint64_t before = no_tag;
    std::uint64_t last = no_tag;
    Pace pace;
    for (std::int32_t at = 0; at < words.count; ++at) {
        pace.work(1024);
        extract(words, at, before, last, features);
        before = last;
        last = static_cast<std::uint64_t>(decide(at, features));
    }
}

}  // namespace

void tag_words(const PerceptronTable& table, const WordRows& words, std::int32_t* tags) {
    std::vector<std::int32_t> scores;
    go(words, [&](std::int32_t at, const Features& features) {
        table.score(features, scores);
        return tags[at] = best_class(scores);
    });
}

void learn_tags(LearningTable& table, const WordRows& words, const std::int32_t* gold) {
    std::vector<std::int32_t> scores;
    go(words, [&](std::int32_t at, const Features& features) {
        table.score(features, scores);
        const int guess = best_class(scores);
        table.step();
        if (guess != gold[at]) {
            table.learn(features, gold[at], guess);
        }
        return guess;
    });
}

}  // namespace kilter
