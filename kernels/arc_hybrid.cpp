#include "arc_hybrid.hpp"

#include <algorithm>
#include <limits>

#include "watch.hpp"

namespace kilter {
namespace {

constexpr std::int32_t none = -2;

// The stack, whose bottom is the root (-1), the next word of the buffer, and the arcs so far.
class State {
public:
    State(const WordRows& words, const std::int32_t* tags)
        : words_(words),
          tags_(tags),
          heads(static_cast<std::size_t>(words.count), none),
          names(static_cast<std::size_t>(words.count), -1),
          first_(heads.size(), none),
          last_(heads.size(), none),
          lefts_(heads.size()),
          rights_(heads.size()),
          known_(heads.size()) {
        stack_.push_back(-1);
    }

    bool done() const { return next_ == words_.count && stack_.size() == 1; }
    bool allowed(int move) const {
        const bool waiting = next_ < words_.count;
        if (move == shift) {
            return waiting;
        }
        if (stack_.size() < 2) {
            return false;
        }
        // The root takes a word only when it is the last one left: that makes the root single.
        return move == left ? waiting : stack_.size() > 2 || !waiting;
    }
    std::int32_t top(std::size_t depth = 0) const {
        return depth < stack_.size() ? stack_[stack_.size() - 1 - depth] : none;
    }
    std::int32_t next(std::int32_t step = 0) const {
        return next_ + step < words_.count ? next_ + step : none;
    }
    void do_shift() { stack_.push_back(next_++); }
    std::int32_t head_of(int move) const { return move == left ? next_ : top(1); }
    // Takes the top of the stack off and hangs it from a head.
    void attach(std::int32_t head, std::int32_t name) {
        const std::int32_t word = stack_.back();
        stack_.pop_back();
        heads[index(word)] = head;
        names[index(word)] = name;
        if (head < 0) {
            return;
        }
        known_[index(head)] |= std::uint64_t{1} << (name & 63);
        if (word < head) {
            ++lefts_[index(head)];
            first_[index(head)] = word;
        } else {
            ++rights_[index(head)];
            last_[index(head)] = word;
        }
    }

    void move_features(Features& out) const;
    void label_features(std::int32_t head, Features& out) const;
    // How many arcs of the true tree a move makes impossible.
    int cost(int move, const std::int32_t* gold) const;

private:
    static std::size_t index(std::int32_t word) { return static_cast<std::size_t>(word); }
    std::uint64_t form_of(std::int32_t word) const {
        return word >= 0 ? words_.at(word, form) : 0x2'0000'0000ULL - static_cast<std::uint64_t>(-word);
    }
    std::uint64_t part_of(std::int32_t word, WordPart part) const {
        return word >= 0 ? words_.at(word, part) : 0x2'0000'0000ULL - static_cast<std::uint64_t>(-word);
    }
    std::uint64_t tag_of(std::int32_t word) const {
        return word >= 0 ? static_cast<std::uint64_t>(tags_[word]) : 1'000'000ULL - static_cast<std::uint64_t>(word);
    }
    std::int32_t first_of(std::int32_t word) const { return word >= 0 ? first_[index(word)] : none; }
    std::int32_t last_of(std::int32_t word) const { return word >= 0 ? last_[index(word)] : none; }
    std::uint64_t name_of(std::int32_t word) const {
        return word >= 0 ? static_cast<std::uint64_t>(names[index(word)] + 1) : 0;
    }
    std::uint64_t lefts_of(std::int32_t word) const { return word >= 0 ? std::min(lefts_[index(word)], 4U) : 0; }
    std::uint64_t rights_of(std::int32_t word) const { return word >= 0 ? std::min(rights_[index(word)], 4U) : 0; }
    std::uint64_t known_of(std::int32_t word) const { return word >= 0 ? known_[index(word)] : 0; }

    const WordRows& words_;
    const std::int32_t* tags_;

public:
    std::vector<std::int32_t> heads;
    std::vector<std::int32_t> names;

private:
    std::vector<std::int32_t> first_;
    std::vector<std::int32_t> last_;
    std::vector<unsigned> lefts_;
    std::vector<unsigned> rights_;
    std::vector<std::uint64_t> known_;
    std::vector<std::int32_t> stack_;
    std::int32_t next_ = 0;
};

std::uint64_t distance(std::int32_t from, std::int32_t to) {
    const std::int32_t d = std::max(from, to) - std::min(from, to);
    return static_cast<std::uint64_t>(d <= 5 ? d : d <= 10 ? 6 : 7);
}

void State::move_features(Features& out) const {
    const std::int32_t s0 = top(), s1 = top(1), s2 = top(2), b0 = next(), b1 = next(1), b2 = next(2);
    const std::int32_t s0l = first_of(s0), s0r = last_of(s0), b0l = first_of(b0), s1r = last_of(s1), s1l = first_of(s1);
    const auto w = [&](std::int32_t x) { return form_of(x); };
    const auto p = [&](std::int32_t x) { return tag_of(x); };
    const std::uint64_t d = s0 < 0 || b0 < 0 ? 9 : distance(s0, b0);
    const std::uint64_t e = s1 < 0 ? 9 : distance(s1, s0);
    std::uint64_t k = 0;
    out.clear();
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
    out.add(k++, w(s0), rights_of(s0));
    out.add(k++, p(s0), rights_of(s0), p(b0));
    out.add(k++, w(s0), lefts_of(s0));
    out.add(k++, p(s0), lefts_of(s0), p(b0));
    out.add(k++, w(b0), lefts_of(b0));
    out.add(k++, p(b0), lefts_of(b0), p(s0));
    out.add(k++, p(s1), rights_of(s1), p(s0));
    out.add(k++, p(s0), name_of(s0l), name_of(s0r));
    out.add(k++, w(s0), name_of(s0l));
    out.add(k++, w(s0), name_of(s0r));
    out.add(k++, p(b0), name_of(b0l), p(s0));
    out.add(k++, p(s1), name_of(s1r), p(s0));
    out.add(k++, known_of(s0), p(s0), p(b0));
    out.add(k++, known_of(s1), p(s1), p(s0));
    out.add(k++, known_of(b0), p(b0), p(s0));
    out.add(k++, part_of(s0, ending3), p(b0), p(s1));
    out.add(k++, part_of(b0, ending3), p(s0));
    out.add(k++, part_of(s0, shape), part_of(b0, shape), p(s0) * 4096 + p(b0));
}

void State::label_features(std::int32_t head, Features& out) const {
    const std::int32_t word = top();
    const std::int32_t l = first_of(word), r = last_of(word);
    const auto w = [&](std::int32_t x) { return form_of(x); };
    const auto p = [&](std::int32_t x) { return tag_of(x); };
    const std::uint64_t way = head > word ? 1 : 0;
    const std::uint64_t d = head < 0 ? 19 : distance(head, word) * 2 + way;
    const auto near = [&](std::int32_t at) { return at < 0 || at >= words_.count ? none : at; };
    std::uint64_t k = 0;
    out.clear();
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
    out.add(k++, p(word), part_of(word, ending3), way);
    out.add(k++, p(head), part_of(word, ending3), way);
    out.add(k++, p(head), p(word), w(l));
    out.add(k++, w(head), p(word), w(l));
    out.add(k++, p(head), p(word), name_of(l) * 2 + way);
    out.add(k++, p(head), p(word), name_of(r) * 2 + way);
    out.add(k++, w(l), p(word), way);
    out.add(k++, p(l), p(word), p(head));
    out.add(k++, p(head), p(word), known_of(head) * 2 + way);
    out.add(k++, known_of(word), p(word), p(head) * 2 + way);
    out.add(k++, known_of(head), w(word), way);
    out.add(k++, p(near(word - 1)), p(word), p(head) * 2 + way);
    out.add(k++, p(near(word + 1)), p(word), p(head) * 2 + way);
    out.add(k++, w(near(word + 1)), p(word), way);
    out.add(k++, w(near(word - 1)), p(word), way);
    out.add(k++, p(near(head - 1)), p(head), p(word) * 2 + way);
    out.add(k++, p(near(head + 1)), p(head), p(word) * 2 + way);
    out.add(k++, part_of(head, ending3), p(word), way);
    out.add(k++, part_of(word, shape), part_of(head, shape), p(word) * 4096 + p(head));
}

int State::cost(int move, const std::int32_t* gold) const {
    const std::int32_t s0 = top(), s1 = top(1), b0 = next();
    int lost = 0;
    if (move == shift) {
        for (std::size_t depth = 0; depth < stack_.size(); ++depth) {
            const std::int32_t word = top(depth);
            lost += depth > 0 && word == gold[b0];
            lost += word >= 0 && gold[word] == b0;
        }
        return lost;
    }
    for (std::int32_t word = next_; word < words_.count; ++word) {
        lost += gold[word] == s0;
        lost += gold[s0] == word && !(move == left && word == b0);
    }
    return lost + (move == left && gold[s0] == s1);
}

int best_move(const State& state, const std::vector<std::int32_t>& scores) {
    int best = -1;
    for (int move = 0; move < transitions; ++move) {
        if (state.allowed(move) && (best < 0 || scores[static_cast<std::size_t>(move)] > scores[static_cast<std::size_t>(best)])) {
            best = move;
        }
    }
    return best;
}

}  // namespace

void parse_words(const PerceptronTable& moves, const PerceptronTable& labels, const WordRows& words,
                 const std::int32_t* tags, std::int32_t* heads, std::int32_t* names) {
    State state(words, tags);
    Features features;
    std::vector<std::int32_t> scores;
    Pace pace;
    while (!state.done()) {
        pace.work(4096);
        state.move_features(features);
        moves.score(features, scores);
        const int move = best_move(state, scores);
        if (move == shift) {
            state.do_shift();
            continue;
        }
        const std::int32_t head = state.head_of(move);
        state.label_features(head, features);
        labels.score(features, scores);
        state.attach(head, best_class(scores));
    }
    std::copy(state.heads.begin(), state.heads.end(), heads);
    std::copy(state.names.begin(), state.names.end(), names);
}

void learn_tree(LearningTable& moves, LearningTable& labels, const WordRows& words,
                const std::int32_t* tags, const std::int32_t* heads, const std::int32_t* names,
                bool explore) {
    State state(words, tags);
    Features features;
    std::vector<std::int32_t> scores;
    Pace pace;
    while (!state.done()) {
        pace.work(4096);
        state.move_features(features);
        moves.score(features, scores);
        const int guess = best_move(state, scores);
        int least = std::numeric_limits<int>::max();
        for (int move = 0; move < transitions; ++move) {
            if (state.allowed(move)) {
                least = std::min(least, state.cost(move, heads));
            }
        }
        // The best of the moves that cost least: learning asks for no more than is needed.
        int good = -1;
        for (int move = 0; move < transitions; ++move) {
            if (state.allowed(move) && state.cost(move, heads) == least &&
                (good < 0 || scores[static_cast<std::size_t>(move)] > scores[static_cast<std::size_t>(good)])) {
                good = move;
            }
        }
        moves.step();
        if (guess != good) {
            moves.learn(features, good, guess);
        }
        const int move = explore ? guess : good;
        if (move == shift) {
            state.do_shift();
            continue;
        }
        const std::int32_t head = state.head_of(move);
        const std::int32_t word = state.top();
        state.label_features(head, features);
        labels.score(features, scores);
        const int name = best_class(scores);
        labels.step();
        if (head == heads[word] && name != names[word]) {
            labels.learn(features, names[word], name);
        }
        state.attach(head, name);
    }
}

}  // namespace kilter
