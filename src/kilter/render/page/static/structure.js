// The order of a segment's linked words, drawn on demand: as a matrix of links, and as a permutation tree.
function matrixDrawing(report, system, segment, moved) {
  const links = report.links[system].segment(segment);
  const hypothesis = report.systems[system].tokens(segment);
  const reference = referenceOf(report, system, segment).tokens(segment);
  const long = (tokens) => 12 + 7.5 * Math.max(1, ...tokens.map((token) => [...token.word].length));
  const [left, top, cell] = [long(reference), long(hypothesis), 18];
  const parts = [];
  hypothesis.forEach((token, place) => {
    const x = left + cell * (place + 0.5);
    parts.push(label(x + 4, top - 6, token.word, "start", { transform: `rotate(-90 ${x + 4} ${top - 6})` }));
    parts.push(draw("line", { class: "grid", x1: x, x2: x, y1: top, y2: top + cell * reference.length }));
  });
  reference.forEach((token, place) => {
    const y = top + cell * (place + 0.5);
    parts.push(label(left - 6, y + 4, token.word, "end"));
    parts.push(draw("line", { class: "grid", x1: left, x2: left + cell * hypothesis.length, y1: y, y2: y }));
  });
  for (const [first, second] of links) {
    const [x, y] = [left + cell * (first + 0.5), top + cell * (second + 0.5)];
    parts.push(moved.has(first)
      ? draw("rect", { x: x - 6, y: y - 6, width: 12, height: 12, fill: "var(--s1)" })
      : draw("circle", { cx: x, cy: y, r: 5, fill: "var(--s0)" }));
  }
  const drawing = picture(left + cell * hypothesis.length + 10, top + cell * reference.length + 10, `Matrix of links: ${report.names[system]} across, the ${report.against} downwards; misplaced words are squares`, ...parts);
  drawing.classList.add("large");
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": `Matrix of ${report.names[system]}` }, drawing);
}

// The permutation tree by shift and reduce: the newest node is joined with as few before it as make an interval.
function permutationTree(links) {
  const seconds = links.map((link) => link[1]).sort((one, two) => one - two);
  const stack = [];
  for (const [first, second] of links) {
    const rank = seconds.indexOf(second);
    stack.push({ low: rank, high: rank, size: 1, word: first, kind: "word", children: [] });
    for (let count = 2, node = stack.at(-1), [low, high, size] = [node.low, node.high, 1]; count <= stack.length; count += 1) {
      const next = stack[stack.length - count];
      [low, high, size] = [Math.min(low, next.low), Math.max(high, next.high), size + next.size];
      if (high - low + 1 !== size) continue;
      const children = stack.splice(stack.length - count, count);
      const kind = count > 2 ? "prime" : children[0].high < children[1].low ? "straight" : "inverted";
      const joined = kind !== "prime" && children[0].kind === kind ? [...children[0].children, children[1]] : children;
      const made = { low, high, size, kind, children: joined };
      stack.push(made);
      [low, high, size, count] = [made.low, made.high, made.size, 1];
    }
  }
  return stack[0];
}

function treeDrawing(report, system, segment, moved) {
  const links = report.links[system].segment(segment);
  const single = [0, 1].every((side) => new Set(links.map((link) => link[side])).size === links.length);
  if (!single || !links.length) return make("p", { class: "notes" }, "These links give no permutation.");
  const tokens = report.systems[system].tokens(segment);
  const shown = (node) => {
    if (node.kind === "word") return make("span", { class: moved.has(node.word) ? "moved" : null }, tokens[node.word].word);
    const order = node.children.map((child) => 1 + node.children.filter((other) => other.low < child.low).length);
    const told = { straight: "in order", inverted: "inverted", prime: order.join(" ") }[node.kind];
    return make("span", { class: `node ${node.kind}`, title: told }, make("span", { class: "operator" }, { straight: "\u2192", inverted: "\u2194", prime: told }[node.kind]), node.children.map(shown));
  };
  return make("div", {}, make("div", { class: "tree", dir: "auto" }, shown(permutationTree(links))),
    make("p", { class: "notes" }, "\u2192 parts in order, \u2194 parts inverted, numbers: the order of four or more parts of which no two neighbours belong together."));
}

// Dependency trees of the system and of the reference: an arc from each head to its word, with the relation.
function dependencyDrawing(report, system, segment, moved) {
  const texts = [[report.names[system], report.systems[system], moved], [report.against, referenceOf(report, system, segment), new Set()]];
  return make("div", {}, texts.filter(([, text]) => text.trees).map(([name, text, marked]) => arcs(name, text, segment, marked)));
}

function arcs(name, text, segment, marked) {
  const { heads, labels } = text.tree(segment);
  const height = (place) => 14 + 12 * Math.min(9, Math.abs(place - heads[place]));
  const top = 16 + Math.max(20, ...heads.map((head, place) => (head < 0 ? 26 : height(place))));
  const row = make("div", { class: "row" }, text.tokens(segment).map((token, place) => make("span", { class: marked.has(place) ? "moved" : null }, token.word)));
  const lines = draw("svg", { "aria-hidden": "true" });
  const told = heads.map((head, place) => `${row.children[place].textContent} ${head < 0 ? "root" : `${labels[place]} of ${row.children[head].textContent}`}`).join("; ");
  const space = make("div", { class: "gap" });
  space.style.height = `${top}px`;
  const drawing = make("div", { class: "links arcs", tabindex: "0", role: "region", "aria-label": `Dependency tree of ${name}: ${told}` }, space, make("div", { dir: "auto" }, row), lines);
  const place = () => {
    const at = placesIn(drawing);
    const middles = [...row.children].map((node) => at(node).x);
    const base = at(row).top + 2;
    lines.setAttribute("width", drawing.scrollWidth);
    lines.setAttribute("height", drawing.offsetHeight);
    lines.replaceChildren(...heads.flatMap((head, word) => {
      const look = { class: marked.has(word) ? "moved-link" : null };
      const x = middles[word];
      const tip = draw("path", { d: `M${x - 3},${base - 6} l3,6 l3,-6`, ...look });
      if (head < 0) return [draw("path", { d: `M${x},${base - 24} V${base}`, ...look }), tip, label(x, base - 28, "root", "middle", { class: "soft" })];
      const [from, up] = [middles[head] + (x > middles[head] ? 4 : -4), base - height(word)];
      return [draw("path", { d: `M${from},${base} C${from},${up} ${x},${up} ${x},${base}`, ...look }), tip, label((from + x) / 2, base - 0.75 * height(word) - 3, labels[word], "middle", { class: "soft" })];
    }));
  };
  followed(drawing, place);
  return make("div", {}, make("p", { class: "notes" }, make("bdi", {}, name)), drawing);
}

// Where words stand in a drawing, in its own pixels, also where it is made smaller for paper.
function placesIn(drawing) {
  const box = drawing.getBoundingClientRect();
  const scale = box.width / drawing.offsetWidth;
  return (node) => {
    const own = node.getBoundingClientRect();
    return { x: (own.left + own.width / 2 - box.left) / scale + drawing.scrollLeft, top: (own.top - box.top) / scale, bottom: (own.bottom - box.top) / scale };
  };
}

// Another size of text or window sets the words anew: lines follow them.
function followed(drawing, place) {
  drawing.placeLines = () => { if (drawing.offsetHeight) place(); };
  const sized = new ResizeObserver(drawing.placeLines);
  for (const each of [drawing, ...drawing.querySelectorAll(".row")]) sized.observe(each);
}

// A drawing that is made when it is first asked for.
function onDemand(name, drawing) {
  const place = make("div");
  const shown = make("details", {}, make("summary", {}, name), place);
  shown.addEventListener("toggle", () => { if (shown.open && !place.firstChild) place.append(drawing()); });
  return shown;
}
