// Saves every answer at once. The page moves on only after the server has said that all is saved;
// without this script the form does the same in one step.
const form = document.getElementById("item");
const status = document.getElementById("status");
const retryMilliseconds = 2000;
// Not form.action: the buttons are called "action", too, and would hide it.
const address = form.getAttribute("action");

let waiting = Promise.resolve(true);

function say(key) {
  status.textContent = form.dataset[key];
  status.classList.toggle("failed", key === "failed");
}

function wait(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}

// Sends the form until the server has answered. A refusal (4xx) is left to the form itself.
async function send(action) {
  say("saving");
  for (;;) {
    const fields = new URLSearchParams(new FormData(form));
    fields.set("action", action);
    try {
      const response = await fetch(address, {
        method: "POST",
        body: fields,
        headers: { Accept: "application/json" },
        signal: AbortSignal.timeout(15000),
      });
      if (response.ok) {
        const answer = await response.json();
        if (answer.saved) {
          say("saved");
          return answer.next;
        }
      }
      if (response.status < 500) return null;
    } catch {
      // Neither saved nor refused: the connection is gone. Say so, and try again.
    }
    say("failed");
    await wait(retryMilliseconds);
  }
}

// One request at a time, so that a later answer is never overtaken by an earlier one.
function queue(action) {
  waiting = waiting.then(() => send(action));
  return waiting;
}

form.addEventListener("change", async () => {
  // What the server refuses, it explains on the page itself.
  if (!(await queue("save"))) window.location.reload();
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const action = event.submitter?.value || "next";
  for (const button of form.querySelectorAll("button")) button.disabled = true;
  const next = await queue(action);
  if (next) {
    window.location.assign(next);
    return;
  }
  // The server refused the form: show its page with the reason.
  for (const button of form.querySelectorAll("button")) button.disabled = false;
  const field = document.createElement("input");
  field.type = "hidden";
  field.name = "action";
  field.value = action;
  form.append(field);
  form.submit();
});
