// Doors: whatever counts segments can list them.

// List the segments that a test keeps, below.
function listSegments(report, what, keeps) {
  const segments = [];
  for (let segment = 0; segment < report.count; segment += 1) if (keeps(segment)) segments.push(segment);
  showFinal();
  browser.list(what, segments);
}

// A mark of a picture that lists its segments when it is clicked; the table beside the picture has buttons for the keyboard.
function door(mark, report, what, keeps) {
  mark.classList.add("door");
  mark.append(draw("title", {}, `List ${what}`));
  mark.addEventListener("click", () => listSegments(report, what, keeps));
  return mark;
}

function doorButton(text, report, what, keeps) {
  return make("button", { type: "button", class: "plain", title: `List ${what}`, onclick: () => listSegments(report, what, keeps) }, text);
}

// The lowest and the highest number of a bucket, from its name: "3", "2 to 9", "2-9", "below -20", "21 or more", "11+".
function bucketOf(name) {
  const found = /^below (-?\d+)$|^(-?\d+)(?: or more|\+)$|^(-?\d+)(?:(?: to |-)(-?\d+))?$/.exec(name);
  if (found[1]) return [-Infinity, Number(found[1]) - 1];
  if (found[2]) return [Number(found[2]), Infinity];
  return [Number(found[3]), Number(found[4] ?? found[3])];
}

function inBucket(name) {
  const [low, high] = bucketOf(name);
  return (value) => low <= value && value <= high;
}

function hasWords(text, segment, words) {
  return ` ${text.tokens(segment).map((token) => token.word).join(" ")} `.includes(` ${words} `);
}

// Segments in which a system lacks words of the first reference that are of some kind.
function lacksWords(report, system, ofKind) {
  const [reference, text] = [report.references[0], report.systems[system]];
  return (segment) => {
    const had = new Map();
    for (const word of text.numbers(segment)) had.set(word, (had.get(word) || 0) + 1);
    return reference.numbers(segment).some((word, place) => {
      const left = had.get(word) || 0;
      had.set(word, left - 1);
      return left <= 0 && ofKind(word, segment, place);
    });
  };
}

// Which words of the first reference belong to a bucket of a grouping.
function wordsOf(report, grouping, name) {
  if (grouping === "tag") return (_, segment, place) => report.trees.tags[report.references[0].tag(segment, place)] === name;
  const inside = inBucket(name);
  if (grouping === "letters") return (word) => inside([...report.words[word]].length);
  const counts = new Map();
  for (const value of report.references[0].values) counts.set(value >> 1, (counts.get(value >> 1) || 0) + 1);
  return (word) => inside(counts.get(word));
}

// Segments with an error that belongs to a group.
function hasErrorOf(report, system, grouping, name) {
  const text = report.systems[system];
  const some = (passes) => (segment) => report.errors.of(system, segment).some((error) => passes(error, segment));
  if (grouping === "distance") return some((error) => inBucket(name)(error.distance));
  if (grouping === "length") return (segment) => report.errors.count(system, segment) > 0 && inBucket(name)(text.length(segment));
  const tag = (segment, place) => report.trees.tags[text.tag(segment, place)];
  const told = {
    word: (segment, place) => text.tokens(segment)[place].word.toLowerCase(),
    tag,
    relation: (segment, place) => text.tree(segment).labels[place],
  }[grouping];
  if (told) return some((error, segment) => error.moved.some((place) => told(segment, place) === name));
  return some((error, segment) => {
    const { heads, labels } = text.tree(segment);
    const top = error.moved.find((place) => heads[place] < 0 || !error.moved.includes(heads[place]));
    return `${labels[top]} ${tag(segment, top)}` === name;
  });
}
