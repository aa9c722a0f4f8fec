#include "arc_hybrid.hpp"

#include <algorithm>
#include <limits>

#include "arc_state.hpp"
#include "watch.hpp"

namespace kilter {
void parse_words(const PerceptronTable& moves, const PerceptronTable& labels, const WordRows& words,
                 const std::int32_t* tags, std::int32_t* heads, std::int32_t* names) {
    State state(words, tags);
    Features features;
    std::vector<std::int32_t> scores;
    Pace pace;
    while (!state.done()) {
        pace.work(4096);
        move_features(state.surroundings(), features);
        moves.score(features, scores);
        const int move = best_move(state, scores);
        if (move == shift) {
            state.do_shift();
            continue;
        }
        const std::int32_t head = state.head_of(move);
        label_features(state.surroundings(), state.piece(head), features);
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
        move_features(state.surroundings(), features);
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
        label_features(state.surroundings(), state.piece(head), features);
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
