// Two states of one sentence, and the person who says which one holds.
import { key, sorted } from "./alignment.js";
import { byId, make } from "./element.js";
import { TEXT } from "./text.js";

function described(state, other, source) {
  const there = new Map(other.links.map((link) => [key(link.source, link.target), link]));
  const only = sorted(state.links).filter((link) => {
    const same = there.get(key(link.source, link.target));
    return !same || same.sure !== link.sure || Boolean(same.proposed) !== Boolean(link.proposed);
  });
  const named = (link) => {
    const kind = link.proposed ? TEXT.proposed(link.certainty ?? null) : link.sure ? TEXT.sure : TEXT.possible;
    return `${source[link.source]} \u2013 ${state.target[link.target]}, ${kind}`;
  };
  return [
    make("p", { class: "text", dir: "auto" }, state.translation),
    make("p", {}, `${TEXT.links(state.links.length)}${state.comment ? `, ${TEXT.withComment(state.comment)}` : ""}`),
    make("ul", {}, only.map((link) => make("li", { dir: "auto" }, named(link)))),
  ];
}

// Shows both states; returns whether the stored one is taken.
export function chooseState(mine, stored, source) {
  const dialog = byId("conflict");
  byId("mine").replaceChildren(...described(mine, stored, source));
  byId("stored").replaceChildren(...described(stored, mine, source));
  return new Promise((resolve) => {
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    const answer = (takesStored) => () => { dialog.close(); resolve(takesStored); };
    byId("keep-mine").onclick = answer(false);
    byId("take-stored").onclick = answer(true);
    dialog.showModal();
  });
}
