// Order errors, as error_data.py packs them.
const STATES = ["linked", "added", "missing", "unlinked"];

function unsigned(value) {
  return value & 1 ? -((value + 1) >> 1) : value >> 1;
}

function positionsOf(given) {
  const offsets = offsetsOf(unpacked(given.counts));
  const places = unpacked(given.places);
  for (let part = 0; part + 1 < offsets.length; part += 1) {
    let at = 0;
    for (let place = offsets[part]; place < offsets[part + 1]; place += 1) {
      at += unsigned(places[place]);
      places[place] = at;
    }
  }
  return (part) => [...places.slice(offsets[part], offsets[part + 1])];
}

class Errors {
  constructor(given) {
    this.kinds = given.kinds;
    this.metrics = given.metrics;
    this.systems = given.systems.map((system) => ({
      offsets: offsetsOf(unpacked(system.counts)),
      kinds: unpacked(system.kinds),
      directions: unpacked(system.directions),
      distances: unpacked(system.distances),
      before: unpacked(system.before),
      words: positionsOf(system.words),
      moved: positionsOf(system.moved),
      shares: unpacked(system.shares).map(unsigned),
      costs: system.costs.map((column) => unpacked(column).map(unsigned)),
      losses: system.losses.map(unpacked),
      references: unpacked(system.references),
      hypothesisStates: bytesOf(system.hypothesis_states),
      referenceStates: bytesOf(system.reference_states),
      referenceOffsets: offsetsOf(unpacked(system.reference_lengths)),
    }));
    this.parts = given.parts;
  }

  count(system, segment) {
    const { offsets } = this.systems[system];
    return offsets[segment + 1] - offsets[segment];
  }

  countOf(system, segment, kind) {
    const { offsets, kinds } = this.systems[system];
    let count = 0;
    for (let at = offsets[segment]; at < offsets[segment + 1]; at += 1) if (kinds[at] === kind) count += 1;
    return count;
  }

  // Whether a segment has errors as the filter asks for: some, none, or some of a kind.
  passes(system, segment, wanted) {
    if (wanted === "some") return this.count(system, segment) > 0;
    if (wanted === "none") return this.count(system, segment) === 0;
    return this.countOf(system, segment, Number(wanted)) > 0;
  }

  of(system, segment) {
    const own = this.systems[system];
    const found = [];
    for (let at = own.offsets[segment]; at < own.offsets[segment + 1]; at += 1) {
      found.push({
        kind: this.kinds[own.kinds[at]],
        words: own.words(at),
        moved: own.moved(at),
        left: own.directions[at] === 0,
        distance: own.distances[at],
        before: own.before[at],
        share: own.shares[at] / this.parts.share,
        costs: own.costs.map((column) => column[at] / this.parts.cost),
      });
    }
    return found;
  }

  // What the first metric loses: by order, by equal words that are linked crosswise, by words without a link.
  losses(system, segment) {
    return this.systems[system].losses.map((column) => unsigned(column[segment]) / this.parts.cost);
  }

  reference(system, segment) {
    return this.systems[system].references[segment];
  }

  // The state of each word of a segment, of the hypothesis or of the reference.
  states(system, segment, begin, count, side) {
    const own = this.systems[system];
    const bytes = side === "hypothesis" ? own.hypothesisStates : own.referenceStates;
    const start = side === "hypothesis" ? begin : own.referenceOffsets[segment];
    return Array.from({ length: count }, (_, place) => STATES[(bytes[(start + place) >> 2] >> (2 * ((start + place) & 3))) & 3]);
  }
}

function errorsOf(report, system, segment) {
  return report.errors ? report.errors.of(system, segment) : [];
}

// The reference that links and errors of a segment are about.
function referenceOf(report, system, segment) {
  return report.references[report.errors ? report.errors.reference(system, segment) : 0];
}

function quoted(tokens, places) {
  const parts = [];
  places.forEach((place, turn) => {
    if (turn) parts.push(place === places[turn - 1] + 1 ? (tokens[place].joined ? "" : " ") : " \u2026 ");
    parts.push(tokens[place].word);
  });
  return ["\u201c", make("bdi", {}, parts), "\u201d"];
}

// What is wrong, and where the words belong, in words.
function errorText(error, tokens, moving) {
  const rest = error.words.filter((place) => !error.moved.includes(place));
  if ((error.kind === "swap" || error.kind === "inversion") && rest.length) {
    const blocks = [error.moved, rest].sort((one, two) => one[0] - two[0]);
    return [...quoted(tokens, blocks[0]), " and ", ...quoted(tokens, blocks[1]), " changed places"];
  }
  if (error.kind === "complex") return [...quoted(tokens, error.moved), ` belong in another order, up to ${counted(error.distance, "linked word")} away`];
  const where = error.before >= tokens.length ? ["at the end"] : ["before ", ...quoted(tokens, [error.before]), moving.has(error.before) ? " (also moved)" : ""];
  return [...quoted(tokens, error.moved), " belongs ", ...where, `, ${counted(error.distance, "linked word")} ${error.left ? "earlier" : "later"}`];
}

// The errors of a segment; each shows its own words and links when it is pressed.
const MOST_ERRORS = 20;

function errorList(report, system, segment, errors, show) {
  if (!report.errors) return null;
  const tokens = report.systems[system].tokens(segment);
  const told = lossText(report, system, segment);
  const moving = new Set(errors.flatMap((error) => error.moved));
  if (!errors.length) return make("p", { class: "notes" }, `No order errors. ${told}`);
  const item = (error) => make("li", {},
    make("button", {
      type: "button", class: "kind", "aria-pressed": "false",
      onclick: (event) => {
        const pressed = event.currentTarget.getAttribute("aria-pressed") !== "true";
        for (const each of event.currentTarget.closest("ol").querySelectorAll("button")) each.setAttribute("aria-pressed", "false");
        event.currentTarget.setAttribute("aria-pressed", String(pressed));
        show(pressed ? new Set(error.words) : null);
      },
    }, error.kind), " ", ...errorText(error, tokens, moving),
    make("span", { class: "low" }, ` ${report.errors.metrics.map((name, place) => `${name} ${signed(error.costs[place])}`).join(", ")}; ${(100 * error.share).toFixed(1)}% of what ${report.errors.metrics[0]} loses to words out of order`));
  const list = make("ol", { class: "errors" }, errors.slice(0, MOST_ERRORS).map(item));
  const rest = errors.length <= MOST_ERRORS ? null : make("p", { class: "notes" }, `These are the first ${MOST_ERRORS} of ${errors.length} errors. `,
    make("button", { type: "button", onclick: () => { list.append(...errors.slice(MOST_ERRORS).map(item)); rest.remove(); list.children[MOST_ERRORS].querySelector("button").focus(); } }, "Show all"));
  const below = errors.some((error) => error.costs.some((cost) => cost < 0))
    ? make("p", { class: "notes" }, "Below 0: the score would fall if this error alone were repaired, because others are still out of place.") : null;
  return make("div", {}, list, rest, below, make("p", { class: "notes" }, told));
}

// What the score lacks of its best, and by what.
function lossText(report, system, segment) {
  const { metrics } = report.errors;
  const [order, crossed, missing] = report.errors.losses(system, segment);
  const parts = [[order, "to words out of order"], [crossed, "to equal words that are linked crosswise"], [missing, "to words of the reference without a link"]]
    .filter(([loss]) => loss > 0).map(([loss, by]) => `${number(loss)} ${by}`);
  return parts.length ? `${metrics[0]} loses ${parts.join(", ")}.` : "";
}

// How many errors of each kind systems have, and the words that are misplaced most often.
function drawErrors(report, state) {
  const { kinds } = report.errors;
  const counts = report.numbers.errors;
  figure(byId("error-kinds"), ["Order errors by kind: the fewest moves that restore the order of the reference.", hint("Click a bar to list its segments.")],
    stackedChart("Order errors by kind", kinds, report.names.map((name, place) => ({ name, values: kinds.map((kind) => counts[kind][place]), passes: (kind) => (segment) => report.errors.countOf(place, segment, kind) > 0 })), "order errors", report),
    make("ul", { class: "legend" }, kinds.map((kind, place) => make("li", {},
      draw("svg", { width: 16, height: 14, "aria-hidden": "true" }, draw("rect", { x: 1, y: 2, width: 14, height: 10, fill: colour(place) })), PLURALS[kind]))),
    numbers("Order errors by kind", ["system", ...kinds.map((kind) => PLURALS[kind]), "all", "per segment", "left out"], report.names.map((name, place) => {
      const row = kinds.map((kind) => counts[kind][place]);
      const all = row.reduce((sum, value) => sum + value, 0);
      const cells = row.map((count, kind) => doorButton(String(count), report, `segments of ${name} with ${PLURALS[kinds[kind]]}`, (segment) => report.errors.countOf(place, segment, kind) > 0));
      return [name, ...cells, String(all), number(all / report.count, 2), String(report.numbers.errors_left_out[place])];
    })));
  drawErrorGroups(report, state);
}

// What errors of the two chosen systems have in common, the greatest loss first.
const GROUPINGS = {
  word: "Misplaced words", construction: "Misplaced constructions: relation and tag of the head of a block",
  tag: "Misplaced words by tag", relation: "Misplaced words by relation",
  distance: "Linked words passed over", length: "Length of the hypothesis, in words",
};

function drawErrorGroups(report, state) {
  const systems = [state.first, ...(state.second === null ? [] : [state.second])];
  const first = report.errors.metrics[0];
  const tables = (names) => names.flatMap((grouping) => systems.flatMap((system) => {
    const groups = report.numbers.error_groups[system][grouping];
    if (!groups || !groups.length) return [];
    const counts = groups.some((group) => group.occurrences !== null);
    return [table(`${GROUPINGS[grouping]}: ${report.names[system]}`, [grouping, "errors", ...(counts ? ["occurrences"] : []), `${first} lost`],
      groups.map((group) => [doorButton(group.name, report, `segments of ${report.names[system]} with order errors of the group \u201c${group.name}\u201d`, hasErrorOf(report, system, grouping, group.name)), String(group.errors), ...(counts ? [group.occurrences === null ? "-" : String(group.occurrences)] : []), number(group.loss, 2)]))];
  }));
  const [shown, folded] = [["word", "construction"], ["tag", "relation", "distance", "length"]];
  byId("error-groups").replaceChildren(...tables(shown));
  byId("more-groups").replaceChildren(make("details", {}, make("summary", {}, report.trees ? "By distance, length, tag and relation" : "By distance and length"),
    make("div", { class: "plots" }, tables(folded))));
}
