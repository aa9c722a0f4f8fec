// The data of the report, as report_data.py packs it.
function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let place = 0; place < raw.length; place += 1) bytes[place] = raw.charCodeAt(place);
  return bytes;
}

// Whole numbers: seven bits a byte, the lowest first; the eighth bit says that more follow.
function unpacked(text) {
  const bytes = bytesOf(text);
  let count = 0;
  for (const byte of bytes) if (byte < 128) count += 1;
  const values = new Int32Array(count);
  let value = 0;
  let shift = 0;
  let at = 0;
  for (const byte of bytes) {
    value |= (byte & 127) << shift;
    if (byte < 128) {
      values[at] = value;
      at += 1;
      value = 0;
      shift = 0;
    } else shift += 7;
  }
  return values;
}

function offsetsOf(lengths) {
  const offsets = new Int32Array(lengths.length + 1);
  for (let place = 0; place < lengths.length; place += 1) offsets[place + 1] = offsets[place] + lengths[place];
  return offsets;
}

// Characters that would change what stands around them, or show nothing, as their numbers.
function visible(word) {
  return word.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// What filters compare: small letters, accents one way, and characters rather than the names that some texts have for them.
function searchable(text) {
  const named = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  return text.toLowerCase().normalize("NFC").replace(/&(quot|lt|gt|amp);/g, (name) => named[name]);
}

class Text {
  constructor(given, words) {
    this.name = given.name;
    this.words = words;
    this.offsets = offsetsOf(unpacked(given.lengths));
    this.values = unpacked(given.words);
    this.kept = null;
    this.trees = null;
  }

  // The head of each word of a segment, -1 for the root, and its label; nothing where there is no tree.
  tree(segment) {
    if (!this.trees) return null;
    const places = [this.offsets[segment], this.offsets[segment + 1]];
    return {
      heads: Array.from(this.trees.heads.slice(...places), (head) => head - 1),
      labels: Array.from(this.trees.labels.slice(...places), (label) => this.trees.names[label]),
    };
  }

  tag(segment, place) {
    return this.trees.tags[this.offsets[segment] + place];
  }

  length(segment) {
    return this.offsets[segment + 1] - this.offsets[segment];
  }

  // Numbers of the words of a segment.
  numbers(segment) {
    const found = [];
    for (let at = this.offsets[segment]; at < this.offsets[segment + 1]; at += 1) found.push(this.values[at] >> 1);
    return found;
  }

  // The words of a segment, each with whether it is joined to the one before.
  tokens(segment) {
    const found = [];
    for (let at = this.offsets[segment]; at < this.offsets[segment + 1]; at += 1) {
      found.push({ word: this.words[this.values[at] >> 1], joined: (this.values[at] & 1) === 1 });
    }
    return found;
  }

  line(segment) {
    let text = "";
    const end = this.offsets[segment + 1];
    for (let at = this.offsets[segment]; at < end; at += 1) {
      if (text && !(this.values[at] & 1)) text += " ";
      text += this.words[this.values[at] >> 1];
    }
    return text;
  }

  // All lines, made once: what filters look at.
  searched() {
    if (!this.kept) {
      this.kept = [];
      for (let segment = 0; segment + 1 < this.offsets.length; segment += 1) this.kept.push(searchable(this.line(segment)));
    }
    return this.kept;
  }
}

class Links {
  constructor(given) {
    this.offsets = offsetsOf(unpacked(given.counts));
    this.first = unpacked(given.first);
    this.second = unpacked(given.second);
    for (let segment = 0; segment + 1 < this.offsets.length; segment += 1) {
      let first = 0;
      let second = 0;
      for (let at = this.offsets[segment]; at < this.offsets[segment + 1]; at += 1) {
        const step = this.second[at];
        first += this.first[at];
        second += step & 1 ? -((step + 1) >> 1) : step >> 1;
        this.first[at] = first;
        this.second[at] = second;
      }
    }
  }

  segment(segment) {
    const found = [];
    for (let at = this.offsets[segment]; at < this.offsets[segment + 1]; at += 1) found.push([this.first[at], this.second[at]]);
    return found;
  }
}

function readReport(given) {
  const words = given.words.map(visible);
  const texts = given.texts.map((text) => new Text(text, words));
  for (const [place, tree] of (given.trees ? given.trees.texts : []).entries()) {
    if (tree) texts[place].trees = { heads: unpacked(tree.heads), labels: unpacked(tree.labels), names: given.trees.labels, tags: unpacked(tree.tags) };
  }
  const references = texts.slice(0, given.references);
  const systems = texts.slice(given.references, given.references + given.systems.length);
  return {
    ...given,
    names: given.systems,
    references,
    systems,
    source: given.source ? texts[texts.length - 1] : null,
    links: given.links.map((links) => new Links(links)),
    errors: given.errors ? new Errors(given.errors) : null,
    scores: given.scores.map((row) => row.map((text) => {
      const bytes = bytesOf(text);
      const view = new DataView(bytes.buffer);
      const values = new Float32Array(bytes.length / 4);
      for (let place = 0; place < values.length; place += 1) values[place] = view.getFloat32(4 * place, true);
      return values;
    })),
  };
}
