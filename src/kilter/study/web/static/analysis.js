// Asks every two seconds whether the analysis is there, and opens it; without this script there is a link.
const milliseconds = 2000;

async function look() {
  try {
    const response = await fetch(window.location.pathname, { headers: { Accept: "application/json" } });
    if (response.ok && !(await response.json()).running) {
      window.location.reload();
      return;
    }
  } catch {
    // The server cannot be reached: try again.
  }
  setTimeout(look, milliseconds);
}

setTimeout(look, milliseconds);
