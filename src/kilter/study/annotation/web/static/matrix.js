// The links as a table: source words are rows, words of the translation columns, and each cell a pair.
import { key } from "./alignment.js";
import { direction, make } from "./element.js";
import { TEXT } from "./text.js";

const MOST = 6400; // cells: more would keep the browser busy for seconds
const SIGN = { none: "", sure: "\u25CF", possible: "?", proposed: "\u25CC" };

const kindOf = (link) => (!link ? "none" : link.proposed ? "proposed" : link.sure ? "sure" : "possible");

export class Matrix {
  constructor(element, alignment, { languages, say, board }) {
    Object.assign(this, { element, alignment, languages, say, board });
    this.focused = { row: 0, column: 0 };
    this.cells = new Map();
    this.linked = []; // names of the links that are shown
    alignment.onChange(() => this.show());
    element.addEventListener("keydown", (event) => this.#press(event));
  }

  // The pair in focus as the only current link, if the table is used.
  get current() {
    const cell = document.activeElement?.closest?.("tbody td");
    return cell && this.element.contains(cell) ? [cell.dataset.link] : null;
  }

  get isTooLarge() { return this.alignment.source.length * this.alignment.target.length > MOST; }

  show() {
    if (this.element.hidden || this.isTooLarge) return;
    if (this.shownWords !== this.alignment.target) this.#fill();
    const linked = this.alignment.links.map((link) => key(link.source, link.target));
    for (const name of new Set([...this.linked, ...linked])) this.#showCell(name);
    this.linked = linked;
    this.#rove();
  }

  #showCell(name) {
    const cell = this.cells.get(name);
    if (!cell) return; // a link of words that are no longer there
    const link = this.alignment.get(name);
    const kind = kindOf(link);
    cell.dataset.kind = kind;
    cell.querySelector(".sign").textContent = SIGN[kind];
    cell.querySelector(".kind").textContent = `, ${kind === "none" ? TEXT.unlinked : kind === "proposed" ? TEXT.proposed(link.certainty) : TEXT[kind]}`;
  }

  focus(row, column) {
    this.focused = { row, column };
    this.#rove();
    this.#cell()?.focus();
  }

  #cell() { return this.cells.get(key(this.focused.row, this.focused.column)); }

  #fill() {
    const { source, target } = this.alignment;
    this.shownWords = target;
    this.focused = { row: Math.min(this.focused.row, source.length - 1), column: Math.max(0, Math.min(this.focused.column, target.length - 1)) };
    const word = (side, words, place) => [`${place + 1}\u00a0`, make("bdi", { lang: this.languages[side] }, words[place])];
    this.cells = new Map();
    this.linked = [];
    const cell = (row, column) => this.#kept(key(row, column), make("td", {
      role: "gridcell", tabindex: "-1", "data-link": key(row, column),
      onclick: () => { this.focus(row, column); this.#turn(); },
      onfocus: () => { this.focused = { row, column }; this.#rove(); },
    }, make("span", { class: "sign", "aria-hidden": "true" }),
    make("span", { class: "spoken" }, word("source", source, row), " \u2013 ", word("target", target, column), make("span", { class: "kind" }, `, ${TEXT.unlinked}`))));
    this.element.replaceChildren(make("table", { role: "grid", dir: direction(target), "aria-label": TEXT.matrix },
      make("thead", {}, make("tr", {}, make("td", { class: "corner" }),
        target.map((_, column) => make("th", { scope: "col" }, make("span", {}, word("target", target, column)))))),
      make("tbody", {}, source.map((_, row) => make("tr", {},
        make("th", { scope: "row" }, word("source", source, row)), target.map((__, column) => cell(row, column)))))));
  }

  #kept(name, cell) {
    this.cells.set(name, cell);
    return cell;
  }

  #rove() {
    if (this.roved) this.roved.tabIndex = -1;
    this.roved = this.#cell();
    if (this.roved) this.roved.tabIndex = 0;
  }

  // From no link to a sure one, to a possible one, to none; a proposal is accepted first.
  #turn() {
    const { row, column } = this.focused;
    const name = key(row, column);
    const link = this.alignment.get(name);
    if (link?.proposed) this.alignment.accept([name]);
    else if (!link) this.alignment.join([row], [column]);
    else if (link.sure) this.alignment.switchKind([name]);
    else this.alignment.remove([name]);
    const now = this.alignment.get(name);
    this.say(now ? TEXT.linked(this.board.named("source", [row]), this.board.named("target", [column]), now.sure ? TEXT.sure : TEXT.possible) : TEXT.removed(1));
  }

  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { row, column } = this.focused;
    const last = { row: this.alignment.source.length - 1, column: this.alignment.target.length - 1 };
    const isRightToLeft = this.element.querySelector("table").dir === "rtl";
    const [back, on] = isRightToLeft ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"];
    const places = {
      [back]: [row, Math.max(0, column - 1)], [on]: [row, Math.min(last.column, column + 1)],
      ArrowUp: [Math.max(0, row - 1), column], ArrowDown: [Math.min(last.row, row + 1), column],
      Home: [row, 0], End: [row, last.column],
    };
    if (places[event.key]) this.focus(...places[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.#turn();
    else return;
    event.preventDefault();
  }
}
