// Elements of the page. Text only ever becomes text nodes: nothing of the data is read as markup.
const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

function make(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function draw(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function byId(name) {
  return document.getElementById(name);
}

function number(value, digits = 4) {
  return value === null || value === undefined || Number.isNaN(value) ? "-" : value.toFixed(digits);
}

function signed(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return "-";
  const shown = Math.abs(value).toFixed(digits);
  return (Number(shown) === 0 ? "" : value < 0 ? "\u2212" : "+") + shown;
}

function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

// As tables in the terminal write it: with enough digits to tell it from a threshold of the legend that it lies below.
function probability(p) {
  if (p === null || p === undefined) return "-";
  if (p < 0.0001) return "< 0.0001";
  let digits = 4;
  while ([0.05, 0.01].some((threshold) => p < threshold && threshold <= Number(p.toFixed(digits)))) digits += 1;
  return p.toFixed(digits);
}

// A table with headers for rows and columns; cells are texts or elements, the first of a row its header.
function table(caption, columns, rows, options = {}) {
  const left = options.left || 1;
  const cells = (row) => row.map((cell, place) => {
    const given = typeof cell === "object" && cell !== null ? cell : document.createTextNode(cell);
    return place === 0
      ? make("th", { scope: "row", dir: "auto" }, given)
      : make("td", { class: place < left ? "text" : null, dir: place < left ? "auto" : null }, given);
  });
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {},
      make("caption", {}, caption),
      make("thead", {}, make("tr", {}, columns.map((name, place) =>
        make("th", { scope: "col", class: place < left ? "text" : null }, name)))),
      make("tbody", {}, rows.map((row) => make("tr", {}, cells(row))))));
}

// Numbers behind a picture, for whoever does not see it or wants them exactly.
function numbers(caption, columns, rows, options) {
  return make("details", {}, make("summary", {}, "Numbers"), table(caption, columns, rows, options));
}
