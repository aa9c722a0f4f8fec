// The links as a table: source words are rows, words of the translation columns, and each cell a pair.
import { key } from "./alignment.js";
import { direction, make } from "./element.js";
import { TEXT } from "./text.js";

const SIGN = { none: "", sure: "\u25CF", possible: "?", proposed: "\u25CC" };

const kindOf = (link) => (!link ? "none" : link.proposed ? "proposed" : link.sure ? "sure" : "possible");

export class Matrix {
  constructor(element, alignment, { languages, say, board }) {
    Object.assign(this, { element, alignment, languages, say, board });
    this.focused = { row: 0, column: 0 };
    alignment.onChange(() => this.show());
    element.addEventListener("keydown", (event) => this.#press(event));
  }

  // The pair in focus as the only current link, if the table is used.
  get current() {
    const cell = document.activeElement?.closest?.("tbody td");
    return cell && this.element.contains(cell) ? [cell.dataset.link] : null;
  }

  show() {
    if (this.element.hidden) return;
    if (this.shownWords !== this.alignment.target) this.#fill();
    for (const cell of this.element.querySelectorAll("tbody td")) {
      const link = this.alignment.get(cell.dataset.link);
      const kind = kindOf(link);
      cell.dataset.kind = kind;
      cell.querySelector(".sign").textContent = SIGN[kind];
      cell.querySelector(".kind").textContent = `, ${kind === "none" ? TEXT.unlinked : kind === "proposed" ? TEXT.proposed(link.certainty) : TEXT[kind]}`;
    }
    this.#rove();
  }

  focus(row, column) {
    this.focused = { row, column };
    this.#rove();
    this.#cell()?.focus();
  }

  #cell() { return this.element.querySelectorAll("tbody tr")[this.focused.row]?.querySelectorAll("td")[this.focused.column]; }

  #fill() {
    const { source, target } = this.alignment;
    this.shownWords = target;
    this.focused = { row: Math.min(this.focused.row, source.length - 1), column: Math.max(0, Math.min(this.focused.column, target.length - 1)) };
    const word = (side, words, place) => [`${place + 1}\u00a0`, make("bdi", { lang: this.languages[side] }, words[place])];
    const cell = (row, column) => make("td", {
      role: "gridcell", tabindex: "-1", "data-link": key(row, column),
      onclick: () => { this.focus(row, column); this.#turn(); },
      onfocus: () => { this.focused = { row, column }; this.#rove(); },
    }, make("span", { class: "sign", "aria-hidden": "true" }),
    make("span", { class: "spoken" }, word("source", source, row), " \u2013 ", word("target", target, column), make("span", { class: "kind" })));
    this.element.replaceChildren(make("table", { role: "grid", dir: direction(target), "aria-label": TEXT.matrix },
      make("thead", {}, make("tr", {}, make("td", { class: "corner" }),
        target.map((_, column) => make("th", { scope: "col" }, make("span", {}, word("target", target, column)))))),
      make("tbody", {}, source.map((_, row) => make("tr", {},
        make("th", { scope: "row" }, word("source", source, row)), target.map((__, column) => cell(row, column)))))));
  }

  #rove() {
    for (const cell of this.element.querySelectorAll("tbody td")) cell.tabIndex = -1;
    const cell = this.#cell();
    if (cell) cell.tabIndex = 0;
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
