// Puts a slider in the place of each number on a scale. Where it stands counts only once it was moved, or
// pressed where it stood: until then it says that the question is not yet answered.
for (const field of document.querySelectorAll("fieldset.slider")) {
  const number = field.querySelector("input");
  const low = Number(number.min);
  const high = Number(number.max);

  const range = document.createElement("input");
  range.type = "range";
  range.min = number.min;
  range.max = number.max;
  range.setAttribute("aria-labelledby", number.getAttribute("aria-labelledby"));
  range.setAttribute("aria-describedby", number.getAttribute("aria-describedby"));

  const said = document.createElement("output");
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = field.dataset.takeBack;

  function show() {
    const isAnswered = number.value !== "";
    range.value = isAnswered ? number.value : String(Math.round((low + high) / 2));
    field.classList.toggle("unanswered", !isAnswered);
    said.textContent = isAnswered ? number.value : field.dataset.notYet;
    range.setAttribute("aria-valuetext", said.textContent);
    back.hidden = !isAnswered;
  }

  function answer(value) {
    number.value = value;
    show();
  }

  // The slider has no name and is not sent; the field that has one is no longer seen.
  range.addEventListener("input", () => answer(range.value));
  function accept() {
    if (number.value !== "") return;
    answer(range.value);
    number.dispatchEvent(new Event("change", { bubbles: true }));
  }
  range.addEventListener("click", accept);
  range.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    accept();
  });
  back.addEventListener("click", () => {
    answer("");
    number.dispatchEvent(new Event("change", { bubbles: true }));
    range.focus();
  });

  number.type = "hidden";
  number.after(range);
  const below = document.createElement("p");
  below.className = "said";
  below.append(said, back);
  field.append(below);
  show();
}
