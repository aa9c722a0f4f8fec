// Asks the server whether the page is still what the files say, and loads it again when it is not.
const seconds = 1;
let known = null;
async function ask() {
  try {
    const answer = await (await fetch("version", { cache: "no-store" })).json();
    if (known !== null && answer.version !== known) location.reload();
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
