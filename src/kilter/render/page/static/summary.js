// The first screen: scores that sort, and the kinds of errors that differ most between the two systems.
function sortScores() {
  const shown = byId("scores");
  const heads = [...shown.querySelectorAll("thead th")];
  for (const button of shown.querySelectorAll("[data-column]")) {
    button.addEventListener("click", () => {
      const column = Number(button.dataset.column);
      const before = heads[column].getAttribute("aria-sort");
      const down = before === "none" ? column > 0 : before === "ascending";
      heads.forEach((head, place) => head.setAttribute("aria-sort", place === column ? (down ? "descending" : "ascending") : "none"));
      const body = shown.querySelector("tbody");
      const value = (row) => {
        const cell = row.children[column];
        return column === 0 ? cell.querySelector("bdi").textContent : cell.dataset.value === undefined ? null : Number(cell.dataset.value);
      };
      const compared = (one, two) => {
        const [a, b] = [value(one), value(two)];
        if (a === null || b === null) return (a === null) - (b === null); // what is missing stays last
        return (down ? -1 : 1) * (a < b ? -1 : a > b ? 1 : 0);
      };
      body.append(...[...body.children].sort(compared));
    });
  }
}

const PLURALS = { swap: "swaps", word: "misplaced words", phrase: "misplaced phrases", inversion: "inversions", complex: "complex reorderings" };
const MOST_CARDS = 3;

function drawDiffering(report, state, open) {
  const target = byId("differing");
  if (!target || state.second === null) return;
  const counts = report.numbers.errors;
  const kinds = report.errors.kinds.map((kind, place) => ({ kind, place, first: counts[kind][state.first], second: counts[kind][state.second] }))
    .filter((row) => row.first !== row.second)
    .sort((one, two) => Math.abs(two.first - two.second) - Math.abs(one.first - one.second))
    .slice(0, MOST_CARDS);
  const drawings = [];
  target.replaceChildren(
    make("h3", {}, "Order errors that differ most: ", make("bdi", {}, report.names[state.first]), " and ", make("bdi", {}, report.names[state.second])),
    make("p", { class: "notes" }, "A system with more linked words shows more errors: compare systems by their scores, not by these counts."),
    kinds.length ? make("div", { class: "differing" }, kinds.map((row) => card(report, state, row, open, drawings))) : make("p", {}, "Both have the same number of order errors of each kind."));
  for (const drawn of drawings) drawn();
  // A long sentence is scrolled to the words that are misplaced.
  for (const drawing of target.querySelectorAll(".links")) {
    const first = drawing.querySelector(".moved");
    if (first && first.offsetLeft + first.offsetWidth > drawing.clientWidth - 40) drawing.scrollLeft = first.offsetLeft - 80;
  }
}

function card(report, state, row, open, drawings) {
  const [more, fewer] = row.first > row.second ? [state.first, state.second] : [state.second, state.first];
  const [many, few] = [Math.max(row.first, row.second), Math.min(row.first, row.second)];
  const segment = exampleOf(report, more, fewer, row.place);
  const errors = report.errors.of(more, segment);
  const error = errors.find((each) => each.kind === row.kind);
  const tokens = report.systems[more].tokens(segment);
  const { drawing, place } = linkDrawing(report, more, segment, new Set(error.words));
  drawings.push(place);
  const what = `segments of ${report.names[more]} with ${PLURALS[row.kind]}`;
  return make("article", {},
    make("h4", {}, make("bdi", {}, report.names[more]), ` has more ${PLURALS[row.kind]}: ${many} against ${few}`),
    make("p", {}, ...errorText(error, tokens, new Set(errors.flatMap((each) => each.moved))), "."),
    drawing,
    make("p", {}, make("button", { type: "button", onclick: () => open(segment) }, `Open segment ${segment + 1}`), " ",
      make("button", { type: "button", onclick: () => listSegments(report, what, (each) => report.errors.countOf(more, each, row.place) > 0) }, "List all")));
}

// A segment to look at: the other system has no order error there, this one few, and it is easy to read.
function exampleOf(report, more, fewer, kind) {
  const easy = 12;
  let best = null;
  for (let segment = 0; segment < report.count; segment += 1) {
    if (!report.errors.countOf(more, segment, kind)) continue;
    const cost = 100 * report.errors.count(fewer, segment) + 30 * (report.errors.count(more, segment) - 1) + Math.abs(report.systems[more].length(segment) - easy);
    if (best === null || cost < best.cost) best = { segment, cost };
  }
  return best.segment;
}
