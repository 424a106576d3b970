// Follows a job by its events: phase, share, times, and the curve of loss and bound; stops it, and reloads when there is news.
import { ask, drawAnew, report } from "./app.js";
import { drawCurve, percent } from "./live_curve.js";

const job = document.querySelector("[data-job]");
const SILENCE = 10000; // milliseconds between two texts for people who do not see the curve
const PAUSE = 3000; // milliseconds between two questions to a server that does not answer
const points = [];
let told = 0;
let stopping = false;

// Puts a text into the element of an id, where there is one.
function show(id, text) {
  const element = document.getElementById(id);
  if (element && element.textContent !== text) element.textContent = text;
}

// Writes a duration for people.
function duration(seconds) {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

// Returns the phase of an event in words, as the server writes it.
function phase(event) {
  const stage = event.stage.replaceAll("_", " ");
  if (event.state === "queued") return "Waiting for its turn";
  if (event.state === "released") return `Measuring risk and utility${stage ? `: ${stage}` : ""}`;
  return stage ? stage[0].toUpperCase() + stage.slice(1) : "Starting";
}

// Shows what an event tells.
function showEvent(event) {
  show("stage", stopping ? "Stopping …" : phase(event));
  show("note", event.note);
  show("elapsed", duration(event.elapsed));
  show("left", event.left === null ? "–" : duration(event.left));
  if (event.loss !== null) show("loss", percent(event.loss));
  if (event.bound !== null) show("bound", percent(Math.floor(100 * event.bound) / 100));
  const progress = document.getElementById("progress");
  if (progress && event.done === null) progress.removeAttribute("value");
  else if (progress) progress.value = event.done;
}

// Adds an event to the curve, and describes the curve now and then.
function extendCurve(event) {
  const place = document.getElementById("live-curve");
  if (!place || (event.loss === null && event.bound === null)) return;
  points.push({ elapsed: event.elapsed, loss: event.loss, bound: event.bound });
  const now = Date.now();
  const describe = now - told > SILENCE;
  if (describe) told = now;
  scheduleCurve(place, describe);
}

let waiting = false;
let description = false;

// Draws the curve once for all events that have come since the last picture.
function scheduleCurve(place, describe) {
  description ||= describe;
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    drawCurve(place, points, description);
    waiting = false;
    description = false;
  });
}

let source = null; // where events come from
let gone = false; // whether the server did not answer last

// Takes an event: another page is shown where it is news, else this one is brought up to date.
function take(event) {
  if (gone) report("");
  gone = false;
  const news = (job.dataset.reloadOn ?? "done failed cancelled").split(" ");
  if (news.includes(event.state)) {
    source.close();
    drawAnew();
    return;
  }
  if (event.number >= Number(job.dataset.after ?? 0)) showEvent(event);
  extendCurve(event);
}

// Listens to the job; a browser tries again by itself, unless the server has refused to tell more.
function follow() {
  source = new EventSource(job.dataset.events ?? `/jobs/${job.dataset.job}/events`);
  source.onmessage = (message) => take(JSON.parse(message.data));
  source.onerror = () => {
    gone = true;
    report("The server does not answer. This page tries again by itself; the last that it told is below.");
    if (source.readyState === EventSource.CLOSED) lookAgain();
  };
}

// Finds out why the server tells no more: it is away for a while, or it knows this session or this job no longer.
async function lookAgain() {
  let answer = null;
  try {
    answer = await fetch(location.href, { cache: "no-store" });
  } catch {
    answer = null;
  }
  if (answer === null || answer.status >= 500) setTimeout(lookAgain, PAUSE);
  else if (answer.ok) drawAnew();
  else report("The session of this page is over, and the server tells no more about it. Begin again with the address that microagg printed.");
}

// Asks the job to stop; its button rests until the page is loaded anew.
async function stop(button) {
  const before = button.textContent;
  button.disabled = true;
  button.textContent = "Stopping …";
  stopping = true;
  try {
    await ask(job.dataset.stop ?? `/jobs/${job.dataset.job}/stop`);
  } catch (failure) {
    report(failure.message);
    button.disabled = false;
    button.textContent = before;
    stopping = false;
  }
}

if (job) {
  const button = document.getElementById("stop");
  button?.addEventListener("click", () => stop(button));
  addEventListener("pagehide", () => source.close());
  follow();
}
