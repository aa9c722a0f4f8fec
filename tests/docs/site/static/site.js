document.addEventListener("DOMContentLoaded", () => {
  // Output that is wider than the page scrolls with the keyboard, too.
  for (const block of document.querySelectorAll("pre")) block.tabIndex = 0;
  // A field above the table of metrics that keeps the rows in which every word of it stands.
  for (const table of document.querySelectorAll("#metrics > .table-wrapper table, #metrics > table")) {
    const rows = [...table.querySelectorAll("tbody tr")];
    const field = document.createElement("input");
    Object.assign(field, { type: "search", placeholder: "order, trees, links, lower ..." });
    const shown = document.createElement("output");
    const show = () => {
      const words = field.value.toLowerCase().split(/\s+/);
      for (const row of rows) row.hidden = !words.every((word) => [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase().includes(word));
      shown.textContent = ` ${rows.filter((row) => !row.hidden).length} of ${rows.length} metrics`;
    };
    field.addEventListener("input", show);
    const label = document.createElement("label");
    label.className = "filter";
    label.append("Filter ", field, shown);
    (table.closest(".table-wrapper") ?? table).before(label);
    show();
    break;
  }
});
