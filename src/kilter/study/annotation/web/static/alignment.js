// The links of one sentence as they are edited: every change makes a new state, so that any can be undone.
export const key = (source, target) => `${source}-${target}`;

export class Alignment {
  #state;
  #past = [];
  #future = [];
  #isTyping = false;
  #listeners = [];

  constructor({ source, target, translation, links }) {
    this.source = source;
    this.#state = { target, translation, links: byKey(links) };
  }

  get target() { return this.#state.target; }
  get translation() { return this.#state.translation; }
  get links() { return [...this.#state.links.values()]; }
  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }
  get proposals() { return this.links.filter((link) => link.proposed); }

  onChange(listener) { this.#listeners.push(listener); }
  get(name) { return this.#state.links.get(name); }

  of(side, place) { return this.links.filter((link) => link[side] === place); }

  // Links all words of one side with all of the other: own links in the place of proposals, too.
  join(sources, targets, { sure = true } = {}) {
    const links = new Map(this.#state.links);
    for (const source of sources) {
      for (const target of targets) {
        const there = links.get(key(source, target));
        if (there && !there.proposed && there.sure === sure) continue;
        links.set(key(source, target), { source, target, sure, proposed: false, certainty: null });
      }
    }
    return this.#commit(links);
  }

  // Joins words, or parts them if each link is there already and none is only proposed.
  toggle(sources, targets, { sure = true } = {}) {
    const names = sources.flatMap((source) => targets.map((target) => key(source, target)));
    const isThere = names.every((name) => this.get(name) && !this.get(name).proposed);
    return isThere ? { removed: this.remove(names) } : { joined: this.join(sources, targets, { sure }) };
  }

  remove(names) {
    const links = new Map(this.#state.links);
    const found = names.filter((name) => links.delete(name));
    return this.#commit(links) ? found.length : 0;
  }

  accept(names) {
    return this.#edit(names, (link) => link.proposed, (link) => ({ ...link, proposed: false }));
  }

  // Makes links possible if all of them are sure, else sure; a kind that a person chose is no proposal.
  switchKind(names) {
    const links = names.map((name) => this.get(name)).filter(Boolean);
    const sure = !links.every((link) => link.sure);
    this.#edit(names, (link) => link.sure !== sure, (link) => ({ ...link, sure, proposed: false }));
    return sure;
  }

  // Another translation, with its words and the links carried to them; typing on is one change.
  retranslate({ translation, target, links }, { isTyping = false } = {}) {
    const joins = isTyping && this.#isTyping;
    const changed = this.#commit(byKey(links), { translation, target }, { joins });
    this.#isTyping = isTyping;
    return changed;
  }

  endTyping() { this.#isTyping = false; }

  undo() { return this.#step(this.#past, this.#future); }
  redo() { return this.#step(this.#future, this.#past); }

  #step(from, to) {
    if (!from.length) return false;
    to.push(this.#state);
    this.#state = from.pop();
    this.#isTyping = false;
    this.#tell();
    return true;
  }

  #edit(names, applies, change) {
    const links = new Map(this.#state.links);
    let count = 0;
    for (const name of names) {
      const link = links.get(name);
      if (!link || !applies(link)) continue;
      links.set(name, change(link));
      count += 1;
    }
    this.#commit(links);
    return count;
  }

  #commit(links, words = {}, { joins = false } = {}) {
    const next = { ...this.#state, ...words, links };
    if (same(this.#state, next)) return false;
    if (!joins) this.#past.push(this.#state);
    this.#future = [];
    this.#isTyping = false;
    this.#state = next;
    this.#tell();
    return true;
  }

  #tell() { for (const listener of this.#listeners) listener(); }
}

export function sorted(links) {
  return [...links].sort((a, b) => a.source - b.source || a.target - b.target);
}

export function plain(links) {
  return sorted(links).map(({ source, target, sure, proposed = false, certainty = null }) =>
    ({ source, target, sure, proposed, certainty }));
}

export function same(one, other) {
  return one.translation === other.translation
    && JSON.stringify(one.target) === JSON.stringify(other.target)
    && JSON.stringify(plain([...one.links.values()])) === JSON.stringify(plain([...other.links.values()]));
}

function byKey(links) {
  return new Map(links.map((link) => [key(link.source, link.target),
    { source: link.source, target: link.target, sure: link.sure, proposed: Boolean(link.proposed), certainty: link.certainty ?? null }]));
}

// Words that links hold together, directly or through others, each group in the order of its first source word.
export function groups(links) {
  const found = [];
  for (const link of sorted(links)) {
    const touching = found.filter((group) => group.sources.has(link.source) || group.targets.has(link.target));
    const merged = touching[0] || { sources: new Set(), targets: new Set(), links: [] };
    for (const other of touching.slice(1)) {
      other.sources.forEach((place) => merged.sources.add(place));
      other.targets.forEach((place) => merged.targets.add(place));
      merged.links.push(...other.links);
      found.splice(found.indexOf(other), 1);
    }
    merged.sources.add(link.source);
    merged.targets.add(link.target);
    merged.links.push(link);
    if (!touching.length) found.push(merged);
  }
  return found;
}
