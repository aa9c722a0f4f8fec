// Seconds of work on a sentence: not while the page is hidden, nor after two minutes in which nothing was done.
const IDLE = 120_000; // milliseconds

export class Clock {
  #spent = 0;
  #since = performance.now();
  #active = performance.now();
  #runs = !document.hidden;

  constructor() {
    document.addEventListener("visibilitychange", () => {
      this.#settle();
      this.#runs = !document.hidden;
      this.#active = performance.now();
    });
    for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
      addEventListener(name, () => {
        this.#settle();
        this.#active = performance.now();
      }, { passive: true });
    }
  }

  #settle() {
    const now = performance.now();
    if (this.#runs) this.#spent += Math.max(0, Math.min(now, this.#active + IDLE) - this.#since) / 1000;
    this.#since = now;
  }

  get seconds() {
    this.#settle();
    return this.#spent;
  }

  // Hands out the seconds since they were last taken; `giveBack` takes those that nobody acknowledged.
  take() {
    const taken = this.seconds;
    this.#spent = 0;
    return taken;
  }

  giveBack(seconds) { this.#spent += seconds; }
}
