// Shows some of the sentences: by state, bookmark, comment or findings, and by their words.
import { remember, remembered } from "./memory.js";

const form = document.getElementById("filter");
const rows = [...document.querySelectorAll(".sentences > li")];
const PLACE = "kilter-annotate filter";

function show() {
  const chosen = form.elements.show.value;
  const words = form.elements.words.value.trim().toLowerCase();
  remember(PLACE, chosen);
  let count = 0;
  for (const row of rows) {
    const fits = chosen === "all" || row.dataset.state === chosen || row.dataset[chosen] === "true";
    row.hidden = !fits || !row.querySelector(".words").textContent.toLowerCase().includes(words);
    count += Number(!row.hidden);
  }
  document.getElementById("shown").textContent = `${count} of ${rows.length} shown`;
}

form.elements.show.value = remembered(PLACE) || "all";
form.hidden = false;
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
show();
