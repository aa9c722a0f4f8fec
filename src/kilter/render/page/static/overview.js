// Pictures and tables about all systems, by the metric that is chosen.
function intervalsOf(report, metric) {
  return report.numbers.comparison.systems.map((system) => system.scores[report.metrics[metric].name]);
}

// The lines of the two systems that are looked at stand out among many.
function isChosen(report, state, place) {
  return report.names.length > 3 && (place === state.first || place === state.second);
}

// What can be done with a mouse, which paper does not say.
function hint(text) {
  return make("span", { class: "hint" }, ` ${text}`);
}

function figure(parent, caption, ...parts) {
  parent.replaceChildren(make("figure", {}, make("figcaption", {}, ...[caption].flat()), ...parts));
}

function drawSystems(report, state, choose) {
  const metric = report.metrics[state.metric];
  const scores = intervalsOf(report, state.metric);
  const level = Math.round(100 * report.numbers.comparison.level);
  figure(byId("intervals"), `${metric.name} of each system with ${level}% bootstrap intervals; ${metric.higher ? "higher" : "lower"} is ${report.against === "source" ? "closer to the order of the source" : "better"}.`,
    intervalChart(`${metric.name} of ${counted(report.names.length, "system")}`,
      report.names.map((name, place) => ({ name, series: place, value: scores[place].score, low: scores[place].low, high: scores[place].high })), metric.name));
  byId("matrix").replaceChildren(report.names.length > 1 ? matrix(report, metric, choose) : "");
}

// Marks of all pairs, row against column; each cell leads to its two systems.
function matrix(report, metric, choose) {
  const found = new Map();
  for (const pair of report.numbers.comparison.comparisons) {
    if (pair.metric === metric.name) found.set(`${pair.first}\n${pair.second}`, pair);
  }
  const test = report.numbers.comparison.tests[0];
  const cell = (row, column) => {
    if (row === column) return "";
    const [one, other] = [report.names[row], report.names[column]];
    const straight = found.get(`${other}\n${one}`);
    const pair = straight || found.get(`${one}\n${other}`);
    const sign = straight ? 1 : -1;
    if (pair.difference === null) return "-";
    const mark = pair.mark === null ? "" : straight ? pair.mark : pair.mark.replace(/[+-]/, (each) => (each === "+" ? "-" : "+"));
    const sides = { "+": "up", "-": "down" }[mark[0]] || "";
    return make("button", { type: "button", class: "plain", title: `Compare ${report.names[column]} and ${report.names[row]}`, onclick: () => choose(column, row) },
      make("span", { class: `mark ${sides}` }, mark), make("span", { class: "number" }, ` ${signed(sign * pair.difference)}`), make("br"), make("span", { class: "low" }, `p ${probability(pair.holm[test])}`));
  };
  const names = report.names;
  const shown = table(`${metric.name}, row minus column, with its mark and the corrected p-value of the ${test} test`,
    ["system", ...names], names.map((row, place) => [row, ...names.map((_, column) => cell(place, column))]));
  shown.classList.add("matrix");
  if (names.length > 8) shown.classList.add("large"); // on paper its marks alone have room
  return make("details", { open: true }, make("summary", {}, "All pairs"), make("p", { class: "hint" }, "Click a cell to compare its two systems."), shown);
}

function drawRanks(report, state) {
  const names = report.metrics.map((metric) => metric.name);
  const series = report.names.map((name, place) => ({ name, series: place, strong: isChosen(report, state, place), values: names.map((metric) => report.numbers.ranks[metric][place]) }));
  figure(byId("ranks-picture"), `Rank of each system by each metric: 1 is ${report.against === "source" ? "closest to the order of the source" : "best"}, equal scores share a rank.`,
    lineChart("Ranks of systems by metric", names, series, { down: true, reach: [1, report.names.length], ticks: report.names.map((_, place) => place + 1), height: Math.max(220, 26 * report.names.length + 70), x: "metric" }),
    legend(report.names),
    numbers("Ranks by metric", ["system", ...names], series.map((each) => [each.name, ...each.values.map((value) => (value === null ? "-" : String(value)))])));
}

function drawDistributions(report, state) {
  const metric = report.metrics[state.metric];
  const found = report.numbers.distributions[metric.name];
  const inBin = (system, bin) => (segment) => {
    const value = report.scores[state.metric][system][segment];
    const [low, high] = [found.edges[bin], found.edges[bin + 1]];
    return value >= Math.fround(low) && (bin === found.edges.length - 2 ? value <= Math.fround(high) : value < Math.fround(high));
  };
  const spans = found.edges.slice(0, -1).map((edge, bin) => `${tickText(edge)} to ${tickText(found.edges[bin + 1])}`);
  figure(byId("distribution"), [`Distribution of ${metric.name} over the segments; the triangle is the median.`, hint("Click a bar to list its segments.")],
    histogramChart(`Distribution of segment scores by ${metric.name}`, found.edges,
      report.names.map((name, place) => ({ name, series: place, counts: found.counts[place], median: found.medians[place], passes: (bin) => inBin(place, bin), told: (bin) => `segments of ${name} with ${metric.name} ${spans[bin]}` })), metric.name, report),
    numbers(`Segments by ${metric.name}`, ["system", "median", ...spans], report.names.map((name, place) => [name, number(found.medians[place]),
      ...found.counts[place].map((count, bin) => (count ? doorButton(String(count), report, `segments of ${name} with ${metric.name} ${spans[bin]}`, inBin(place, bin)) : "0"))])));
  const lengths = report.numbers.lengths;
  const used = lengths.labels.map((_, place) => place).filter((place) => lengths.counts[place]);
  const labels = used.map((place) => lengths.labels[place]);
  const scores = lengths.scores[metric.name];
  const ofLength = (place) => ({ told: `segments whose ${report.against} has ${lengths.labels[place]} words`, passes: (segment) => inBucket(lengths.labels[place])(report.references[0].length(segment)) });
  figure(byId("length"), [`${metric.name} by length of the ${report.against}.`, hint("Click a point to list its segments.")],
    lineChart(`${metric.name} by length of the ${report.against}`, labels,
      report.names.map((name, place) => ({ name, series: place, strong: isChosen(report, state, place), values: used.map((bucket) => scores[place][bucket]), told: (at) => ofLength(used[at]).told, passes: (at) => ofLength(used[at]).passes })), { x: `words of the ${report.against}`, report }),
    legend(report.names),
    numbers(`${metric.name} by length of the ${report.against}`, ["system", ...used.map((place) => doorButton(`${lengths.labels[place]} words (${counted(lengths.counts[place], "segment")})`, report, ofLength(place).told, ofLength(place).passes))],
      report.names.map((name, place) => [name, ...used.map((bucket) => number(scores[place][bucket]))])));
}

const WORDS = {
  frequency: ["how often the word occurs in the reference", "frequency in the reference"],
  letters: ["length of the word", "characters of the word"],
  tag: ["part of speech (a word may have another tag in the reference)", "tag"],
};

function drawWords(report, state) {
  const differences = report.numbers.length_differences;
  const shown = differences.labels.map((_, place) => place).filter((place) => differences.counts.some((row) => row[place]));
  const longer = (place, bucket) => ({
    told: `segments of ${report.names[place]} whose length minus that of the reference is ${differences.labels[bucket]}`,
    passes: (segment) => inBucket(differences.labels[bucket])(report.systems[place].length(segment) - report.references[0].length(segment)),
  });
  figure(byId("length-difference"), "Number of segments by how many words longer than the reference they are; shorter is below 0.",
    lineChart("Segments by difference in length", shown.map((place) => differences.labels[place]),
      report.names.map((name, place) => ({ name, series: place, strong: isChosen(report, state, place), values: shown.map((bucket) => differences.counts[place][bucket]), told: (at) => longer(place, shown[at]).told, passes: (at) => longer(place, shown[at]).passes })), { x: "words more than the reference", report, reach: [0], below: 64, apart: true }),
    legend(report.names),
    numbers("Segments by difference in length", ["system", ...shown.map((place) => differences.labels[place])],
      report.names.map((name, place) => [name, ...shown.map((bucket) => doorButton(String(differences.counts[place][bucket]), report, longer(place, bucket).told, longer(place, bucket).passes))])));
  for (const [grouping, [by, axis]] of Object.entries(WORDS)) {
    const words = report.numbers.word_accuracy[grouping];
    if (!words) continue;
    const known = words.labels.map((_, place) => place).filter((place) => words.wanted[place]);
    const labels = known.map((place) => words.labels[place]);
    const lacking = (place, bucket) => ({
      told: `segments where ${report.names[place]} lacks words of the reference (${axis}: ${words.labels[bucket]})`,
      passes: lacksWords(report, place, wordsOf(report, grouping, words.labels[bucket])),
    });
    figure(byId(`words-${grouping}`), [`Word accuracy (F1) by ${by}.`, hint("Click a point to list the segments that lack such words.")],
      lineChart(`Word accuracy by ${grouping}`, labels,
        report.names.map((name, place) => ({ name, series: place, strong: isChosen(report, state, place), values: known.map((bucket) => words.f1[place][bucket]), told: (at) => lacking(place, known[at]).told, passes: (at) => lacking(place, known[at]).passes })), { x: axis, report, below: 64, apart: grouping === "tag" }),
      legend(report.names),
      numbers(`F1 of words by ${grouping}`, ["system", ...known.map((place) => `${words.labels[place]} (${counted(words.wanted[place], "word")})`)], report.names.map((name, place) => [name, ...known.map((bucket) => doorButton(number(words.f1[place][bucket]), report, lacking(place, bucket).told, lacking(place, bucket).passes))])));
  }
}
