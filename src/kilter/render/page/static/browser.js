// The list of segments: filtered and sorted at once, drawn only where it is looked at.
class Browser {
  constructor(report, state, opened) {
    this.report = report;
    this.state = state;
    this.opened = opened;
    this.grid = byId("grid");
    this.rows = byId("rows");
    this.order = [];
    this.active = 0;
    this.selected = null;
    this.sort = { key: "segment", down: false };
    this.only = null;
    this.grid.addEventListener("scroll", () => this.paint());
    this.grid.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.resize()).observe(this.grid);
    for (const button of this.grid.querySelectorAll("[data-key]")) {
      button.addEventListener("click", () => this.by(button.dataset.key));
    }
    for (const field of byId("filters").elements) field.addEventListener("input", () => this.update());
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
  }

  // The height of a row, in pixels: the style says it in rem, and another one for a phone.
  get row() {
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    return rem * parseFloat(getComputedStyle(this.grid).getPropertyValue("--row"));
  }

  // Only segments that something else on the page counts, whatever the filters were before.
  list(what, segments) {
    byId("filters").reset();
    this.only = { what, segments: new Set(segments) };
    this.update();
    byId("filters").scrollIntoView({ block: "start" });
    this.grid.focus({ preventScroll: true });
  }

  resize() {
    const shown = this.printing ? Math.min(50, this.order.length) : this.order.length;
    this.rows.style.height = `${shown * this.row}px`;
    this.paint();
  }

  by(key, down = null) {
    const same = this.sort.key === key;
    this.sort = { key, down: down === null ? (same ? !this.sort.down : key === "errors" || key === "difference") : down };
    byId("sort").value = key;
    this.update();
  }

  // What the list is sorted by: a number for each segment.
  values(key) {
    const { report, state } = this;
    const scores = report.scores[state.metric];
    if (key === "length") return (segment) => report.references[0].length(segment);
    if (key === "first") return (segment) => scores[state.first][segment];
    if (key === "second" && state.second !== null) return (segment) => scores[state.second][segment];
    if (key === "difference" && state.second !== null) return (segment) => scores[state.second][segment] - scores[state.first][segment];
    if (key === "distance" && state.second !== null) return (segment) => Math.abs(scores[state.second][segment] - scores[state.first][segment]);
    if (key === "errors" && report.errors) return (segment) => report.errors.count(state.first, segment);
    if (key.startsWith("type:") && report.errors) return (segment) => report.errors.countOf(state.first, segment, Number(key.slice(5)));
    return (segment) => segment;
  }

  // Segments that pass the filters.
  passing() {
    const { report, state } = this;
    const terms = [...searchable(byId("query").value).matchAll(/"([^"]+)"?|(\S+)/g)].map((found) => found[1] || found[2]);
    const where = byId("where").value;
    const [own, other] = [report.systems[state.first], state.second === null ? null : report.systems[state.second]];
    const texts = {
      any: [...report.references, own, ...(other ? [other] : []), ...(report.source ? [report.source] : [])],
      reference: report.references, first: [own], second: other ? [other] : [], source: report.source ? [report.source] : [],
    }[where];
    const lines = terms.length ? texts.map((text) => text.searched()) : [];
    const least = Number(byId("least").value || 0);
    const most = Number(byId("most").value || Infinity);
    const type = report.errors ? byId("type").value : "";
    const tag = own.trees ? byId("tag").value : "";
    const found = [];
    for (let segment = 0; segment < report.count; segment += 1) {
      if (this.only && !this.only.segments.has(segment)) continue;
      const length = report.references[0].length(segment);
      if (length < least || length > most) continue;
      if (type && !report.errors.passes(state.first, segment, type)) continue;
      if (tag && !report.errors.of(state.first, segment).some((error) => error.words.some((place) => own.tag(segment, place) === Number(tag)))) continue;
      if (terms.every((term) => lines.some((line) => line[segment].includes(term)))) found.push(segment);
    }
    return found;
  }

  update() {
    const value = this.values(this.sort.key);
    const sign = this.sort.down ? -1 : 1;
    const keys = new Float64Array(this.report.count);
    const passing = this.passing();
    for (const segment of passing) keys[segment] = value(segment);
    // What has no score is last, whichever way the list is sorted.
    for (const segment of passing) keys[segment] = Number.isNaN(keys[segment]) ? Infinity : sign * keys[segment];
    this.order = passing.sort((x, y) => (keys[x] < keys[y] ? -1 : keys[x] > keys[y] ? 1 : x - y));
    const at = this.selected === null ? -1 : this.order.indexOf(this.selected);
    this.active = Math.max(0, at);
    this.resize();
    this.grid.setAttribute("aria-rowcount", this.order.length + 1);
    this.grid.scrollTop = at < 0 ? 0 : Math.max(0, at * this.row - 120);
    for (const head of this.grid.querySelectorAll("[role=columnheader]")) {
      const key = head.querySelector("[data-key]")?.dataset.key;
      if (key) head.setAttribute("aria-sort", key === this.sort.key ? (this.sort.down ? "descending" : "ascending") : "none");
    }
    byId("only").replaceChildren(...(this.only ? [`Only ${this.only.what}. `, make("button", { type: "button", onclick: () => { this.only = null; this.update(); this.grid.focus(); } }, "Show all segments")] : []));
    byId("found").textContent = `${counted(this.order.length, "segment")} of ${this.report.count}`;
    this.paint();
  }

  // One row of the list, at its place in the order.
  line(at, shown) {
    const { report, state } = this;
    const segment = this.order[at];
    const scores = report.scores[state.metric];
    const [a, b] = [scores[state.first][segment], state.second === null ? NaN : scores[state.second][segment]];
    const cell = (text) => make("div", { role: "gridcell", class: "number" }, text);
    return make("div", {
      role: "row", id: `row-${segment}`, "aria-rowindex": at + 2, "data-shown": shown, onclick: () => { this.active = at; this.open(); },
    },
    cell(String(segment + 1)), cell(String(report.references[0].length(segment))), cell(number(a)), cell(number(b)), cell(signed(b - a)),
    cell(report.errors ? String(report.errors.count(state.first, segment)) : "-"),
    make("div", { role: "gridcell", class: "words" },
      make("div", { class: "line reference", dir: "auto" }, report.references[0].line(segment)),
      make("div", { class: "line", dir: "auto" }, report.systems[state.first].line(segment))));
  }

  paint() {
    const { state, row: height, printing } = this;
    const start = printing ? 0 : Math.max(0, Math.floor(this.grid.scrollTop / height) - 4);
    const end = Math.min(this.order.length, printing ? 50 : start + Math.ceil(this.grid.clientHeight / height) + 8);
    // A row that stays is the same element: one that is pressed while the list is painted can still be released.
    const kept = new Map([...this.rows.children].map((row) => [row.dataset.shown, row]));
    const made = [];
    for (let at = start; at < end; at += 1) {
      const shown = [at, this.order[at], state.metric, state.first, state.second, height].join(" ");
      const row = kept.get(shown) ?? this.line(at, shown);
      row.setAttribute("aria-selected", this.order[at] === this.selected ? "true" : "false");
      row.classList.toggle("active", at === this.active);
      row.style.top = `${at * height}px`;
      made.push(row);
    }
    const staying = new Set(made);
    for (const row of [...this.rows.children]) if (!staying.has(row)) row.remove();
    made.forEach((row, place) => { if (this.rows.children[place] !== row) this.rows.insertBefore(row, this.rows.children[place] ?? null); });
    const active = this.order[this.active];
    if (active === undefined || !byId(`row-${active}`)) this.grid.removeAttribute("aria-activedescendant");
    else this.grid.setAttribute("aria-activedescendant", `row-${active}`);
  }

  key(event) {
    if (event.target !== this.grid) return;
    const page = Math.max(1, Math.floor(this.grid.clientHeight / this.row) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      this.move(steps[event.key]);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      this.open();
      event.preventDefault();
    }
  }

  move(step) {
    this.active = Math.max(0, Math.min(this.order.length - 1, this.active + step));
    const [top, bottom] = [this.active * this.row, (this.active + 1) * this.row + this.grid.querySelector(".head").offsetHeight];
    if (top < this.grid.scrollTop) this.grid.scrollTop = top;
    if (bottom > this.grid.scrollTop + this.grid.clientHeight) this.grid.scrollTop = bottom - this.grid.clientHeight;
    this.paint();
  }

  open() {
    if (this.order[this.active] !== undefined) this.show(this.order[this.active]);
  }

  show(segment) {
    this.selected = segment;
    const at = this.order.indexOf(segment);
    if (at >= 0) this.active = at;
    this.paint();
    this.opened(segment);
  }

  close({ focus = true } = {}) {
    this.selected = null;
    this.paint();
    if (focus) this.grid.focus();
  }
}
