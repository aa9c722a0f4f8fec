// Annotators side by side: their links, where they differ, and what is taken over from whom.
import { key, sorted } from "./alignment.js";
import { byId, direction, draw, make } from "./element.js";
import { drawLinks, keepDrawn, layOut } from "./picture.js";
import { TEXT } from "./text.js";

const kindOf = (link) => (link ? (link.sure ? TEXT.sure : TEXT.possible) : TEXT.noLink);

// Every link that somebody drew, with the annotators' links in their order, and what sort of difference it is.
export function compared(annotators) {
  const drawn = annotators.map((one) =>
    new Map(one.links.filter((link) => !link.proposed).map((link) => [key(link.source, link.target), link])));
  const all = new Map(drawn.flatMap((links) => [...links]));
  return sorted([...all.values()]).map(({ source, target }) => {
    const links = drawn.map((each) => each.get(key(source, target)));
    const names = annotators.filter((_, place) => links[place]).map((one) => one.name);
    const isShared = names.length === annotators.length;
    const kinds = new Set(links.map(kindOf));
    const sort = !isShared ? "only" : kinds.size > 1 ? "kind" : "agreed";
    const said = { only: TEXT.only(names), kind: TEXT.sureOrPossible, agreed: TEXT.agreed }[sort];
    return { source, target, links, sort, said };
  });
}

function still(words, side, language) {
  return make("div", { class: `side ${side}`, dir: direction(words) },
    words.map((word, place) => make("span", { class: "word" },
      make("span", { class: "number" }, `${place + 1}`), " ", make("bdi", { lang: language }, word))));
}

// A board that is only looked at; links that differ are drawn heavier and named.
function drawn(source, one, languages, sorts) {
  const board = make("div", { class: "board still" },
    still(source, "source", languages.source), draw("svg", { "aria-hidden": "true" }), still(one.target, "target", languages.target));
  const show = () => {
    layOut(board);
    drawLinks(board, one.links.filter((link) => !link.proposed), {
      mark: ([link]) => {
        const sort = sorts?.get(key(link.source, link.target));
        return { style: !sort || sort === "agreed" ? "agreed" : "differs", label: link.sure ? "" : "?" };
      },
    });
  };
  keepDrawn(board, show);
  return board;
}

export function showAnnotators(data, { alignment, languages, say, take }) {
  const { annotators, source } = data;
  const words = new Set(annotators.map((one) => JSON.stringify(one.target)));
  const isComparable = words.size === 1;
  const rows = isComparable ? compared(annotators) : [];
  const sorts = isComparable ? new Map(rows.map((row) => [key(row.source, row.target), row.sort])) : null;
  byId("annotators").replaceChildren(...annotators.map((one) => make("section", { class: "annotator", "aria-label": one.name },
    make("h3", {}, one.name, " ", make("small", {}, `${TEXT.state[one.state] || ""}, ${TEXT.links(one.links.filter((link) => !link.proposed).length)}`)),
    make("p", { class: "text", lang: languages.target, dir: "auto" }, one.translation),
    drawn(source, one, languages, sorts),
    one.comment ? make("p", { class: "hint", dir: "auto" }, TEXT.withComment(one.comment)) : null,
    make("button", { type: "button", onclick: () => {
      take({ translation: one.translation, target: one.target, links: one.links.filter((link) => !link.proposed) });
      say(TEXT.tookAll(one.name));
    } }, TEXT.takeAll(one.name)))));
  const summary = byId("differences");
  if (annotators.length < 2) {
    summary.replaceChildren(make("p", { class: "note" }, TEXT.fewAnnotators(annotators.length)));
    return;
  }
  if (!isComparable) {
    summary.replaceChildren(make("p", { class: "note" }, TEXT.translationsDiffer));
    return;
  }
  const differing = rows.filter((row) => row.sort !== "agreed");
  if (!differing.length) {
    summary.replaceChildren(make("p", {}, TEXT.noDifferences));
    return;
  }
  const body = make("tbody", { role: "rowgroup" });
  const isBase = () => JSON.stringify(alignment.target) === JSON.stringify(annotators[0].target);
  // One button for each answer that somebody gave, with everybody who gave it.
  const buttons = (row) => [...new Set(row.links.map(kindOf))].map((kind) => {
    const who = annotators.filter((_, place) => kindOf(row.links[place]) === kind).map((one) => one.name).join(", ");
    return make("button", { type: "button", "data-kind": kind, onclick: () => {
      if (kind === TEXT.noLink) alignment.remove([key(row.source, row.target)]);
      else alignment.join([row.source], [row.target], { sure: kind === TEXT.sure });
      say(`${source[row.source]} \u2013 ${annotators[0].target[row.target]}: ${kind}.`);
    } }, TEXT.takeLink(who, kind));
  });
  const head = [TEXT.source_word, TEXT.target_word, TEXT.difference, TEXT.now, TEXT.take];
  const cells = (row) => [
    make("bdi", { lang: languages.source }, `${row.source + 1} ${source[row.source]}`),
    make("bdi", { lang: languages.target }, `${row.target + 1} ${annotators[0].target[row.target]}`),
    row.said,
    make("span", { class: "now" }),
    make("span", { class: "take" }, buttons(row)),
  ];
  // Roles are written out: where a table is stacked on a phone, browsers would take it for no table.
  body.append(...differing.map((row) => make("tr", { role: "row", "data-link": key(row.source, row.target) },
    cells(row).map((cell, place) => make("td", { role: "cell", "data-head": head[place] }, cell)))));
  summary.replaceChildren(
    make("p", {}, TEXT.differences(differing.length, rows.length - differing.length)),
    make("div", { class: "wide", role: "region", tabindex: "0", "aria-label": TEXT.difference }, make("table", { role: "table" },
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, head.map((name) => make("th", { role: "columnheader", scope: "col" }, name)))), body)));
  const follow = () => {
    summary.hidden = !isBase();
    for (const row of body.rows) {
      const kind = kindOf(alignment.get(row.dataset.link));
      row.querySelector(".now").textContent = kind;
      for (const button of row.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    }
  };
  alignment.onChange(follow);
  follow();
}
