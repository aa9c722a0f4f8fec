// The page as a whole: what is chosen, light or dark, keys that work everywhere.
const report = readReport(JSON.parse(byId("report-data").textContent));
const state = {
  metric: 0,
  first: report.pair ? report.pair[0] : 0,
  second: report.pair ? report.pair[1] : null,
  size: 2,
};

function option(value, text, selected) {
  return make("option", { value, selected }, text);
}

const metricChoice = byId("metric");
metricChoice.replaceChildren(...report.metrics.map((metric, place) => option(place, metric.name, place === state.metric)));
const systemChoices = { first: byId("first"), second: byId("second") };
for (const [side, select] of Object.entries(systemChoices)) {
  select.replaceChildren(...report.names.map((name, place) => option(place, name, place === state[side])));
}
for (const node of document.querySelectorAll("[data-two]")) node.hidden = report.names.length < 2;

// Filters and sorts by order errors are there where errors are.
const typed = byId("type").closest(".field");
typed.hidden = !report.errors;
if (report.errors) {
  byId("type").replaceChildren(option("", "any", true), option("some", "some", false), option("none", "none", false),
    ...report.errors.kinds.map((kind, place) => option(place, kind, false)));
  byId("sort").append(option("errors", "order errors of the first system", false),
    ...report.errors.kinds.map((kind, place) => option(`type:${place}`, `${kind} errors of the first system`, false)));
}

const classed = byId("tag").closest(".field");
classed.hidden = !report.errors || !report.systems.some((system) => system.trees);
if (!classed.hidden) byId("tag").replaceChildren(option("", "any", true), ...report.trees.tags.map((tag, place) => [place, tag]).sort((one, two) => (one[1] < two[1] ? -1 : 1)).map(([place, tag]) => option(place, tag, false)));

function closeSegment() {
  byId("segment").replaceChildren();
  history.replaceState(null, "", "#segments");
  browser.close();
}

const browser = new Browser(report, state, (segment) => {
  const heading = showSegment(report, state, segment, closeSegment);
  // Back closes what was opened; what the address names already is no new place.
  if (location.hash !== `#segment=${segment + 1}`) history.pushState(null, "", `#segment=${segment + 1}`);
  heading.focus({ preventScroll: true });
  byId("segment").scrollIntoView({ block: "nearest" });
});

function openFromElsewhere(segment) {
  showFinal();
  browser.show(segment);
  byId("segment").scrollIntoView({ block: "start" });
}

// Set two systems against one another.
function choosePair(first, second) {
  [state.first, state.second] = [first, second];
  for (const [side, select] of Object.entries(systemChoices)) select.value = state[side];
  changed();
  showFinal();
  byId("pair").scrollIntoView();
}

// Pictures are drawn when they come into view, and again when what they show was changed.
const pictures = {
  ...(byId("differing") ? { differing: () => drawDiffering(report, state, openFromElsewhere) } : {}),
  systems: () => drawSystems(report, state, choosePair),
  ranks: () => drawRanks(report, state),
  distributions: () => drawDistributions(report, state),
  words: () => drawWords(report, state),
  pair: () => drawPair(report, state, openFromElsewhere),
  ...(report.errors ? { errors: () => drawErrors(report, state) } : {}),
};
const seen = new Set();
const drawn = new Set();
const everDrawn = new Set();

function drawSeen() {
  for (const name of seen) {
    if (!drawn.has(name)) {
      drawn.add(name);
      everDrawn.add(name);
      pictures[name]();
    }
  }
}

// Draw what was never drawn, so that nothing moves away while it is scrolled to.
function showFinal() {
  for (const name of Object.keys(pictures)) {
    if (byId(name) && !everDrawn.has(name)) {
      seen.add(name);
      everDrawn.add(name);
    }
  }
  drawSeen();
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (entry.isIntersecting) seen.add(entry.target.id);
    else seen.delete(entry.target.id);
  }
  drawSeen();
}, { rootMargin: "400px" });
for (const name of Object.keys(pictures)) if (byId(name)) watcher.observe(byId(name));

function changed() {
  drawn.clear();
  drawSeen();
  browser.update();
  if (browser.selected !== null) showSegment(report, state, browser.selected, closeSegment);
}

metricChoice.addEventListener("change", () => {
  state.metric = Number(metricChoice.value);
  changed();
});
for (const [side, select] of Object.entries(systemChoices)) {
  select.addEventListener("change", () => {
    const other = side === "first" ? "second" : "first";
    const before = state[side];
    state[side] = Number(select.value);
    if (state[other] === state[side]) state[other] = before; // two systems: the other takes its place
    systemChoices[other].value = state[other];
    changed();
  });
}
byId("sort").addEventListener("change", (event) => browser.by(event.target.value, event.target.value !== "segment" && event.target.value !== "first" && event.target.value !== "second"));
byId("turn").addEventListener("click", () => browser.by(browser.sort.key, !browser.sort.down));

// Light or dark, as the system says until somebody chooses.
const theme = byId("theme");
function isDark() {
  return document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
function showTheme() {
  theme.setAttribute("aria-pressed", String(isDark()));
}
function remember(value) {
  try {
    if (value === undefined) return localStorage.getItem("kilter-theme");
    localStorage.setItem("kilter-theme", value);
  } catch {
    // A page from disk may have nowhere to remember.
  }
  return null;
}
const remembered = remember();
if (remembered === "light" || remembered === "dark") document.documentElement.dataset.theme = remembered;
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  remember(document.documentElement.dataset.theme);
  showTheme();
  drawn.delete("pair"); // a canvas keeps its colours
  drawSeen();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  showTheme();
  drawn.delete("pair");
  drawSeen();
});
showTheme();

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    showFinal();
    byId("filters").scrollIntoView({ block: "start" });
    byId("query").focus({ preventScroll: true });
    byId("query").select();
    event.preventDefault();
  } else if (event.key === "Escape") {
    if (browser.selected !== null) closeSegment();
    else if (event.target === byId("query")) byId("grid").focus();
  }
});
byId("query").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "Enter") {
    byId("grid").focus();
    event.preventDefault();
  }
});
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => {
    const text = byId(button.dataset.copy);
    const range = document.createRange();
    range.selectNodeContents(text);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    if (navigator.clipboard) navigator.clipboard.writeText(text.textContent).then(() => { button.textContent = "Copied"; }, () => {});
  });
}

// On paper everything is drawn, dark on light, and the list shows its first fifty segments.
const PAPER = 660; // pixels of CSS that every size of paper has room for
let before = null;
addEventListener("beforeprint", () => {
  before = document.documentElement.dataset.theme;
  document.documentElement.dataset.theme = "light";
  for (const name of Object.keys(pictures)) {
    if (byId(name)) pictures[name]();
    drawn.add(name);
  }
  fitLinks(PAPER);
  browser.printing = true;
  browser.resize();
});
addEventListener("afterprint", () => {
  if (before === undefined) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = before;
  fitLinks(null);
  browser.printing = false;
  browser.resize();
  drawn.clear();
  drawSeen();
});

sortScores();
browser.update();
function followAddress() {
  const asked = /^#segment=(.*)$/.exec(location.hash);
  const number = asked && /^\d+$/.test(asked[1]) ? Number(asked[1]) : 0;
  if (number >= 1 && number <= report.count) {
    if (number - 1 !== browser.selected) openFromElsewhere(number - 1);
  } else if (asked) {
    browser.close({ focus: false });
    byId("segment").replaceChildren(make("p", { class: "problem", role: "alert" },
      `There is no segment ${asked[1] || "without a number"}; the address can name 1 to ${report.count}.`));
    byId("segment").scrollIntoView({ block: "nearest" });
  } else if (browser.selected !== null || byId("segment").hasChildNodes()) {
    byId("segment").replaceChildren();
    browser.close({ focus: ["", "#segments"].includes(location.hash) }); // another section is looked at
  }
}
followAddress();
addEventListener("popstate", followAddress);
addEventListener("hashchange", followAddress);
document.documentElement.dataset.ready = "yes";
// Filters are quick from the first letter on if lines are ready before: those of the chosen systems first, and
// a text at a time, to stay responsive.
const chosen = [state.first, state.second].filter((system) => system !== null).map((system) => report.systems[system]);
const waiting = [...report.references, ...chosen, ...(report.source ? [report.source] : []), ...report.systems];
function prepare() {
  const text = waiting.shift();
  if (!text) return;
  text.searched();
  setTimeout(prepare, 5);
}
setTimeout(prepare, 30);
