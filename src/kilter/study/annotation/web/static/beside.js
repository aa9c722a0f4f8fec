// What stands beside the links: the order of the source words that they imply, and what the linter finds.
import { direction, make } from "./element.js";
import { TEXT } from "./text.js";

// Source words in the order of the translation; tied words in a frame, words without link set apart.
export function showReordering(element, reordering, language) {
  const tied = new Map(reordering.tied.flatMap((group) => group.map((place) => [place, group])));
  const unlinked = new Set(reordering.unlinked);
  const parts = [];
  let frame = null;
  reordering.order.forEach((place, count) => {
    const word = make("bdi", { lang: language, class: unlinked.has(place) ? "free" : null }, reordering.words[count]);
    const group = tied.get(place);
    if (!group) frame = null;
    else if (!frame || frame.group !== group) {
      frame = make("span", { class: "tied", title: TEXT.tied });
      frame.group = group;
      parts.push(frame, " ");
    }
    if (frame) frame.append(...(frame.childElementCount ? [" "] : []), word);
    else parts.push(word, " ");
  });
  element.dir = direction(reordering.words);
  element.replaceChildren(...parts);
}

// The findings as a list whose words lead to the board; the board marks these words.
export function showFindings(element, findings, board, goTo) {
  const found = { source: new Set(), target: new Set() };
  // What is said of several words is said once.
  const grouped = new Map();
  for (const finding of findings) {
    const words = ["source", "target"].flatMap((side) => finding[side].map((place) => ({ side, place })));
    for (const { side, place } of words) found[side].add(place);
    // The message names its word, which stands below as a button.
    const [own] = words.map(({ side, place }) => `${board.words(side)[place]}: `);
    const said = own && finding.message.startsWith(own) ? finding.message.slice(own.length) : finding.message;
    const message = said.charAt(0).toUpperCase() + said.slice(1);
    const name = `${finding.kind} ${message}`;
    if (!grouped.has(name)) grouped.set(name, { ...finding, message, words: [] });
    grouped.get(name).words.push(...words);
  }
  const word = ({ side, place }) => make("button", {
    type: "button", class: "plain", onclick: () => goTo(side, place),
  }, `${place + 1}\u00a0`, make("bdi", { lang: board.languages[side] }, board.words(side)[place]));
  const items = [...grouped.values()].map(({ kind, message, words }) => make("li", {},
    make("strong", {}, TEXT.finding[kind] || kind), " ", make("span", {}, message),
    make("span", { class: "words" }, words.map(word))));
  element.replaceChildren(...(items.length ? [make("ul", { class: "findings" }, items)] : [make("p", { class: "fine" }, TEXT.noFindings)]));
  board.mark(found);
}
