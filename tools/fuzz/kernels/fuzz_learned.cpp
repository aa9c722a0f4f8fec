// What is learned of texts in pairs, or said of them by vectors: word alignment, pairs of words, meanings.
#include <cmath>

#include "em_aligner.hpp"
#include "learned_words.hpp"
#include "meaning.hpp"
#include "similar_words.hpp"
#include "target.hpp"

namespace kilter::fuzz {
namespace {

Batch as_batch(const Rows<std::int32_t>& rows) { return {rows.values.data(), rows.offsets.data(), rows.rows()}; }

bool same_bits(const double* one, const double* other, std::size_t size) {
    return std::equal(one, one + size, other, [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

void em_aligner(FuzzedDataProvider& data) {
    const auto source_words = data.ConsumeIntegralInRange<std::int32_t>(1, 9);
    const auto target_words = data.ConsumeIntegralInRange<std::int32_t>(1, 9);
    Rows<std::int32_t> source, target;
    const std::size_t count = small_size(data, 4);
    for (std::size_t k = 0; k < count; ++k) {
        source.add(words(data, 40, source_words));
        target.add(words(data, 40, target_words));
    }
    const Bitext text{as_batch(source), as_batch(target), source_words, target_words};
    const auto reach = data.ConsumeIntegralInRange<std::int32_t>(1, 50);
    const JumpOptions options{data.ConsumeFloatingPointInRange<double>(1e-300, 0.999999),
                              data.ConsumeFloatingPointInRange<double>(0.0, 0.999999)};
    // Entries of the table remembered, and looked up each time.
    EmTrainer one(text, reach, std::int64_t{1} << 20, 1), several(text, reach, 0, kSeveral);
    const std::size_t rounds = small_size(data, 4);
    for (std::size_t k = 0; k < rounds; ++k) {
        const bool hmm = data.ConsumeBool(), agree = data.ConsumeBool();
        const auto first = hmm ? one.hmm(options, agree) : one.model1();
        const auto again = hmm ? several.hmm(options, agree) : several.model1();
        law(same_bits(first.data(), again.data(), 2), "threads do not change a likelihood");
        law(std::isfinite(first[0]) && std::isfinite(first[1]), "a likelihood is finite");
    }
    for (int which = 0; which < 2; ++which) {
        const EmDirection& direction = one.direction(which);
        const auto& table = direction.table;
        const auto& other = several.direction(which).table;
        const std::size_t size = table.probabilities.size();
        law(size == other.probabilities.size() &&
                same_bits(table.probabilities.data(), other.probabilities.data(), size),
            "threads do not change a table");
        for (std::size_t k = 0; k < size; ++k) {
            law(table.probabilities[k] >= 0.0 && table.probabilities[k] <= 1.0 + 1e-9, "a probability is one");
        }
        const Bitext own = which == 0 ? text : Bitext{text.target, text.source, target_words, source_words};
        const auto way = static_cast<Decoding>(data.ConsumeIntegralInRange<int>(0, 2));
        std::vector<std::int32_t> links(static_cast<std::size_t>(own.target.offsets[own.target.segments]), -7);
        std::vector<std::int32_t> links2(links);
        decode(own, table.view(), direction.jumps, options, way, 1, links.data());
        decode(own, table.view(), direction.jumps, options, way, kSeveral, links2.data());
        law(links == links2, "threads do not change links");
        for (std::int64_t s = 0; s < own.target.segments; ++s) {
            for (std::int64_t k = own.target.offsets[s]; k < own.target.offsets[s + 1]; ++k) {
                const std::int32_t place = links[static_cast<std::size_t>(k)];
                law(place >= -1 && place < own.source.length(s), "a link points to a word of its sentence");
            }
        }
    }
}

// Pairs of words that may be linked are free, sorted, each once.
void check_cells(const WordCells& found, const Batch& first, const Batch& second, const EarlierLinks& links) {
    law(found.offsets.size() == static_cast<std::size_t>(first.segments) + 1 &&
            static_cast<std::size_t>(found.offsets.back()) == found.strengths.size() &&
            found.cells.size() == 2 * found.strengths.size(),
        "offsets end with the pairs");
    for (std::int64_t s = 0; s < first.segments; ++s) {
        std::pair<std::int32_t, std::int32_t> last{-1, -1};
        for (auto k = static_cast<std::size_t>(found.offsets[static_cast<std::size_t>(s)]);
             k < static_cast<std::size_t>(found.offsets[static_cast<std::size_t>(s) + 1]); ++k) {
            const std::pair<std::int32_t, std::int32_t> cell{found.cells[2 * k], found.cells[2 * k + 1]};
            law(last < cell && cell.first >= 0 && cell.first < first.length(s) && cell.second >= 0 &&
                    cell.second < second.length(s),
                "pairs are words of their sentence, sorted");
            law(std::isfinite(found.strengths[k]) && found.strengths[k] >= 0.0, "a strength is a number");
            for (std::int64_t link = links.offsets[s]; link < links.offsets[s + 1]; ++link) {
                law(links.links[2 * link] != cell.first && links.links[2 * link + 1] != cell.second, "pairs are free");
            }
            last = cell;
        }
    }
}

void word_cells(FuzzedDataProvider& data) {
    constexpr std::int32_t kWords = 11;
    Rows<std::int32_t> first, second, letters;
    LinkBatch earlier;
    const std::size_t count = small_size(data, 6);
    for (std::size_t k = 0; k < count; ++k) {
        const auto a = words(data, 40, kWords), b = words(data, 40, kWords);
        first.add(a);
        second.add(b);
        earlier.add(links(data, static_cast<std::int32_t>(a.size()), static_cast<std::int32_t>(b.size()), true));
    }
    std::vector<std::int32_t> heads(kWords);
    for (std::int32_t& head : heads) {
        head = data.ConsumeIntegralInRange<std::int32_t>(-1, 2);
        std::vector<std::int32_t> form(small_size(data, 12));
        for (std::int32_t& letter : form) {
            letter = data.ConsumeBool() ? data.ConsumeIntegralInRange<std::int32_t>(97, 99)
                                        : data.ConsumeIntegralInRange<std::int32_t>(0, 0x10ffff);
        }
        letters.add(form);
    }
    const Batch one = as_batch(first), other = as_batch(second);
    const EarlierLinks before{earlier.pairs.data(), earlier.offsets.data()};
    const WordForms forms{letters.values.data(), letters.offsets.data(), heads.data(), kWords};
    const double threshold = data.ConsumeFloatingPointInRange<double>(0.0, 1.0);
    const auto least = data.ConsumeIntegralInRange<std::int64_t>(-1, 5);
    const WordCells like = similar_cells(one, other, before, forms, threshold, least, 1);
    const WordCells like2 = similar_cells(one, other, before, forms, threshold, least, kSeveral);
    law(like.cells == like2.cells && like.offsets == like2.offsets && like.strengths == like2.strengths,
        "threads do not change what is similar");
    check_cells(like, one, other, before);
    const auto upto = [&](double from) {
        return data.ConsumeBool() ? data.ConsumeFloatingPointInRange<double>(from, 1e6)
                                  : data.ConsumeFloatingPointInRange<double>(from, 5.0);
    };
    LearnedOptions options{data.ConsumeIntegralInRange<int>(1, 4), upto(1.0), upto(0.0), upto(1e-6), upto(0.0), upto(0.0), 1};
    const WordCells learned = learned_cells(one, other, before, kWords, options);
    options.jobs = kSeveral;
    const WordCells learned2 = learned_cells(one, other, before, kWords, options);
    law(learned.cells == learned2.cells && learned.offsets == learned2.offsets && learned.strengths == learned2.strengths,
        "threads do not change what is learned");
    check_cells(learned, one, other, before);
}

void meaning(FuzzedDataProvider& data) {
    const std::size_t columns = small_size(data, 40);
    const std::size_t sentences = 1 + small_size(data, 3);
    std::vector<float> values;
    std::vector<std::int64_t> offsets{0}, lengths;
    for (std::size_t s = 0; s < sentences; ++s) {
        const std::size_t length = small_size(data, 20);
        for (std::size_t k = 0; k < length * columns; ++k) {
            static constexpr float kEdges[] = {0.0F, 1.0F, -1.0F, 1e9F, -1e9F, 1e-30F, 1e-45F};
            const bool far = !values.empty() && (values.size() > 400 || data.remaining_bytes() == 0);
            values.push_back(far ? values[values.size() - 1 - values.size() / 2]
                                 : data.ConsumeBool() ? data.PickValueInArray(kEdges)
                                                      : data.ConsumeFloatingPointInRange<float>(-2.0F, 2.0F));
        }
        offsets.push_back(offsets.back() + static_cast<std::int64_t>(length));
    }
    std::vector<std::int64_t> firsts, seconds, first_rows{0}, second_rows{0};
    const std::size_t count = small_size(data, 4);
    for (std::size_t p = 0; p < count; ++p) {
        firsts.push_back(data.ConsumeIntegralInRange<std::int64_t>(0, static_cast<std::int64_t>(sentences) - 1));
        seconds.push_back(data.ConsumeIntegralInRange<std::int64_t>(0, static_cast<std::int64_t>(sentences) - 1));
        const auto length = [&](std::int64_t s) {
            return offsets[static_cast<std::size_t>(s) + 1] - offsets[static_cast<std::size_t>(s)];
        };
        first_rows.push_back(first_rows.back() + length(firsts.back()));
        second_rows.push_back(second_rows.back() + length(seconds.back()));
    }
    const MeaningOptions options{data.ConsumeFloatingPointInRange<double>(0.0, 1.0),
                                 data.ConsumeFloatingPointInRange<double>(0.0, 1.0),
                                 data.ConsumeFloatingPointInRange<double>(0.01, 10.0),
                                 data.ConsumeFloatingPointInRange<double>(-1.0, 2.0)};
    const SentenceVectors vectors{values.data(), columns, offsets.data(), static_cast<std::int64_t>(sentences)};
    const SentencePairs pairs{firsts.data(), seconds.data(), first_rows.data(), second_rows.data(),
                              static_cast<std::int64_t>(count)};
    const auto ones = static_cast<std::size_t>(first_rows.back()), others = static_cast<std::size_t>(second_rows.back());
    std::vector<float> one(ones * kFirstColumns), one2(one), other(others * kSecondColumns), other2(other);
    std::vector<double> totals(count * kTotalColumns), totals2(totals);
    meanings(vectors, pairs, options, 1, one.data(), other.data(), totals.data());
    meanings(vectors, pairs, options, kSeveral, one2.data(), other2.data(), totals2.data());
    law(one == one2 && other == other2 && totals == totals2, "threads do not change a meaning, which is a number");
    for (std::size_t k = 0; k < ones; ++k) {
        law(std::abs(one[k * kFirstColumns + kPrecision]) <= 1.0F, "a cosine is one");
        law(one[k * kFirstColumns + kFirstLinked] >= 0.0F && one[k * kFirstColumns + kFirstLinked] <= 1.0001F,
            "a word is linked once at most");
    }
    for (std::size_t k = 0; k < others; ++k) {
        law(std::abs(other[k * kSecondColumns + kRecall]) <= 1.0F && std::abs(other[k * kSecondColumns + kBigram]) <= 1.0F,
            "a cosine is one");
    }
}

const Register kEmAligner("em-aligner", em_aligner);
const Register kWordCells("word-cells", word_cells);
const Register kMeaning("meaning", meaning);

}  // namespace
}  // namespace kilter::fuzz
