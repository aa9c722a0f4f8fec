// Two sides of words and the lines between them: how they are laid out, and how links are drawn.
import { groups, key } from "./alignment.js";
import { draw } from "./element.js";

const COLOURS = 7;
const NARROW = 560; // pixels: below this, columns leave no room for lines, or for buttons of a finger's size
const NARROW_STILL = 240;

// Rows if both sides fit in one line each, else columns, or on a phone two wrapped lists.
export function layOut(board) {
  board.dataset.layout = "rows";
  const sides = [...board.querySelectorAll(".side")];
  const fits = sides.every((side) => side.scrollWidth <= side.clientWidth + 1);
  const narrow = board.matches(".still, .example") ? NARROW_STILL : NARROW;
  if (!fits) board.dataset.layout = board.clientWidth < narrow ? "lists" : "columns";
  return board.dataset.layout;
}

// Draws now, when fonts have come, and whenever the board has another width: the height follows from it.
export function keepDrawn(board, show) {
  let width = -1;
  new ResizeObserver(() => {
    if (board.clientWidth === width) return;
    width = board.clientWidth;
    show();
  }).observe(board);
  document.fonts?.ready.then(show);
}

export function colours(links) {
  const found = { source: new Map(), target: new Map() };
  groups(links).forEach((group, place) => {
    group.sources.forEach((word) => found.source.set(word, place % COLOURS));
    group.targets.forEach((word) => found.target.set(word, place % COLOURS));
  });
  return found;
}

const kind = (link) => `${link.sure} ${link.proposed}`;

// A group whose words are all linked with one another, all alike, is drawn as one, with a knot; others link by link.
function strands(links) {
  return groups(links).flatMap((group, place) => {
    const colour = place % COLOURS;
    const isWhole = group.sources.size > 1 && group.targets.size > 1
      && group.links.length === group.sources.size * group.targets.size
      && group.links.every((link) => kind(link) === kind(group.links[0]));
    const made = isWhole ? [group.links] : group.links.map((link) => [link]);
    return made.map((each) => ({ links: each, colour, isKnot: isWhole }));
  });
}

function ends(layout, box, frame, side) {
  const left = box.left - frame.left;
  const top = box.top - frame.top;
  if (layout === "columns") return { x: side === "source" ? left + box.width : left, y: top + box.height / 2 };
  return { x: left + box.width / 2, y: side === "source" ? top + box.height : top };
}

function curve(layout, from, to) {
  if (layout === "columns") {
    const bend = (to.x - from.x) / 2.5;
    return `M${from.x},${from.y} C${from.x + bend},${from.y} ${to.x - bend},${to.y} ${to.x},${to.y}`;
  }
  const bend = (to.y - from.y) / 2.5;
  return `M${from.x},${from.y} C${from.x},${from.y + bend} ${to.x},${to.y - bend} ${to.x},${to.y}`;
}

// A label stands nearer to the source word than to the middle, where lines cross.
const LABEL = 0.3;

function labelled(layout, from, to) {
  const bent = 3 * LABEL * LABEL - 2 * LABEL ** 3; // how far the curve has gone across, about
  const along = LABEL;
  const [x, y] = layout === "columns" ? [along, bent] : [bent, along];
  return { x: from.x + x * (to.x - from.x), y: from.y + y * (to.y - from.y) + 4 };
}

const middle = (points) => ({
  x: points.reduce((sum, point) => sum + point.x, 0) / points.length,
  y: points.reduce((sum, point) => sum + point.y, 0) / points.length,
});

// Draws links into the board's picture. `shown` says which are drawn, `mark` gives a class and a label to each strand,
// `pick` is called with the names of the links of a line that is clicked.
export function drawLinks(board, links, { shown = () => true, mark = () => ({}), pick = null } = {}) {
  const picture = board.querySelector("svg");
  const layout = board.dataset.layout;
  const frame = picture.getBoundingClientRect();
  const words = {
    source: [...board.querySelectorAll(".side.source .word")],
    target: [...board.querySelectorAll(".side.target .word")],
  };
  const end = (side, place) => ends(layout, words[side][place].getBoundingClientRect(), frame, side);
  const parts = [];
  for (const { links: each, colour, isKnot } of strands(links)) {
    if (!each.some(shown)) continue;
    const { style = "", label = "" } = mark(each);
    const [link] = each;
    const classes = ["link", `colour${colour}`, link.proposed ? "proposed" : link.sure ? "sure" : "possible", style].join(" ");
    const sources = [...new Set(each.map((one) => one.source))].map((place) => end("source", place));
    const targets = [...new Set(each.map((one) => one.target))].map((place) => end("target", place));
    const centre = middle([middle(sources), middle(targets)]);
    const paths = isKnot
      ? [...sources.map((point) => curve(layout, point, centre)), ...targets.map((point) => curve(layout, centre, point))]
      : [curve(layout, sources[0], targets[0])];
    const names = each.map((one) => key(one.source, one.target));
    parts.push(draw("g", { class: classes, "data-links": names.join(" ") },
      paths.map((path) => [
        pick ? draw("path", { class: "hit", d: path, onclick: (event) => pick(names, event) }) : null,
        draw("path", { class: "line", d: path }),
      ]).flat(),
      isKnot ? draw("circle", { class: "knot", cx: centre.x, cy: centre.y, r: 6 }) : null,
      label ? draw("text", { ...(isKnot ? { x: centre.x, y: centre.y - 10 } : labelled(layout, sources[0], targets[0])), "text-anchor": "middle" }, label) : null));
  }
  picture.replaceChildren(...parts);
}
