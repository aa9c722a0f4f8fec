// Asks the server whether the page is still what the files say, and loads it again when it is not.
const seconds = 1;
const KEPT = "kilter-report";
const kept = ["query", "where", "least", "most", "type", "tag"];
let known = null;

// What is chosen on this page, for the one that takes its place; systems and metrics by their names.
function keep() {
  const names = Object.fromEntries(["metric", "first", "second"].filter((key) => state[key] !== null).map((key) => [key, byId(key).selectedOptions[0].text]));
  const fields = Object.fromEntries(kept.map((key) => [key, byId(key).value]));
  sessionStorage.setItem(KEPT, JSON.stringify({ names, fields, sort: browser.sort, size: state.size, focus: document.activeElement.id, at: scrollY }));
}

function restore() {
  const before = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  if (!before) return;
  for (const [key, name] of Object.entries(before.names)) {
    const place = [...byId(key).options].findIndex((each) => each.text === name);
    if (place >= 0) [state[key], byId(key).selectedIndex] = [place, place];
  }
  for (const [key, value] of Object.entries(before.fields)) byId(key).value = value;
  state.size = before.size;
  browser.sort = before.sort;
  byId("sort").value = before.sort.key;
  changed();
  // Once the page is loaded, the browser goes to what its address names; this comes after.
  addEventListener("load", () => setTimeout(() => {
    if (before.focus) byId(before.focus)?.focus({ preventScroll: true });
    scrollTo(0, before.at);
  }));
}

async function ask() {
  try {
    const answer = await (await fetch("version", { cache: "no-store" })).json();
    if (known !== null && answer.version !== known) {
      try {
        keep();
      } finally {
        location.reload();
      }
    }
    known = answer.version;
    let told = byId("problem");
    if (answer.problem && !told) {
      told = make("p", { id: "problem", class: "problem", role: "alert" });
      document.body.prepend(told);
    }
    if (told) told.textContent = answer.problem || "";
    if (told && !answer.problem) told.remove();
  } catch {
    // The server is gone, or not there yet: what is shown stays.
  }
  setTimeout(ask, 1000 * seconds);
}
ask();
restore();
