#include "arc_hybrid.hpp"

#include <algorithm>
#include <limits>

#include "arc_state.hpp"
#include "watch.hpp"

namespace kilter {
namespace {

// The best of the moves that are possible and that `fits` accepts; the first of equally good ones.
template <class Fits>
int best_move(const State& state, const std::vector<std::int32_t>& scores, Fits fits) {
    int best = -1;
    for (int move = 0; move < transitions; ++move) {
        const auto score = [&](int which) { return scores[static_cast<std::size_t>(which)]; };
        if (state.allowed(move) && fits(move) && (best < 0 || score(move) > score(best))) {
            best = move;
        }
    }
    return best;
}

int best_move(const State& state, const std::vector<std::int32_t>& scores) {
    return best_move(state, scores, [](int) { return true; });
}

}  // namespace

void parse_words(const PerceptronTable& moves, const PerceptronTable& labels, const WordRows& words,
                 const std::int32_t* tags, std::int32_t* heads, std::int32_t* names) {
    State state(words, tags);
    ArcLabeller labeller;
    Features features;
    std::vector<std::int32_t> scores;
    Pace pace;
    while (!state.done()) {
        pace.work(4096);
        move_features(state.surroundings(), features);
        moves.score(features, scores);
        const int move = best_move(state, scores);
        state.apply(move, labeller.best(labels, state, move));
    }
    std::copy(state.heads.begin(), state.heads.end(), heads);
    std::copy(state.names.begin(), state.names.end(), names);
}

void learn_tree(LearningTable& moves, LearningTable& labels, const WordRows& words,
                const std::int32_t* tags, const std::int32_t* heads, const std::int32_t* names,
                bool explore) {
    State state(words, tags);
    ArcLabeller labeller;
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
        const int good = best_move(state, scores, [&](int move) { return state.cost(move, heads) == least; });
        moves.step();
        if (guess != good) {
            moves.learn(features, good, guess);
        }
        const int move = explore ? guess : good;
        state.apply(move, labeller.learn(labels, state, move, heads, names));
    }
}

}  // namespace kilter
