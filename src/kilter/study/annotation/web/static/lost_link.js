// Links of words that were taken out of a translation: a word that is typed again has its links again.
const occurrences = (words, word) => words.filter((each) => each === word).length;

export class LostLinks {
  #lost = []; // a word, and the links it had

  clear() { this.#lost = []; }

  // Returns the links of an answer and those of words that are back, and how many these are.
  returned(sent, answer) {
    const links = [...answer.links];
    let count = 0;
    for (const entry of [...this.#lost]) {
      const isNew = occurrences(answer.target, entry.word) > occurrences(sent.target, entry.word);
      const place = answer.target.findIndex((word, index) => word === entry.word && !links.some((link) => link.target === index));
      if (!isNew || place < 0) continue;
      links.push(...entry.links.map((link) => ({ ...link, target: place })));
      count += entry.links.length;
      this.#lost.splice(this.#lost.indexOf(entry), 1);
    }
    this.#keep(sent, answer);
    return { links, count };
  }

  // A word with links that has fewer linked occurrences now has lost them.
  #keep(sent, answer) {
    const linked = (words, list, word) => new Set(list.filter((link) => words[link.target] === word).map((link) => link.target)).size;
    for (const place of new Set(sent.links.map((link) => link.target))) {
      const word = sent.target[place];
      const kept = this.#lost.filter((entry) => entry.from === answer && entry.word === word).length;
      if (linked(sent.target, sent.links, word) - kept <= linked(answer.target, answer.links, word)) continue;
      this.#lost.push({ word, from: answer, links: sent.links.filter((link) => link.target === place) });
    }
  }
}
