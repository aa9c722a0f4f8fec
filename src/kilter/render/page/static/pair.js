// Two systems against one another: segments in a plane, sorted differences, n-grams.
function drawPair(report, state, open) {
  const section = byId("pair-pictures");
  if (report.names.length < 2) return;
  const metric = report.metrics[state.metric];
  const [first, second] = [state.first, state.second];
  const names = [report.names[first], report.names[second]];
  byId("pair-told").textContent = pairTold(report, metric, names);
  scatter(report, state, open);
  const a = report.scores[state.metric][first];
  const b = report.scores[state.metric][second];
  const differences = Array.from(a, (value, segment) => b[segment] - value).filter((value) => !Number.isNaN(value)).sort((x, y) => x - y);
  byId("differences-picture").replaceChildren(make("figure", {},
    make("figcaption", {}, `${names[1]} minus ${names[0]} in ${metric.name}, a value for each segment, sorted: `, ...sideDoors(report, state, metric), `.${asSystems(report, metric, names, differences)}`),
    areaChart(`Differences of segments in ${metric.name}, sorted`, differences)));
  section.hidden = false;
  if (report.against === "source") return; // words of two languages are not compared
  const found = report.numbers.ngrams.find((each) => names.includes(each.first) && names.includes(each.second));
  const turned = found.first !== names[0];
  const either = (words) => (segment) => hasWords(report.references[0], segment, words) && [first, second].some((system) => hasWords(report.systems[system], segment, words));
  const rows = (list) => list.map((row) => [doorButton(row.words.join(" "), report, `segments whose reference and one of the two systems have \u201c${row.words.join(" ")}\u201d`, either(row.words.join(" "))), String(turned ? row.second : row.first), String(turned ? row.first : row.second)]);
  byId("ngrams").replaceChildren(
    table(`N-grams of the reference found more often in ${names[0]}`, ["n-gram", names[0], names[1]], rows(turned ? found.better_second : found.better_first)),
    table(`N-grams of the reference found more often in ${names[1]}`, ["n-gram", names[0], names[1]], rows(turned ? found.better_first : found.better_second)));
}

// What resampling says of two systems: how often the second is better, and how far apart they are.
function pairTold(report, metric, names) {
  const found = pairOf(report, metric, names);
  if (found.share === null) return "";
  const better = found.second === names[1] ? found.share : null;
  const [one, two] = better === null ? [names[0], names[1]] : [names[1], names[0]];
  const effect = found.effect.standardised;
  const size = effect === null ? "" : ` The standardised difference over segments (Cohen's d) is ${signed(found.second === names[1] ? effect : -effect, 2)}.`;
  return `In ${metric.name}, ${one} is ${report.against === "source" ? "closer to the source" : "better"} than ${two} in ${(100 * found.share).toFixed(1)}% of ${report.numbers.comparison.resamples} resamples.${size}`;
}

// The same counts, each of which lists its segments.
function sideDoors(report, state, metric) {
  const [a, b] = [report.scores[state.metric][state.first], report.scores[state.metric][state.second]];
  const [one, two] = [report.names[state.first], report.names[state.second]];
  const sign = metric.higher ? 1 : -1;
  const side = (word, passes) => {
    const count = a.reduce((sum, _, segment) => sum + passes(sign * (b[segment] - a[segment])), 0);
    const what = `segments on which ${two} ${word === "equal" ? "equals" : `is ${report.against === "source" ? { better: "closer to the source", worse: "farther from the source" }[word] : word} than`} ${one} in ${metric.name}`;
    const text = word === "better" ? counted(count, "segment") : String(count);
    const told = report.against === "source" ? { better: "closer", equal: "equal", worse: "farther" }[word] : word;
    return [`${told} on `, count ? doorButton(text, report, what, (segment) => passes(sign * (b[segment] - a[segment]))) : text];
  };
  return [...side("better", (value) => value > 0), ", ", ...side("equal", (value) => value === 0), ", ", ...side("worse", (value) => value < 0)];
}

function sides(differences, metric) {
  const more = differences.filter((value) => value > 0).length;
  const less = differences.filter((value) => value < 0).length;
  const [better, worse] = metric.higher ? [more, less] : [less, more];
  return onSegments(better, differences.length - better - worse, worse);
}

function onSegments(better, equal, worse) {
  return `better on ${counted(better, "segment")}, equal on ${equal}, worse on ${worse}`;
}

// What kilter compare counts, where that is something else: a metric may score systems by other weights than segments.
function asSystems(report, metric, names, differences) {
  const found = pairOf(report, metric, names);
  const effect = found.effect;
  const [better, worse] = found.second === names[1] ? [effect.better, effect.worse] : [effect.worse, effect.better];
  const counts = onSegments(better, effect.equal, worse);
  return counts === sides(differences, metric) ? "" : ` These counts use the scores of segments. With system-level weights, as in kilter compare: ${counts}.`;
}

function pairOf(report, metric, names) {
  return report.numbers.comparison.comparisons.find((each) => each.metric === metric.name && names.includes(each.first) && names.includes(each.second));
}

function areaChart(title, values) {
  const width = 560;
  const height = 240;
  const upward = scaleOf([0, ...values.length ? [values[0], values[values.length - 1]] : []], height - 30, 10);
  const across = (place) => 52 + (place / Math.max(1, values.length)) * (width - 66);
  const parts = upward.ticks.flatMap((tick) => [
    draw("line", { class: tick === 0 ? "axis" : "grid", x1: 52, x2: width - 14, y1: upward(tick), y2: upward(tick) }),
    label(46, upward(tick) + 4, tickText(tick), "end"),
  ]);
  const points = values.map((value, place) => `${across(place + 0.5).toFixed(1)},${upward(value).toFixed(1)}`);
  parts.push(draw("polygon", { points: [`52,${upward(0)}`, ...points, `${width - 14},${upward(0)}`].join(" "), fill: "var(--s0)", "fill-opacity": 0.5, stroke: "var(--s0)" }));
  parts.push(label((52 + width) / 2, height - 6, "segments", "middle", { class: "soft" }));
  return picture(width, height, title, ...parts);
}

// Bubbles as in MT-Telescope: the larger, the longer the reference. A canvas, since there may be thousands.
function scatter(report, state, open) {
  const metric = report.metrics[state.metric];
  const names = [report.names[state.first], report.names[state.second]];
  const a = report.scores[state.metric][state.first];
  const b = report.scores[state.metric][state.second];
  const size = 420;
  const shown = window.devicePixelRatio || 1;
  const canvas = make("canvas", { width: size * shown, height: size * shown, role: "img", "aria-label": `Segments by ${metric.name}: across ${names[0]}, upwards ${names[1]}` });
  canvas.style.width = `${size}px`;
  const look = getComputedStyle(document.documentElement);
  const context = canvas.getContext("2d");
  context.scale(shown, shown);
  const values = [...a, ...b].filter((value) => Number.isFinite(value));
  const span = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
  const ends = Number.isFinite(span[0]) ? span : [0, 1];
  const across = scaleOf(ends, 46, size - 12);
  const upward = scaleOf(ends, size - 36, 12);
  context.font = "12px system-ui, sans-serif";
  context.lineWidth = 1;
  for (const tick of across.ticks) {
    context.strokeStyle = look.getPropertyValue("--line");
    context.beginPath();
    context.moveTo(across(tick), 12);
    context.lineTo(across(tick), size - 36);
    context.moveTo(46, upward(tick));
    context.lineTo(size - 12, upward(tick));
    context.stroke();
    context.fillStyle = look.getPropertyValue("--ink");
    context.textAlign = "center";
    context.fillText(tickText(tick), across(tick), size - 20);
    context.textAlign = "right";
    context.fillText(tickText(tick), 40, upward(tick) + 4);
  }
  context.fillStyle = look.getPropertyValue("--soft-ink");
  context.textAlign = "center";
  context.fillText(names[0], size / 2, size - 4, size - 60);
  context.save();
  context.rotate(-Math.PI / 2);
  context.fillText(names[1], -size / 2, 10, size - 60);
  context.restore();
  context.strokeStyle = look.getPropertyValue("--edge");
  context.beginPath();
  context.moveTo(across(across.low), upward(across.low));
  context.lineTo(across(across.high), upward(across.high));
  context.stroke();
  context.fillStyle = look.getPropertyValue("--s0");
  context.globalAlpha = a.length > 500 ? 0.25 : 0.55;
  const radii = new Float32Array(a.length);
  for (let segment = 0; segment < a.length; segment += 1) {
    if (!Number.isFinite(a[segment]) || !Number.isFinite(b[segment])) continue;
    radii[segment] = 1.5 + Math.sqrt(report.references[0].length(segment)) * 0.7;
    context.beginPath();
    context.arc(across(a[segment]), upward(b[segment]), radii[segment], 0, 2 * Math.PI);
    context.fill();
  }
  const nearest = (event) => {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * size;
    const y = ((event.clientY - box.top) / box.height) * size;
    let best = -1;
    let least = 15 * 15;
    for (let segment = 0; segment < a.length; segment += 1) {
      const far = (across(a[segment]) - x) ** 2 + (upward(b[segment]) - y) ** 2;
      if (far < least) [best, least] = [segment, far];
    }
    return best;
  };
  canvas.addEventListener("click", (event) => {
    const segment = nearest(event);
    if (segment >= 0) open(segment);
  });
  canvas.addEventListener("mousemove", (event) => {
    const segment = nearest(event);
    canvas.title = segment < 0 ? "" : `segment ${segment + 1}: ${number(a[segment])}, ${number(b[segment])}`;
  });
  byId("scatter").replaceChildren(make("figure", {}, make("figcaption", {}, `Each dot is a segment, larger for a longer ${report.against}: x ${names[0]}, y ${names[1]}, by ${metric.name}. Above the line ${names[1]} scores higher.`, hint("Click a dot to open its segment.")), canvas));
}
