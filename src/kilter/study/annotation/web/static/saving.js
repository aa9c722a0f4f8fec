// Saves what is done without being asked, one request at a time, and loses nothing: until the server has
// acknowledged a state, the browser keeps it, also when the page is closed.
import { forget, remember, remembered } from "./memory.js";
import { TEXT } from "./text.js";

const PAUSE = 700; // milliseconds after a change before it is saved
const RETRY = 2000;
const PATIENCE = 15_000;

export class RefusedError extends Error {}

// Returns what the server answers to a JSON body; an answer that is none, or a fault of the server, raises.
export async function post(address, body, { keepalive = false } = {}) {
  const response = await fetch(address, {
    method: "POST",
    body: JSON.stringify({ ...body, form_token: document.body.dataset.token }),
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    signal: AbortSignal.timeout(PATIENCE),
    keepalive,
  });
  if (response.status >= 500) throw new Error(`status ${response.status}`);
  const answer = await response.json();
  const isConflict = response.status === 409 && answer.reason === "conflict";
  if (!response.ok && !isConflict) throw new RefusedError(answer.message || TEXT.refusedUnknown);
  return { answer, isConflict };
}

const wait = (milliseconds) => new Promise((done) => {
  const end = setTimeout(done, milliseconds);
  addEventListener("online", () => { clearTimeout(end); done(); }, { once: true });
});

export class Saving {
  #serial = 0;
  #acknowledged = 0;
  #running = null;
  #timer = 0;

  // `state` returns what is saved, `clock` the time; `onsaved` is told the answer, `resolve` asks whose state holds.
  constructor({ address, version, state, clock, say, onsaved, resolve }) {
    Object.assign(this, { address, version, state, clock, say, onsaved, resolve });
    this.place = `kilter-annotate ${document.body.dataset.person} ${address}`;
    addEventListener("beforeunload", (event) => { if (this.isOpen) event.preventDefault(); });
    addEventListener("pagehide", () => this.#leave());
  }

  get isOpen() { return this.#acknowledged < this.#serial; }

  // What was not acknowledged when the page was last left, or null.
  kept() {
    return JSON.parse(remembered(this.place));
  }

  touch() {
    this.#serial += 1;
    this.#keep();
    this.say(TEXT.unsaved);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush().catch(() => {}), PAUSE);
  }

  // Returns the server's answer when everything up to now is acknowledged; raises what it refused.
  flush() {
    clearTimeout(this.#timer);
    this.#running ??= this.#run().finally(() => { this.#running = null; });
    return this.#running;
  }

  forget() { forget(this.place); }

  #keep() {
    remember(this.place, JSON.stringify({ ...this.state(), version: this.version }));
  }

  async #run() {
    let answer = null;
    while (this.isOpen) answer = (await this.#once()) || answer;
    return answer;
  }

  async #once() {
    const serial = this.#serial;
    const sent = this.state();
    const seconds = this.clock.take();
    this.say(TEXT.saving);
    let got;
    try {
      got = await post(`${this.address}/save`, { ...sent, version: this.version, seconds });
    } catch (error) {
      this.clock.giveBack(seconds);
      if (error instanceof RefusedError) {
        this.say(TEXT.refused(error.message), { isProblem: true });
        throw error;
      }
      this.say(TEXT.failed, { isProblem: true });
      await wait(RETRY);
      return null;
    }
    if (got.isConflict) {
      this.clock.giveBack(seconds);
      const takesStored = await this.resolve(got.answer);
      this.version = got.answer.version;
      if (takesStored) this.#settled(this.#serial);
      else this.#keep();
      return null;
    }
    this.version = got.answer.version;
    this.#settled(serial);
    this.onsaved(got.answer, sent, { isLatest: !this.isOpen });
    return got.answer;
  }

  #settled(serial) {
    this.#acknowledged = serial;
    if (this.isOpen) {
      this.#keep();
      return;
    }
    this.forget();
    this.say(TEXT.saved);
  }

  // The last words of a page that is left: if they arrive, good; the browser keeps them until they are known to have.
  #leave() {
    if (!this.isOpen) return;
    post(`${this.address}/save`, { ...this.state(), version: this.version, seconds: this.clock.take() }, { keepalive: true }).catch(() => {});
  }
}
