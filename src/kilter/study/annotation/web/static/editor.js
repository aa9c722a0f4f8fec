// The editor of one sentence: what a person does becomes links, and everything else on the page follows them.
import { showAnnotators } from "./adjudication.js";
import { Alignment, key, same } from "./alignment.js";
import { showFindings, showReordering } from "./beside.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { chooseState } from "./conflict.js";
import { byId } from "./element.js";
import { LostLinks } from "./lost_link.js";
import { Matrix } from "./matrix.js";
import { remember, remembered } from "./memory.js";
import { showGuidelines } from "./panel.js";
import { RefusedError, Saving, post } from "./saving.js";
import { Shortcuts, shortcutTable } from "./shortcut.js";
import { TEXT } from "./text.js";

const PAUSE = { links: 120, text: 400 }; // milliseconds before the server looks at a change
const RETRY = 2000;
const VIEW = "kilter-annotate view";

const data = JSON.parse(byId("sentence-data").textContent);
const address = location.pathname.replace(/\/$/, "");
const text = byId("translation");
const comment = byId("comment");
const bookmark = byId("bookmark");
const alignment = new Alignment(data);
const languages = { source: data.source_language, target: data.target_language };
const clock = new Clock();
const lost = new LostLinks();
let isDone = data.state === "done";
let spent = data.seconds;

function say(words) {
  // Emptied first: the same words said again are news again.
  byId("said").textContent = "";
  requestAnimationFrame(() => { byId("said").textContent = words; });
  byId("note").textContent = words;
}

const board = new Board(byId("board"), alignment, { languages, say });
const matrix = new Matrix(byId("matrix"), alignment, { languages, say, board });
board.elsewhere = () => matrix.current;

function goTo(side, place) {
  if (!byId("board").hidden) board.focus(side, place);
  else if (side === "source") matrix.focus(place, matrix.focused.column);
  else matrix.focus(matrix.focused.row, place);
}

// Text and words of the translation

const written = () => (text ? text.value : alignment.translation);
const isPending = () => written() !== alignment.translation;

const state = () => ({
  translation: written(), target: alignment.target, links: alignment.links,
  comment: comment.value, bookmark: bookmark.getAttribute("aria-pressed") === "true", done: isDone,
});

let looks = 0;
let lookTimer = 0;

function lookSoon(pause) {
  clearTimeout(lookTimer);
  lookTimer = setTimeout(look, pause);
}

// Asks the server for words, reordering and findings; what was changed meanwhile is asked for again.
async function look() {
  looks += 1;
  const number = looks;
  const { translation, target, links } = state();
  try {
    const { answer } = await post(`${address}/look`, { translation, target, links });
    if (number === looks) follow(answer, { translation, target, links });
  } catch (error) {
    const isRefused = error instanceof RefusedError;
    byId("looked").textContent = isRefused ? error.message : TEXT.notLooked;
    if (number === looks && !isRefused) lookSoon(RETRY);
  }
}

const asMap = (sent) => ({ ...sent, links: new Map(sent.links.map((link) => [key(link.source, link.target), link])) });

// Shows an answer to what was sent, if that still is what the page shows.
function follow(answer, sent) {
  const now = state();
  if (now.translation !== sent.translation || !same(asMap({ ...now, translation: "" }), asMap({ ...sent, translation: "" }))) {
    lookSoon(PAUSE.links);
    return;
  }
  if (isPending() || JSON.stringify(answer.target) !== JSON.stringify(alignment.target)) {
    const { links, count } = lost.returned(sent, answer);
    // What costs or brings back links is a step of its own.
    if (answer.dropped || count) alignment.endTyping();
    alignment.retranslate({ translation: sent.translation, target: answer.target, links }, { isTyping: true });
    if (answer.dropped) say(TEXT.dropped(answer.dropped));
    if (count) {
      say(TEXT.returned(count));
      return; // what was answered is of fewer links: the change is looked at again
    }
    clearTimeout(lookTimer);
  }
  byId("looked").textContent = "";
  showReordering(byId("reordering"), answer.reordering, languages.source);
  showFindings(byId("findings"), answer.findings, board, goTo);
}

// Saving

const saving = new Saving({
  address, version: data.version, state, clock,
  say: (words, { isProblem = false } = {}) => {
    byId("status").textContent = words;
    byId("status").classList.toggle("failed", isProblem);
  },
  onsaved: (answer, sent, { isLatest }) => {
    spent = answer.seconds ?? spent;
    showState(answer.state);
    if (isLatest) follow(answer, sent);
    alignment.endTyping(); // what is typed after a pause is undone by itself
  },
  resolve: async (stored) => {
    const takesStored = await chooseState(state(), stored, alignment.source);
    if (takesStored) {
      take(stored);
      say(TEXT.taken);
    }
    return takesStored;
  },
});

// Makes a whole state, stored or kept, the one on the page.
function take(other) {
  alignment.retranslate(other);
  if (text) text.value = alignment.translation;
  comment.value = other.comment;
  showBookmark(other.bookmark);
  isDone = other.state ? other.state === "done" : other.done;
  showState(isDone ? "done" : other.state || "begun");
}

function showState(name) {
  byId("state").textContent = TEXT.state[name];
  byId("state").dataset.state = name;
  byId("is-done").hidden = name !== "done";
}

function showBookmark(isSet) {
  bookmark.setAttribute("aria-pressed", String(isSet));
}

// The view that a person chose is kept for all sentences.
function showTable(isTable) {
  if (isTable && matrix.isTooLarge) {
    say(TEXT.largeMatrix);
    return;
  }
  remember(VIEW, isTable ? "table" : "lines");
  byId("board").hidden = isTable;
  byId("matrix").hidden = !isTable;
  byId("view").setAttribute("aria-pressed", String(isTable));
  if (isTable) matrix.show();
  else board.show();
}

function changed() {
  if (isDone) {
    isDone = false;
    showState("begun");
  }
  saving.touch();
}

alignment.onChange(() => {
  changed();
  if (!isPending()) lookSoon(PAUSE.links);
  if (byId("board").hidden && matrix.isTooLarge) showTable(false);
});

text?.addEventListener("input", () => {
  // A sentence is one line: what is pasted or broken into more becomes one.
  if (/[\n\r\u2028\u2029]/.test(text.value)) text.value = text.value.replace(/\s*[\n\r\u2028\u2029]+\s*/g, " ");
  changed();
  lookSoon(PAUSE.text);
});
text?.addEventListener("blur", () => {
  alignment.endTyping();
  lost.clear();
});
comment.addEventListener("input", () => saving.touch());

// What buttons and keys do

function step(direction) {
  // Text whose words the server has not told yet is a change like any other.
  if (isPending()) alignment.retranslate({ ...state(), links: alignment.links }, { isTyping: true });
  const done = direction === "undo" ? alignment.undo() : alignment.redo();
  if (text) text.value = alignment.translation;
  const [yes, no] = direction === "undo" ? [TEXT.undone, TEXT.nothingToUndo] : [TEXT.redone, TEXT.nothingToRedo];
  say(done ? yes : no);
}

const names = (links) => links.map((link) => key(link.source, link.target));

async function go(path) {
  try {
    if (saving.isOpen) await saving.flush();
  } catch {
    return; // refused: the status says why, and the page stays
  }
  location.assign(path);
}

const sentence = (number) => `${address.replace(/[^/]+$/, "")}${number}`;
const list = byId("to-list").href;

const actions = {
  next: () => data.next && go(sentence(data.next)),
  previous: () => data.previous && go(sentence(data.previous)),
  nextOpen: () => go(data.next_open ? sentence(data.next_open) : list),
  done: async () => {
    // The words of a text that was just typed come first: done is what the person sees.
    if (isPending()) await look();
    const open = alignment.proposals.length;
    if (open) {
      say(TEXT.openProposals(open));
      return;
    }
    isDone = true;
    saving.touch();
    try {
      const answer = await saving.flush();
      if (!isDone) return; // another state was taken meanwhile
      const number = answer?.next_open ?? data.next_open;
      await go(number && number !== data.number ? sentence(number) : list);
    } catch {
      isDone = false;
    }
  },
  accept: () => {
    const count = alignment.accept(board.current);
    say(count ? TEXT.accepted(count) : TEXT.nothingChosen);
  },
  acceptAll: () => {
    const count = alignment.accept(names(alignment.proposals));
    say(count ? TEXT.accepted(count) : TEXT.noProposals);
  },
  rejectAll: () => {
    const count = alignment.remove(names(alignment.proposals));
    say(count ? TEXT.rejected(count) : TEXT.noProposals);
  },
  clear: () => {
    alignment.remove(names(alignment.links));
    board.unpick();
    say(TEXT.cleared);
  },
  kind: () => {
    const current = board.current;
    if (!current.length) {
      say(TEXT.nothingChosen);
      return;
    }
    const sure = alignment.switchKind(current);
    say(TEXT.nowKind(current.length, sure ? TEXT.sure : TEXT.possible));
  },
  remove: () => {
    const count = alignment.remove(board.current);
    say(count ? TEXT.removed(count) : TEXT.nothingChosen);
  },
  join: () => board.joinPicked(),
  several: () => {
    board.takesSeveral = !board.takesSeveral;
    byId("several").setAttribute("aria-pressed", String(board.takesSeveral));
    say(board.takesSeveral ? TEXT.severalOn : TEXT.severalOff);
  },
  view: () => showTable(byId("board").hidden === false),
  unpick: () => board.unpick(),
  words: () => {
    if (byId("board").hidden) matrix.focus(matrix.focused.row, matrix.focused.column);
    else board.focus(board.last, board.focused[board.last]);
  },
  translation: () => text?.focus(),
  comment: () => comment.focus(),
  bookmark: () => {
    const isSet = bookmark.getAttribute("aria-pressed") !== "true";
    showBookmark(isSet);
    saving.touch();
    say(isSet ? TEXT.bookmarked : TEXT.unbookmarked);
  },
  help: () => byId("help").showModal(),
  undo: () => step("undo"),
  redo: () => step("redo"),
};

for (const button of document.querySelectorAll("button[data-action]")) {
  button.addEventListener("click", () => actions[button.dataset.action]());
}
for (const link of document.querySelectorAll("a[data-leaves]")) {
  link.addEventListener("click", (event) => {
    if (!saving.isOpen) return;
    event.preventDefault();
    go(link.href);
  });
}
byId("shortcuts").append(shortcutTable());
new Shortcuts(actions, { switcher: byId("single-keys"), say });

board.onstate = () => {
  const proposals = alignment.proposals.length;
  const enable = (action, isOn) => {
    for (const button of document.querySelectorAll(`button[data-action="${action}"]`)) {
      button.setAttribute("aria-disabled", String(!isOn));
    }
  };
  enable("undo", alignment.canUndo);
  enable("redo", alignment.canRedo);
  enable("acceptAll", proposals > 0);
  enable("rejectAll", proposals > 0);
  enable("join", board.picked.source.size > 0 && board.picked.target.size > 0);
  byId("proposals").textContent = proposals ? TEXT.proposalCount(proposals) : "";
};

setInterval(() => { byId("time").textContent = TEXT.time(spent + clock.seconds); }, 1000);

// What the page begins with

showReordering(byId("reordering"), data.reordering, languages.source);
showFindings(byId("findings"), data.findings, board, goTo);
showState(data.state);
showBookmark(data.bookmark);
byId("time").textContent = TEXT.time(spent);
if (data.annotators) showAnnotators(data, { alignment, languages, say, take: (other) => take({ ...state(), ...other, state: "begun" }) });
showGuidelines();
if (remembered(VIEW) === "table") showTable(true);

const kept = saving.kept();
if (kept) {
  const isSame = same(asMap(kept), asMap(data)) && kept.comment === data.comment && kept.bookmark === data.bookmark;
  if (isSame) saving.forget();
  else if (kept.version === data.version || !(await chooseState(kept, data, data.source))) {
    take(kept);
    saving.touch();
    say(TEXT.restored);
  } else saving.forget();
}
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
document.body.dataset.ready = "yes";
