// One segment in full: texts with their differences, links drawn on demand, order errors, all scores.

// Keys of all n-grams of words, with how often each is there.
function ngramsOf(words, size) {
  const found = new Map();
  for (let at = 0; at + size <= words.length; at += 1) {
    const key = words.slice(at, at + size).join(" ");
    found.set(key, (found.get(key) || 0) + 1);
  }
  return found;
}

// For each word of one system: "better" where an n-gram is confirmed by a reference and the other system
// lacks it, "worse" where no reference has it nor the other system, else nothing. [MT-ComparEval]
function marksOf(report, segment, own, other, size) {
  const words = report.systems[own].numbers(segment);
  const marks = new Array(words.length).fill("");
  const references = report.references.map((text) => ngramsOf(text.numbers(segment), size));
  const others = ngramsOf(report.systems[other].numbers(segment), size);
  for (let at = 0; at + size <= words.length; at += 1) {
    const key = words.slice(at, at + size).join(" ");
    if (others.has(key)) continue;
    const mark = references.some((each) => each.has(key)) ? "better" : "worse";
    for (let place = at; place < at + size; place += 1) if (marks[place] !== "better") marks[place] = mark;
  }
  return marks;
}

function sentence(name, tokens, classes = [], titles = []) {
  const words = [];
  tokens.forEach((token, place) => {
    if (place && !token.joined) words.push(" ");
    words.push(make("span", { class: classes[place] || null, title: titles[place] || null, "data-word": token.word }, token.word));
  });
  return make("p", { class: "sentence" }, make("bdi", { class: "name" }, name), make("span", { dir: "auto" }, words.length ? words : "(empty)"));
}

// What words without a link are called: of the hypothesis, of the reference, of both.
const WITHOUT_LINK = { added: "only in the translation", missing: "only in the reference", unlinked: "worded differently" };

// Two rows of words with a line for each link; lines of misplaced words stand out.
function linkDrawing(report, system, segment, moved) {
  const links = report.links[system].segment(segment);
  const hypothesis = report.systems[system].tokens(segment);
  const reference = referenceOf(report, system, segment).tokens(segment);
  const linked = [new Set(links.map((link) => link[0])), new Set(links.map((link) => link[1]))];
  const begin = report.systems[system].offsets[segment];
  const states = report.errors
    ? [report.errors.states(system, segment, begin, hypothesis.length, "hypothesis"), report.errors.states(system, segment, begin, reference.length, "reference")]
    : [hypothesis, reference].map((tokens, side) => tokens.map((_, place) => (linked[side].has(place) ? "linked" : "unlinked")));
  const row = (tokens, side) => make("div", { class: "row" }, tokens.map((token, place) => {
    const state = states[side][place];
    const misplaced = side === 0 && moved.has(place);
    return make("span", { class: [state === "linked" ? "" : "free", misplaced ? "moved" : ""].join(" ").trim() || null, title: misplaced ? "misplaced" : state === "linked" ? null : WITHOUT_LINK[state] }, token.word);
  }));
  const upper = row(hypothesis, 0);
  const lower = row(reference, 1);
  const lines = draw("svg", { "aria-hidden": "true" });
  const wrapper = (content) => make("div", { dir: "auto" }, content);
  const told = report.against === "source" ? "" : ["added", "missing", "unlinked"].map((state) => {
    const words = states.flatMap((side, place) => side.flatMap((each, at) => (each === state ? [[hypothesis, reference][place][at].word] : [])));
    return words.length ? `${WITHOUT_LINK[state]}: ${words.join(" ")}` : null;
  }).filter(Boolean).join("; ");
  const drawing = make("div", { class: "links", tabindex: "0", role: "region", "aria-label": `Links between ${report.names[system]} and the ${report.against}: ${counted(links.length, "link")}` },
    wrapper(upper), make("div", { class: "gap" }), wrapper(lower), lines);
  const place = () => {
    const at = placesIn(drawing);
    lines.setAttribute("width", drawing.scrollWidth);
    lines.setAttribute("height", drawing.offsetHeight);
    lines.replaceChildren(...links.map(([first, second]) => {
      const start = at(upper.children[first]);
      const end = at(lower.children[second]);
      const middle = (start.bottom + end.top) / 2;
      return draw("path", { class: moved.has(first) ? "moved-link" : null, d: `M${start.x},${start.bottom} C${start.x},${middle} ${end.x},${middle} ${end.x},${end.top}` });
    }));
  };
  followed(drawing, place);
  // Words of one error alone, or all again.
  const show = (words) => {
    links.forEach(([first], number) => lines.children[number]?.classList.toggle("faded", words !== null && !words.has(first)));
    [...upper.children].forEach((node, number) => node.classList.toggle("shown", words !== null && words.has(number)));
  };
  return { drawing: make("div", {}, drawing, told ? make("p", { class: "notes" }, `Words without a link. ${told[0].toUpperCase()}${told.slice(1)}.`) : null), place, show };
}

// On paper nothing scrolls: drawings are as wide as their words, and one that is wider than the paper is made
// smaller as a whole, words and lines alike.
function fitLinks(width) {
  for (const drawing of document.querySelectorAll(".links")) {
    for (const name of ["width", "transform", "margin-bottom"]) drawing.style.removeProperty(name);
    if (width !== null) {
      const room = drawing.closest(".differing") ? width - 40 : width;
      const needed = Math.max(...[...drawing.querySelectorAll(".row")].map((row) => row.offsetWidth)) + 16;
      const scale = Math.min(1, room / needed);
      const height = drawing.offsetHeight;
      drawing.style.width = `${needed}px`;
      drawing.style.transform = `scale(${scale})`;
      drawing.style.marginBottom = `${(scale - 1) * height}px`;
    }
    drawing.placeLines();
  }
}

function scoreTable(report, segment) {
  return table(`Scores of segment ${segment + 1}`, ["system", ...report.metrics.map((metric) => metric.name)],
    report.names.map((name, system) => [name, ...report.scores.map((row) => number(row[system][segment]))]));
}

// What one system did: its text with marks, its order errors, its links.
function systemPart(report, state, segment, system, other) {
  const errors = errorsOf(report, system, segment);
  const moved = new Set(errors.flatMap((error) => error.words));
  const tokens = report.systems[system].tokens(segment);
  const isSource = report.against === "source";
  const marks = other === null || isSource ? [] : marksOf(report, segment, system, other, state.size);
  const known = new Set(report.references.flatMap((text) => text.numbers(segment)));
  const numbers = report.systems[system].numbers(segment);
  const classes = tokens.map((_, place) => [
    marks[place] || (isSource || known.has(numbers[place]) ? "" : "absent"), moved.has(place) ? "moved" : "",
  ].join(" ").trim());
  const titles = tokens.map((_, place) => [
    marks[place] === "better" ? "the other system lacks this" : marks[place] === "worse" ? "only here" : isSource || known.has(numbers[place]) ? "" : "not in the reference",
    moved.has(place) ? "misplaced" : "",
  ].filter(Boolean).join(", "));
  const { drawing, place, show } = linkDrawing(report, system, segment, moved);
  const shown = make("details", { open: system === state.first }, make("summary", {}, "Links"), drawing);
  const score = report.scores[state.metric][system][segment];
  const part = make("div", {},
    sentence(`${report.names[system]}, ${report.metrics[state.metric].name} ${number(score)}`, tokens, classes, titles),
    errorList(report, system, segment, errors, (words) => { shown.open = true; place(); show(words); }), shown,
    onDemand("Matrix", () => matrixDrawing(report, system, segment, moved)),
    onDemand("Permutation tree", () => treeDrawing(report, system, segment, moved)),
    report.systems[system].trees ? onDemand("Dependency trees", () => dependencyDrawing(report, system, segment, moved)) : null);
  shown.addEventListener("toggle", () => { if (shown.open) place(); });
  return { part, place: () => { if (shown.open) place(); } };
}

function showSegment(report, state, segment, close) {
  const target = byId("segment");
  const others = [state.first, ...(state.second === null ? [] : [state.second])];
  const parts = others.map((system, turn) => systemPart(report, state, segment, system, others.length > 1 ? others[1 - turn] : null));
  const rest = report.names.map((_, system) => system).filter((system) => !others.includes(system));
  const size = make("select", { onchange: (event) => { state.size = Number(event.target.value); showSegment(report, state, segment, close); byId("size").focus(); }, id: "size" },
    [1, 2, 3, 4].map((each) => make("option", { value: each, selected: each === state.size }, counted(each, "word"))));
  const heading = make("h3", { tabindex: "-1", id: "segment-title" }, `Segment ${segment + 1}`);
  target.replaceChildren(
    heading,
    make("div", { class: "filters" },
      make("button", { type: "button", onclick: close }, "Close"),
      make("p", { class: "hint" }, "Click a word to list the segments that have it."),
      others.length > 1 && report.against !== "source" ? make("div", { class: "field" }, make("label", { for: "size" }, "Highlight n-grams of"), size) : null,
      others.length > 1 && report.against !== "source" ? make("p", { class: "hint" },
        make("span", { class: "better" }, "correct, only in this system"), " ", make("span", { class: "worse" }, "in no reference, only in this system"), " ",
        make("span", { class: "absent" }, "word not in the reference"), " ", make("span", { class: "moved" }, "misplaced")) : null),
    ...(report.source ? [sentence("source", report.source.tokens(segment))] : []),
    ...report.references.map((text, place) => sentence(report.references.length > 1 ? `reference ${place + 1}: ${text.name}` : report.against, text.tokens(segment))),
    ...parts.map((each) => each.part),
    rest.length ? make("details", {}, make("summary", {}, `Other systems (${rest.length})`), rest.map((system) => sentence(report.names[system], report.systems[system].tokens(segment)))) : "",
    scoreTable(report, segment));
  for (const word of target.querySelectorAll("[data-word]")) {
    const known = word.dataset.word;
    word.addEventListener("click", () => {
      if (!getSelection().isCollapsed) return; // somebody marks a text
      const texts = [...report.references, ...(report.source ? [report.source] : []), ...others.map((system) => report.systems[system])];
      listSegments(report, `segments with \u201c${known}\u201d`, (each) => texts.some((text) => hasWords(text, each, known)));
    });
  }
  target.setAttribute("aria-labelledby", "segment-title");
  for (const each of parts) each.place();
  return heading;
}
