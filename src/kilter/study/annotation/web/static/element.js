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

export function make(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function draw(name, attributes, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export function byId(name) {
  return document.getElementById(name);
}

const RIGHT_TO_LEFT =
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

// As dir="auto" decides, of words that lie in elements of their own.
export function direction(words) {
  return RIGHT_TO_LEFT.test(words.join(" ")) ? "rtl" : "ltr";
}
