// Small charts as SVG: scales with round ticks, series that differ in colour, dashes and markers.
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4"];
const MARKERS = ["circle", "square", "triangle", "diamond", "cross"];

function colour(series) {
  return `var(--s${series % 7})`;
}

function dash(series) {
  return DASHES[series % DASHES.length];
}

function tickStep(spread) {
  if (!(spread > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(spread / 5));
  for (const factor of [1, 2, 5, 10]) if (spread / (factor * power) <= 8) return factor * power;
  return 10 * power;
}

// A scale from values to places, and the ticks that enclose the values.
function scaleOf(values, start, end) {
  const known = values.filter((value) => Number.isFinite(value));
  let low = known.length ? Math.min(...known) : 0;
  let high = known.length ? Math.max(...known) : 1;
  const step = tickStep(high - low);
  low = Math.floor(low / step + 1e-9) * step;
  high = Math.ceil(high / step - 1e-9) * step;
  if (high <= low) high = low + step;
  const ticks = [];
  for (let place = Math.round(low / step); place <= Math.round(high / step); place += 1) ticks.push(place * step);
  const to = (value) => start + ((value - low) / (high - low)) * (end - start);
  return Object.assign(to, { ticks, low, high });
}

function tickText(value) {
  return String(Number(value.toPrecision(4)));
}

function marker(series, x, y, size = 4) {
  const look = { stroke: colour(series), "stroke-width": 1.5 };
  const shape = MARKERS[series % MARKERS.length];
  if (shape === "circle") return draw("circle", { cx: x, cy: y, r: size, fill: colour(series) });
  if (shape === "square") return draw("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, fill: "var(--paper)", ...look });
  if (shape === "triangle") return draw("path", { d: `M${x},${y - size * 1.2} l${size * 1.1},${size * 2.2} h${-size * 2.2} z`, fill: colour(series), ...look });
  if (shape === "diamond") return draw("path", { d: `M${x},${y - size * 1.3} l${size},${size * 1.3} l${-size},${size * 1.3} l${-size},${-size * 1.3} z`, fill: "var(--paper)", ...look });
  return draw("path", { d: `M${x - size},${y - size} l${2 * size},${2 * size} m0,${-2 * size} l${-2 * size},${2 * size}`, fill: "none", ...look });
}

function legend(names, chosen = names.map((_, place) => place)) {
  return make("ul", { class: "legend" }, chosen.map((place) =>
    make("li", {}, draw("svg", { width: 30, height: 14, "aria-hidden": "true" },
      draw("line", { x1: 0, x2: 30, y1: 7, y2: 7, stroke: colour(place), "stroke-width": 2, "stroke-dasharray": dash(place) }),
      marker(place, 15, 7)), make("bdi", {}, names[place]))));
}

function picture(width, height, label, ...parts) {
  return draw("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label }, ...parts);
}

function label(x, y, text, anchor = "start", extra = {}) {
  return draw("text", { x, y, "text-anchor": anchor, ...extra }, text);
}

// Whether names below an axis are turned: where they would touch one another, or leave the picture at its ends.
function areTurned(names, room) {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return longest > 11 || (names.length > 1 && 7 * longest > room);
}

// Lines over named places; points are {place, value}. Options: upside down for ranks, whole numbers, bounds.
function lineChart(title, places, series, options = {}) {
  const width = 560;
  const height = options.height || 300;
  const left = 52;
  const right = width - (options.right || 14);
  const bottom = height - (options.below || 46);
  const values = series.flatMap((each) => each.values).filter((value) => value !== null);
  const upward = scaleOf([...values, ...(options.reach || [])], options.down ? 14 : bottom, options.down ? bottom : 14);
  const across = (place) => left + 16 + (places.length < 2 ? 0.5 : place / (places.length - 1)) * (right - left - 32);
  const parts = [];
  for (const tick of options.ticks || upward.ticks) {
    parts.push(draw("line", { class: "grid", x1: left, x2: right, y1: upward(tick), y2: upward(tick) }));
    parts.push(label(left - 6, upward(tick) + 4, tickText(tick), "end"));
  }
  const turned = areTurned(places, across(1) - across(0));
  places.forEach((name, place) => {
    const at = across(place);
    parts.push(turned
      ? label(at, bottom + 14, name, "end", { transform: `rotate(-30 ${at} ${bottom + 14})` })
      : label(at, bottom + 16, name, "middle"));
  });
  parts.push(label((left + right) / 2, height - 4, options.x || "", "middle", { class: "soft" }));
  series.forEach((each) => {
    const runs = [[]];
    each.values.forEach((value, place) => {
      if (value === null || Number.isNaN(value)) runs.push([]);
      else runs[runs.length - 1].push([across(place), upward(value), place]);
    });
    for (const run of runs) {
      if (!options.apart) parts.push(draw("polyline", { points: run.map(([x, y]) => `${x},${y}`).join(" "), fill: "none", stroke: colour(each.series), "stroke-width": each.strong ? 3.5 : 1.8, "stroke-dasharray": dash(each.series) }));
      for (const [x, y, place] of run) {
        const point = marker(each.series, x, y, each.strong ? 5 : 3.5);
        parts.push(each.passes ? door(point, options.report, each.told(place), each.passes(place)) : point);
      }
    }
    const last = runs[runs.length - 1].at(-1);
    if (options.named && last) parts.push(label(last[0] + 9, last[1] + 4, each.name));
  });
  return picture(width, height, title, ...parts);
}

// One row for each name: a value with its interval.
function intervalChart(title, rows, axis) {
  const width = 560;
  const named = Math.min(200, 7 * Math.max(...rows.map((row) => row.name.length)) + 10);
  const height = 40 + 22 * rows.length;
  const values = rows.flatMap((row) => [row.value, row.low, row.high]).filter((value) => value !== null);
  const across = scaleOf(values, named + 8, width - 20);
  const bottom = height - 34;
  const parts = across.ticks.flatMap((tick) => [
    draw("line", { class: "grid", x1: across(tick), x2: across(tick), y1: 4, y2: bottom }),
    label(across(tick), bottom + 14, tickText(tick), "middle"),
  ]);
  parts.push(label((named + width) / 2, height - 4, axis, "middle", { class: "soft" }));
  rows.forEach((row, place) => {
    const y = 16 + 22 * place;
    parts.push(shortened(row.name, named, y + 4));
    if (row.value === null) return;
    if (row.low !== null) parts.push(draw("line", { x1: across(row.low), x2: across(row.high), y1: y, y2: y, stroke: colour(row.series), "stroke-width": 2 }));
    parts.push(marker(row.series, across(row.value), y));
  });
  return picture(width, height, title, ...parts);
}

// A name at the end of its room: squeezed where it is too long, never cut.
function shortened(name, room, y) {
  const wide = 7 * name.length > room - 4;
  return label(room, y, name, "end", wide ? { textLength: room - 4, lengthAdjust: "spacingAndGlyphs" } : {});
}

// One row of columns for each name, over common edges, with a triangle at the median.
function histogramChart(title, edges, rows, axis, report) {
  const width = 560;
  const named = Math.min(200, 7 * Math.max(...rows.map((row) => row.name.length)) + 10);
  const tall = rows.length > 12 ? 26 : 38;
  const height = 40 + tall * rows.length;
  const bottom = height - 34;
  const across = scaleOf([edges[0], edges[edges.length - 1]], named + 8, width - 20);
  const parts = across.ticks.flatMap((tick) => [
    draw("line", { class: "grid", x1: across(tick), x2: across(tick), y1: 2, y2: bottom }),
    label(across(tick), bottom + 14, tickText(tick), "middle"),
  ]);
  parts.push(label((named + width) / 2, height - 4, axis, "middle", { class: "soft" }));
  const most = Math.max(1, ...rows.flatMap((row) => row.counts));
  rows.forEach((row, place) => {
    const base = tall * (place + 1) - 2;
    parts.push(shortened(row.name, named, base - 4));
    row.counts.forEach((count, bin) => {
      if (!count) return;
      const high = (count / most) * (tall - 6);
      const bar = draw("rect", { x: across(edges[bin]), y: base - high, width: Math.max(1, across(edges[bin + 1]) - across(edges[bin]) - 1), height: high, fill: colour(row.series) });
      parts.push(door(bar, report, row.told(bin), row.passes(bin)));
    });
    parts.push(draw("line", { class: "axis", x1: across(edges[0]), x2: across(edges[edges.length - 1]), y1: base, y2: base }));
    if (row.median !== null) parts.push(draw("path", { d: `M${across(row.median)},${base - 5} l4,7 h-8 z`, fill: "var(--ink)" }));
  });
  return picture(width, height, title, ...parts);
}

// Bars of parts that add up, one row for each name.
function stackedChart(title, kinds, rows, axis, report) {
  const width = 560;
  const named = Math.min(200, 7 * Math.max(...rows.map((row) => row.name.length)) + 10);
  const height = 40 + 24 * rows.length;
  const bottom = height - 34;
  const totals = rows.map((row) => row.values.reduce((sum, value) => sum + value, 0));
  const across = scaleOf([0, ...totals], named + 8, width - 20);
  const parts = across.ticks.flatMap((tick) => [
    draw("line", { class: "grid", x1: across(tick), x2: across(tick), y1: 2, y2: bottom }),
    label(across(tick), bottom + 14, tickText(tick), "middle"),
  ]);
  parts.push(label((named + width) / 2, height - 4, axis, "middle", { class: "soft" }));
  rows.forEach((row, place) => {
    const y = 6 + 24 * place;
    let below = 0;
    parts.push(shortened(row.name, named, y + 12));
    row.values.forEach((value, kind) => {
      if (!value) return;
      const bar = draw("rect", { x: across(below), y, width: across(below + value) - across(below), height: 16, fill: colour(kind), stroke: "var(--paper)" });
      parts.push(door(bar, report, `segments of ${row.name} with ${PLURALS[kinds[kind]]} (${value} in all)`, row.passes(kind)));
      below += value;
    });
  });
  return picture(width, height, title, ...parts);
}
