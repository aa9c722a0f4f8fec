// Draws the worked examples of guidelines; their links stand below in words, too.
import { draw } from "./element.js";
import { drawLinks, keepDrawn, layOut } from "./picture.js";

export function drawExamples(root) {
  for (const board of root.querySelectorAll(".board.example")) {
    const links = board.dataset.links.split(" ").filter(Boolean).map((written) => {
      const [, source, target, mark] = /^(\d+)-(\d+)(\??)$/.exec(written);
      return { source: Number(source), target: Number(target), sure: !mark, proposed: false };
    });
    if (!board.querySelector("svg")) board.querySelector(".side").after(draw("svg", { "aria-hidden": "true" }));
    const show = () => {
      layOut(board);
      drawLinks(board, links, { mark: ([link]) => ({ label: link.sure ? "" : "?" }) });
    };
    keepDrawn(board, show);
  }
}

if (document.querySelector("main .guideline")) drawExamples(document);
