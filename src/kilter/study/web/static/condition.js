// Hides a question until the answer is chosen that it depends on. Without this script all questions are
// there, and the server leaves out the answers that do not apply.
const conditional = document.querySelectorAll("[data-asked-if]");

function applies(part) {
  const name = CSS.escape(part.dataset.askedIf);
  const chosen = part.closest("form").querySelector(`input[name="${name}"]:checked`);
  return chosen?.value === part.dataset.answer && !chosen.closest("[hidden]");
}

function update() {
  for (const part of conditional) part.hidden = !applies(part);
}

document.addEventListener("change", update);
update();
