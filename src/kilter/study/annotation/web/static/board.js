// The board of the editor: words as buttons, picked by mouse, touch or keyboard, and the lines between them.
import { key, sorted } from "./alignment.js";
import { direction, draw, make } from "./element.js";
import { colours, drawLinks, keepDrawn, layOut } from "./picture.js";
import { TEXT } from "./text.js";

const OTHER = { source: "target", target: "source" };
const DRAG = 8; // pixels that a pointer moves before it drags

export class Board {
  constructor(element, alignment, { languages, say }) {
    this.element = element;
    this.alignment = alignment;
    this.languages = languages;
    this.say = say;
    this.picked = { source: new Set(), target: new Set() };
    this.chosen = new Set();
    this.found = { source: new Set(), target: new Set() };
    this.focused = { source: 0, target: 0 };
    this.last = "source";
    this.takesSeveral = false;
    this.elsewhere = () => null; // links in focus outside the board
    this.onstate = () => {};
    this.sides = {};
    for (const side of ["source", "target"]) {
      this.sides[side] = make("div", { class: `side ${side}`, role: "group", "aria-label": TEXT[side], "data-empty": TEXT.noWords, onkeydown: (event) => this.#press(side, event) });
    }
    this.picture = draw("svg", { "aria-hidden": "true" });
    element.replaceChildren(this.sides.source, this.picture, this.sides.target);
    this.#fill("source");
    this.#fill("target");
    alignment.onChange(() => this.show());
    keepDrawn(element, () => this.#lines());
    element.addEventListener("focusin", () => this.#lines({ isLaidOut: true }));
    element.addEventListener("pointerdown", (event) => this.#drag(event));
    this.show();
  }

  words(side) { return side === "source" ? this.alignment.source : this.alignment.target; }

  // "2 dog": how a word is spoken of.
  named(side, places) {
    return [...places].sort((a, b) => a - b).map((place) => `${place + 1} ${this.words(side)[place]}`).join(", ");
  }

  button(side, place) { return this.sides[side].children[place]; }

  focus(side, place) {
    this.focused[side] = place;
    this.last = side;
    this.#rove(side);
    this.button(side, place)?.focus();
  }

  // The links that a key or a button acts on: clicked lines, else those of picked words, else of the word in focus.
  get current() {
    const outside = this.elsewhere();
    if (outside) return outside;
    if (this.chosen.size) return [...this.chosen];
    const { source, target } = this.picked;
    const links = this.alignment.links.filter((link) =>
      source.size && target.size ? source.has(link.source) && target.has(link.target)
        : source.size ? source.has(link.source)
          : target.size ? target.has(link.target)
            : link[this.last] === this.focused[this.last] && this.hasFocus);
    return links.map((link) => key(link.source, link.target));
  }

  get hasFocus() { return this.element.contains(document.activeElement); }

  unpick() {
    this.picked.source.clear();
    this.picked.target.clear();
    this.chosen.clear();
    this.show();
  }

  mark(found) {
    this.found = found;
    this.show();
  }

  // Links everything that is picked on one side with everything picked on the other.
  joinPicked({ sure = true } = {}) {
    const { source, target } = this.picked;
    if (!source.size || !target.size) return this.say(TEXT.pickOther);
    return this.#toggle([...source], [...target], sure);
  }

  show() {
    for (const side of ["source", "target"]) {
      if (this.sides[side].shownWords !== this.words(side)) this.#fill(side);
    }
    for (const name of this.chosen) if (!this.alignment.get(name)) this.chosen.delete(name);
    const colour = colours(this.alignment.links);
    for (const side of ["source", "target"]) {
      this.words(side).forEach((_, place) => this.#showWord(side, place, colour[side].get(place)));
      this.#rove(side);
    }
    this.#lines();
    this.onstate();
  }

  #fill(side) {
    const words = this.words(side);
    const element = this.sides[side];
    const lang = this.languages[side];
    const hadFocus = element.contains(document.activeElement);
    element.shownWords = words;
    element.dir = direction(words);
    element.replaceChildren(...words.map((word, place) => make("button", {
      type: "button", class: "word", tabindex: "-1", "data-side": side, "data-place": place,
      onclick: (event) => this.#click(side, place, event),
      onfocus: () => { this.focused[side] = place; this.last = side; this.#rove(side); },
    }, make("span", { class: "number" }, `${place + 1}`), " ", make("bdi", { lang }, word), make("span", { class: "partners", "aria-hidden": "true" }), make("span", { class: "spoken" }))));
    for (const place of this.picked[side]) if (place >= words.length) this.picked[side].delete(place);
    this.focused[side] = Math.min(this.focused[side], Math.max(0, words.length - 1));
    if (hadFocus) this.button(side, this.focused[side])?.focus();
  }

  #showWord(side, place, colour) {
    const button = this.button(side, place);
    const other = OTHER[side];
    const links = sorted(this.alignment.of(side, place));
    const isPicked = this.picked[side].has(place);
    button.setAttribute("aria-pressed", String(isPicked));
    const kinds = ["word", links.length ? `colour${colour}` : "free", this.found[side].has(place) ? "found" : ""];
    button.className = kinds.join(" ").trim();
    const sign = (link) => `${link[other] + 1}${link.proposed ? "…" : link.sure ? "" : "?"}`;
    button.querySelector(".partners").textContent = links.map(sign).join(" ");
    const parts = links.flatMap((link, count) => [
      count ? "; " : `, ${TEXT.linkedTo}`,
      `${link[other] + 1} `, make("bdi", { lang: this.languages[other] }, this.words(other)[link[other]]),
      `, ${link.sure ? TEXT.sure : TEXT.possible}${link.proposed ? `, ${TEXT.proposed(link.certainty)}` : ""}`,
    ]);
    if (!links.length) parts.push(`, ${TEXT.unlinked}`);
    if (this.found[side].has(place)) parts.push(`, ${TEXT.marked}`);
    button.querySelector(".spoken").replaceChildren(...parts);
  }

  #rove(side) {
    [...this.sides[side].children].forEach((button, place) => { button.tabIndex = place === this.focused[side] ? 0 : -1; });
  }

  #lines({ isLaidOut = false } = {}) {
    if (this.element.hidden) return;
    if (!isLaidOut) layOut(this.element);
    const isList = this.element.dataset.layout === "lists";
    const isNear = (link) => this.picked.source.has(link.source) || this.picked.target.has(link.target)
      || this.chosen.has(key(link.source, link.target))
      || (this.hasFocus && link[this.last] === this.focused[this.last]);
    drawLinks(this.element, this.alignment.links, {
      shown: (link) => !isList || isNear(link),
      mark: (links) => ({
        style: `${links.some((link) => this.chosen.has(key(link.source, link.target))) ? "chosen" : ""} ${links.some(isNear) ? "near" : ""}`,
        label: links[0].proposed
          ? links[0].certainty === null ? "" : `${Math.round(100 * links[0].certainty)}${links[0].sure ? "" : "?"}`
          : links[0].sure ? "" : "?",
      }),
      pick: (names, event) => this.#choose(names, event),
    });
  }

  #choose(names, event) {
    const isChosen = names.every((name) => this.chosen.has(name));
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) this.chosen.clear();
    for (const name of names) if (isChosen) this.chosen.delete(name); else this.chosen.add(name);
    this.picked.source.clear();
    this.picked.target.clear();
    this.show();
  }

  #click(side, place, event) {
    if (this.ignoresClick) return;
    this.pick(side, place, {
      several: this.takesSeveral || event.ctrlKey || event.metaKey || event.shiftKey,
      sure: !event.altKey,
    });
  }

  // Picks a word; the second, on the other side, links it with the first (or parts them).
  pick(side, place, { several = false, sure = true } = {}) {
    const mine = this.picked[side];
    const others = this.picked[OTHER[side]];
    this.chosen.clear();
    if (others.size && !several) {
      const pair = side === "source" ? [[place], [...others]] : [[...others], [place]];
      this.#toggle(...pair, sure);
      return;
    }
    const isPicked = mine.has(place);
    if (!several) mine.clear();
    if (isPicked) mine.delete(place); else mine.add(place);
    this.show();
    const all = [...new Set([this.named("source", this.picked.source), this.named("target", this.picked.target)])];
    this.say(mine.size || others.size ? TEXT.picked(all.filter(Boolean).join("; ")) : TEXT.unpicked);
  }

  #toggle(sources, targets, sure) {
    this.picked.source.clear();
    this.picked.target.clear();
    const { removed } = this.alignment.toggle(sources, targets, { sure });
    this.show();
    this.say(removed ? TEXT.removed(removed)
      : TEXT.linked(this.named("source", sources), this.named("target", targets), sure ? TEXT.sure : TEXT.possible));
  }

  #press(side, event) {
    const place = this.focused[side];
    const last = this.words(side).length - 1;
    const isLeft = this.sides[side].dir === "rtl" ? "ArrowRight" : "ArrowLeft";
    const isRight = this.sides[side].dir === "rtl" ? "ArrowLeft" : "ArrowRight";
    const layout = this.element.dataset.layout;
    const across = { rows: ["ArrowUp", "ArrowDown"], columns: ["ArrowLeft", "ArrowRight"], lists: [] }[layout];
    if (event.altKey || ((event.ctrlKey || event.metaKey) && event.key !== " ")) return;
    if (across.includes(event.key)) this.#cross(side, place);
    else if (event.key === isLeft || event.key === "ArrowUp") this.focus(side, Math.max(0, place - 1));
    else if (event.key === isRight || event.key === "ArrowDown") this.focus(side, Math.min(last, place + 1));
    else if (event.key === "Home") this.focus(side, 0);
    else if (event.key === "End") this.focus(side, last);
    else if (event.key === "Enter" || event.key === " ") {
      this.pick(side, place, { several: this.takesSeveral || event.ctrlKey || event.metaKey, sure: !event.shiftKey });
    } else return;
    event.preventDefault();
  }

  // To the first partner of a word, or to the word as far along on the other side.
  #cross(side, place) {
    const other = OTHER[side];
    const [link] = sorted(this.alignment.of(side, place));
    const there = this.words(other).length - 1;
    if (there < 0) return;
    const along = Math.round((place / Math.max(1, this.words(side).length - 1)) * there);
    this.focus(other, link ? link[other] : along);
  }

  // From one word to another with the mouse or a pen; a finger scrolls.
  #drag(event) {
    const word = event.target.closest?.(".word");
    if (!word || event.pointerType === "touch" || event.button !== 0) return;
    const { side } = word.dataset;
    const from = { x: event.clientX, y: event.clientY };
    const frame = this.picture.getBoundingClientRect();
    const line = draw("path", { class: "pulled" });
    this.ignoresClick = false;
    const over = (moved) => document.elementsFromPoint(moved.clientX, moved.clientY)
      .map((node) => node.closest(".word"))
      .find((node) => node && this.element.contains(node) && node.dataset.side === OTHER[side]);
    const move = (moved) => {
      if (Math.hypot(moved.clientX - from.x, moved.clientY - from.y) < DRAG) return;
      this.ignoresClick = true;
      line.setAttribute("d", `M${from.x - frame.left},${from.y - frame.top} L${moved.clientX - frame.left},${moved.clientY - frame.top}`);
      this.picture.append(line);
    };
    const end = (released) => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      line.remove();
      // The click that follows a drag is none of its own.
      setTimeout(() => { this.ignoresClick = false; });
      const found = this.ignoresClick && released.type === "pointerup" ? over(released) : null;
      if (!found) return;
      const pair = [Number(word.dataset.place), Number(found.dataset.place)];
      if (side === "target") pair.reverse();
      this.#toggle([pair[0]], [pair[1]], !released.altKey);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}
