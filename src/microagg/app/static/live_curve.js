// Curve of loss and bound over time, drawn in the page as microagg/report/charts/loss_curve.py draws it on the server.

const SVG = "http://www.w3.org/2000/svg";
const INK = "#1d2733";
const FAINT = "#c9d0d8";
const AFTER = "#0a4d8c";
const MARK = "#a33b00";
const WIDTH = 840;
const HEIGHT = 210;
const TOP = 26;
const BOTTOM = 24;
const LEFT = 46;
const RIGHT = 14;

// Writes a percentage with two decimals.
export function percent(value) {
  return `${value.toFixed(2)}\u202f%`;
}

// Returns about n round numbers from low to high, and how many decimals they have.
function roundNumbers(low, high, n) {
  const rough = (high - low) / n;
  if (!(rough > 0)) return { values: [low], decimals: 2 };
  const power = Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => rough / 10 ** power <= each * (1 + 1e-9));
  const step = factor * 10 ** power;
  const values = [];
  for (let place = Math.ceil(low / step - 1e-9); place * step <= high * (1 + 1e-9); place += 1) values.push(place * step);
  return { values, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}

// Makes an element of SVG.
function make(tag, attributes, text) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

// Returns the unit of the axis of time and its seconds.
function timeUnit(end) {
  if (end >= 10800) return ["hours", 3600];
  return end >= 300 ? ["minutes", 60] : ["seconds", 1];
}

// Returns a line that is level until the next value is known.
function steps(known, end, across, up) {
  let commands = "";
  for (const [elapsed, value] of [...known, [end, known[known.length - 1][1]]]) {
    const x = across(elapsed).toFixed(1);
    const y = up(value).toFixed(1);
    commands += commands ? `H${x}V${y}` : `M${x} ${y}`;
  }
  return commands;
}

// Draws the points into a place of the page; describes them anew if asked to.
export function drawCurve(place, points, describe) {
  if (points.length < 2) return;
  const losses = points.filter((one) => one.loss !== null).map((one) => [one.elapsed, one.loss]);
  const bounds = points.filter((one) => one.bound !== null).map((one) => [one.elapsed, one.bound]);
  const values = [...losses, ...bounds].map((one) => one[1]);
  const end = points[points.length - 1].elapsed || 1;
  const least = Math.min(...values);
  const most = Math.max(...values);
  const margin = 0.08 * (most - least) || 0.08 * most || 1;
  const low = Math.max(0, least - margin);
  const high = most + margin;
  const base = HEIGHT - BOTTOM;
  const across = (value) => LEFT + (value / end) * (WIDTH - LEFT - RIGHT);
  const up = (value) => base - ((value - low) / (high - low)) * (base - TOP);
  const drawn = [...grid(low, high, up), ...timeAxis(end, across, base)];
  for (const [known, colour, name, dashes] of [
    [bounds, MARK, "bound", "5 3"],
    [losses, AFTER, "loss", "none"],
  ]) {
    if (!known.length) continue;
    const line = { d: steps(known, end, across, up), fill: "none", stroke: colour, "stroke-width": 1.8, "stroke-dasharray": dashes };
    drawn.push(make("path", line));
    const last = known[known.length - 1][1];
    drawn.push(make("circle", { cx: across(end), cy: up(last), r: 3, fill: colour }));
    const y = name === "loss" ? up(last) - 5 : Math.min(up(last) + 13, base - 3);
    const shown = name === "loss" ? last : Math.floor(100 * last) / 100;
    drawn.push(make("text", { x: WIDTH - RIGHT - 3, y, "text-anchor": "end", fill: colour }, `${name} ${percent(shown)}`));
  }
  svgOf(place).replaceChildren(...drawn);
  if (describe) describeCurve(place, losses, bounds);
}

// Returns thin lines at round percentages.
function grid(low, high, up) {
  const drawn = [make("text", { x: 4, y: 12 }, "loss in %")];
  const { values, decimals } = roundNumbers(low, high, 6);
  for (const value of values) {
    drawn.push(make("path", { d: `M${LEFT} ${up(value)}H${WIDTH - RIGHT}`, stroke: FAINT }));
    drawn.push(make("text", { x: LEFT - 5, y: up(value) + 4, "text-anchor": "end" }, value.toFixed(decimals)));
  }
  return drawn;
}

// Returns the axis of time.
function timeAxis(end, across, base) {
  const [unit, seconds] = timeUnit(end);
  const drawn = [make("path", { d: `M${LEFT} ${base}H${WIDTH - RIGHT}`, stroke: INK })];
  drawn.push(make("text", { x: WIDTH - RIGHT, y: 12, "text-anchor": "end" }, `time in ${unit}`));
  const { values, decimals } = roundNumbers(0, end / seconds, 10);
  for (const value of values) {
    const x = across(value * seconds);
    drawn.push(make("path", { d: `M${x} ${base}v4`, stroke: INK }));
    drawn.push(make("text", { x, y: base + 16, "text-anchor": "middle" }, value.toFixed(decimals)));
  }
  return drawn;
}

// Returns the picture in a place; it is made where there is none, or where the server has drawn another one.
function svgOf(place) {
  const known = place.querySelector("svg[data-live]");
  if (known) return known;
  const figure = htmlElement("figure", "figure-card");
  const caption = htmlElement("figcaption", "");
  const heading = htmlElement("h2", "");
  heading.textContent = "Loss and bound so far";
  caption.append(heading);
  const size = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  const picture = make("svg", { ...size, "font-size": 11, fill: INK, "aria-hidden": "true", "data-live": "" });
  const words = htmlElement("p", "visually-hidden");
  words.setAttribute("role", "status");
  figure.append(caption, picture, words);
  place.replaceChildren(figure);
  return picture;
}

// Makes an element of HTML with a class.
function htmlElement(tag, kind) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  return element;
}

// Says what the curve shows, politely, for people who do not see it.
function describeCurve(place, losses, bounds) {
  const sentences = [];
  if (losses.length) sentences.push(`The information loss is ${percent(losses[losses.length - 1][1])}.`);
  if (bounds.length) sentences.push(`It is proved that no groups lose less than ${percent(Math.floor(100 * bounds[bounds.length - 1][1]) / 100)}.`);
  place.querySelector("[role=status]").textContent = sentences.join(" ");
}
