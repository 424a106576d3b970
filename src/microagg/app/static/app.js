// What every page needs: requests, messages, the theme, the end of the session, and filters of long tables.

const THEME = "microagg-theme";
const PLACE = "microagg-place";

// Returns the token that requests of this session carry.
export function csrf() {
  return document.querySelector('meta[name="microagg-csrf"]')?.content ?? "";
}

// Shows a sentence at the top of the page, where it is also read aloud; an empty one takes it away.
export function report(sentence) {
  const message = document.getElementById("message");
  message.replaceChildren();
  if (!sentence) return;
  const paragraph = document.createElement("p");
  paragraph.textContent = sentence;
  message.append(paragraph);
  message.scrollIntoView({ block: "nearest" });
}

// Posts a value as JSON and returns the answer; throws an Error whose message is a sentence for people.
export async function ask(address, body = {}, options = {}) {
  let response;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Microagg-Csrf": csrf() },
      body: JSON.stringify(body),
      ...options,
    });
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Error("The server does not answer. Is it still running?");
  }
  return answerOf(response.status, await response.text());
}

// Returns the JSON of an answer, or throws the sentence in it.
export function answerOf(status, text) {
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = null;
  }
  if (answer?.error) throw Object.assign(new Error(answer.error), { status });
  if (status >= 400 || answer === null) throw new Error(`The server answered with an error (${status}). Nothing was changed.`);
  return answer;
}

// Posts a value, goes where the answer says, and shows what went wrong; returns the answer, or null.
export async function send(address, body = {}) {
  report("");
  try {
    const answer = await ask(address, body);
    if (answer.go) location.assign(answer.go);
    return answer;
  } catch (failure) {
    report(failure.message);
    return null;
  }
}

// Loads the page anew, and remembers where the user was.
export function drawAnew() {
  sessionStorage.setItem(PLACE, JSON.stringify({ id: document.activeElement?.id ?? "", y: scrollY }));
  location.reload();
}

// Goes back to where the user was before the page was drawn anew, or to its contents if that is gone.
function returnToPlace() {
  const place = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
  sessionStorage.removeItem(PLACE);
  if (!place) return;
  const before = place.id && document.getElementById(place.id);
  if (before) scrollTo(0, place.y);
  (before || document.getElementById("content")).focus({ preventScroll: true });
}

// Lets the user choose a theme, which is remembered.
function chooseTheme() {
  const select = document.getElementById("theme");
  if (!select) return;
  select.value = localStorage.getItem(THEME) ?? "auto";
  select.addEventListener("change", () => {
    if (select.value === "auto") {
      localStorage.removeItem(THEME);
      delete document.documentElement.dataset.theme;
    } else {
      localStorage.setItem(THEME, select.value);
      document.documentElement.dataset.theme = select.value;
    }
  });
}

// Ends the session when its button is pressed, after a question.
function endSession() {
  const button = document.getElementById("end-session");
  button?.addEventListener("click", () => {
    const { place } = document.getElementById("content").dataset;
    const question = `End this session? Its copies of files, its runs and its releases are removed from ${place}.`;
    if (!confirm(question)) return;
    sessionStorage.clear();
    send("/session/end");
  });
}

// Asks the question of an element, where it has one, and returns whether the user agrees.
export function agreed(element) {
  return !element.dataset.question || confirm(element.dataset.question);
}

// Posts to the address in data-post when a button is pressed; the button rests until the answer has come.
function postButtons() {
  for (const button of document.querySelectorAll("button[data-post]")) {
    button.addEventListener("click", async () => {
      if (!agreed(button)) return;
      button.disabled = true;
      const answer = await send(button.dataset.post, JSON.parse(button.dataset.body ?? "{}"));
      if (!answer?.go) button.disabled = false;
    });
  }
}

// Hides the rows of a table whose data-name lacks what is typed into an input with data-filter="id of the table".
function filterTables() {
  for (const input of document.querySelectorAll("input[data-filter]")) {
    const rows = [...document.querySelectorAll(`#${input.dataset.filter} tbody tr`)];
    const told = document.getElementById(`${input.dataset.filter}-shown`);
    input.addEventListener("input", () => {
      const sought = input.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !(row.dataset.name ?? row.textContent).toLowerCase().includes(sought);
      const shown = rows.filter((row) => !row.hidden).length;
      if (told) told.textContent = sought ? `${shown} of ${rows.length} columns shown` : "";
    });
  }
}

chooseTheme();
endSession();
postButtons();
filterTables();
returnToPlace();
