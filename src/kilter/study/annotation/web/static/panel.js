// Guidelines beside the editor: the page of each is fetched when it is first opened.
import { byId } from "./element.js";
import { drawExamples } from "./example.js";
import { TEXT } from "./text.js";

export function showGuidelines() {
  const panel = byId("guidelines");
  const chosen = byId("guideline");
  const load = async () => {
    const body = byId("guideline-text");
    try {
      const response = await fetch(`${chosen.value}?panel=1`, { headers: { Accept: "text/html" } });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      body.replaceChildren(document.adoptNode(page.querySelector(".guideline")));
      drawExamples(body);
    } catch {
      body.textContent = TEXT.noGuideline;
    }
  };
  panel.addEventListener("toggle", () => { if (panel.open && !byId("guideline-text").childElementCount) load(); });
  chosen.addEventListener("change", load);
}
