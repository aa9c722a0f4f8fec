// Keys of the whole page. Those of one character are off while text is typed, and can be switched off (WCAG 2.1.4).
import { make } from "./element.js";
import { remember, remembered } from "./memory.js";
import { TEXT } from "./text.js";

const PLACE = "kilter-annotate shortcuts";

// What a key does: the action's name, how the key is written, what it is for; `single` ones can be switched off.
export const SHORTCUTS = [
  { key: "n", written: "n", action: "next", single: true },
  { key: "N", written: "Shift+n", action: "previous", single: true },
  { key: "o", written: "o", action: "nextOpen", single: true },
  { key: "d", written: "d", action: "done", single: true },
  { key: "a", written: "a", action: "accept", single: true },
  { key: "A", written: "Shift+a", action: "acceptAll", single: true },
  { key: "R", written: "Shift+r", action: "rejectAll", single: true },
  { key: "X", written: "Shift+x", action: "clear", single: true },
  { key: "p", written: "p", action: "kind", single: true },
  { key: "g", written: "g", action: "join", single: true },
  { key: "m", written: "m", action: "several", single: true },
  { key: "v", written: "v", action: "view", single: true },
  { key: "w", written: "w", action: "words", single: true },
  { key: "t", written: "t", action: "translation", single: true },
  { key: "c", written: "c", action: "comment", single: true },
  { key: "b", written: "b", action: "bookmark", single: true },
  { key: "?", written: "?", action: "help", single: true },
  { key: "Delete", written: "Delete", action: "remove" },
  { key: "Backspace", written: "Backspace", action: "remove" },
  { key: "Escape", written: "Escape", action: "unpick" },
  { key: "z", written: "Ctrl+z", action: "undo", control: true },
  { key: "Z", written: "Ctrl+Shift+z", action: "redo", control: true },
  { key: "y", written: "Ctrl+y", action: "redo", control: true },
];

// Keys of a word in focus, which the board itself takes.
const WORD_KEYS = [
  ["Arrow keys", "toNeighbour"], ["Home, End", "toEnd"], ["Tab, Shift+Tab", "toOther"],
  ["Enter or Space", "pick"], ["Shift+Enter", "pickPossible"], ["Ctrl+Space", "pickAnother"],
];

const isText = (node) => node.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]");

export class Shortcuts {
  constructor(actions, { switcher, say }) {
    this.actions = actions;
    this.switcher = switcher;
    switcher.checked = remembered(PLACE) !== "off";
    switcher.addEventListener("change", () => {
      remember(PLACE, switcher.checked ? "on" : "off");
      say(switcher.checked ? TEXT.shortcutsOn : TEXT.shortcutsOff);
    });
    document.addEventListener("keydown", (event) => this.#press(event));
    // Meant to pick one more word, it would press whatever button has the focus by chance.
    for (const name of ["keydown", "keyup"]) {
      document.addEventListener(name, (event) => { if (event.key === " " && event.ctrlKey) event.preventDefault(); });
    }
  }

  #press(event) {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if (isText(event.target) || document.querySelector("dialog[open]")) return;
    const hasControl = event.ctrlKey || event.metaKey;
    // Shift alone makes a capital of a letter: Caps Lock does not, and with Ctrl browsers differ.
    const isLetter = event.key.length === 1 && event.key.toLowerCase() !== event.key.toUpperCase();
    const name = !isLetter ? event.key : event.shiftKey ? event.key.toUpperCase() : event.key.toLowerCase();
    const found = SHORTCUTS.find((each) => each.key === name && Boolean(each.control) === hasControl);
    if (!found || (found.single && !this.switcher.checked)) return;
    event.preventDefault();
    this.actions[found.action]();
  }
}

// The table of all keys, for the help.
export function shortcutTable() {
  const rows = [...WORD_KEYS, ...SHORTCUTS.map(({ written, action }) => [written, action])];
  return make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, TEXT.keyHeader), make("th", { scope: "col" }, TEXT.doesHeader))),
    make("tbody", {}, rows.map(([written, action]) => make("tr", {},
      make("th", { scope: "row" }, make("kbd", {}, written)), make("td", {}, TEXT.action[action])))));
}
