// The settings page: the form and the text of the plan, each rewritten when the other changes.
import { ask, drawAnew, report, send } from "./app.js";

const form = document.getElementById("plan-form");
const text = document.getElementById("plan-text");
const problem = document.getElementById("plan-problem");
const state = document.getElementById("plan-state");
const AFTER_TYPING = 500; // milliseconds
const MOST_NAMES = 6; // of columns in the title of a set
const MOST_AT_THE_END = 60000; // bytes that a browser sends for a page that is left
const TEXTS = [
  "missing", "small_strata", "random_state", "time_limit", "l_diversity", "entropy_l_diversity", "t_closeness",
  "p_percent", "dominance_n", "dominance_share",
];

let waiting = null; // what is to be sent: "form", "text" or nothing
let timer = 0;
let sending = null; // the request that is under way
let edits = 0; // so that an answer to an older state is known
let known = form.dataset.plan; // the plan that the server has, as far as this page knows; another one is not overwritten
let lastProblem = problem.hidden ? "" : problem.textContent; // why form and plan do not agree

// Returns what the form holds, as the server reads it.
function formState() {
  const columns = [...form.querySelectorAll("tr[data-name]")].map((row) => {
    const choice = (name) => row.querySelector(`[data-choice="${name}"]`)?.value;
    const isProtected = ["protect", "automatic"].includes(choice("role"));
    return {
      name: row.dataset.name,
      kind: row.dataset.kind ?? "",
      role: choice("role"),
      number: isProtected ? Number(choice("number") ?? 1) : 0,
      level: choice("level"),
    };
  });
  const sets = [...form.querySelectorAll("fieldset[data-set]")].map((group) => {
    const options = {};
    for (const field of group.querySelectorAll("[data-option]")) {
      options[field.dataset.option] = field.type === "checkbox" ? field.checked : field.value;
    }
    return options;
  });
  const values = Object.fromEntries(TEXTS.map((name) => [name, document.getElementById(name).value]));
  return { columns, sets, ...values, shuffle: document.getElementById("shuffle").checked, strict: document.getElementById("strict").checked, others: [] };
}

// Puts a value into a field; a list gets it as a further word if it lacks it.
function fill(field, value) {
  if (!field) return;
  if (field.type === "checkbox") field.checked = value;
  else if (field.value !== String(value)) {
    if (field.tagName === "SELECT" && ![...field.options].some((one) => one.value === String(value))) {
      field.add(new Option(value, value));
    }
    field.value = value;
  }
}

// Returns whether the page has the rows and the sets of a form; where it has not, the server draws it anew.
function fits(filled) {
  const rows = [...form.querySelectorAll("tr[data-name]")];
  const sets = form.querySelectorAll("fieldset[data-set]");
  return (
    sets.length === filled.sets.length &&
    rows.length === filled.columns.length &&
    rows.every((row, place) => row.dataset.name === filled.columns[place].name)
  );
}

// Shows in the form what the server has made of the plan.
function showForm(filled) {
  filled.columns.forEach((one, place) => {
    const row = document.getElementById(`column-${place}`);
    fill(row.querySelector('[data-choice="role"]'), one.role);
    fill(row.querySelector('[data-choice="number"]'), Math.max(1, one.number));
    fill(row.querySelector('[data-choice="level"]'), one.level);
  });
  filled.sets.forEach((one, place) => {
    const group = form.querySelector(`fieldset[data-set="${place + 1}"]`);
    for (const [name, value] of Object.entries(one)) fill(group.querySelector(`[data-option="${name}"]`), value);
  });
  showTitles(filled);
  for (const name of TEXTS) fill(document.getElementById(name), filled[name]);
  fill(document.getElementById("shuffle"), filled.shuffle);
  fill(document.getElementById("strict"), filled.strict);
  document.getElementById("plan-other-names").textContent = filled.others.join(", ");
  document.getElementById("plan-others").hidden = filled.others.length === 0;
  showChoices();
}

// Names the columns of each set above its fields, where there are several sets.
function showTitles(filled) {
  if (filled.sets.length === 1) return;
  filled.sets.forEach((_, place) => {
    const own = filled.columns.map((one, row) => [one, row]).filter(([one]) => one.number === place + 1);
    const names = own.map(([, row]) => document.querySelector(`#column-${row} th`).firstChild.textContent);
    const more = names.length > MOST_NAMES ? ", …" : "";
    const title = `Set ${place + 1}: ${names.slice(0, MOST_NAMES).join(", ")}${more}`;
    form.querySelector(`fieldset[data-set="${place + 1}"] legend`).textContent = title;
  });
}

// Lets fields rest that mean nothing for the role of their column, and shows the sentence of each method.
function showChoices() {
  for (const row of form.querySelectorAll("tr[data-name]")) {
    const role = row.querySelector('[data-choice="role"]').value;
    const isProtected = role === "protect" || role === "automatic";
    const number = row.querySelector('[data-choice="number"]');
    if (number) number.disabled = !isProtected;
    row.querySelector('[data-choice="level"]').disabled = !isProtected && role !== "confidential";
  }
  for (const told of form.querySelectorAll("[data-summary-of]")) {
    const select = document.getElementById(told.dataset.summaryOf);
    told.textContent = select.selectedOptions[0]?.dataset.summary ?? "As it is written in the plan.";
  }
}

// Shows what is wrong: with the text beside it, with a choice in the form above all; or that nothing is.
function showProblem(sentence, from) {
  lastProblem = sentence;
  const isOfText = Boolean(sentence) && from === "text";
  problem.textContent = isOfText ? sentence : "";
  problem.hidden = !isOfText;
  text.setAttribute("aria-invalid", String(isOfText));
  text.classList.toggle("invalid", isOfText);
  report(isOfText ? "" : sentence);
  if (!sentence) state.textContent = "Form and plan agree.";
  else state.textContent = isOfText ? "The form is as it was before." : "The plan is as it was before.";
}

// Returns what is sent of the form, or of the text.
function bodyOf(from) {
  const body = { toml: text.value, plan: known };
  return from === "form" ? { ...body, form: formState() } : body;
}

// Sends what has changed, and shows the answer; one request at a time.
async function exchange() {
  clearTimeout(timer);
  if (sending) await sending;
  if (!waiting) return;
  const from = waiting;
  const before = edits;
  waiting = null;
  state.textContent = "Checking …";
  sending = ask(`/plan/${from}`, bodyOf(from))
    .then((answer) => {
      known = answer.plan;
      if (edits !== before) return;
      if (!fits(answer.form)) {
        drawAnew();
        return;
      }
      if (from === "form") text.value = answer.toml;
      showForm(answer.form);
      showProblem("", from);
    })
    .catch((failure) => {
      if (from === "text" && failure.status === 422) known = null; // the server keeps a text that is no plan
      if (edits === before) showProblem(failure.message, from);
    })
    .finally(() => {
      sending = null;
    });
  await sending;
}

// Notes a change, which is sent at once or when nothing more is typed.
function changed(from, delay) {
  waiting = from;
  edits += 1;
  state.textContent = "Changed …";
  clearTimeout(timer);
  timer = setTimeout(exchange, delay);
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", (event) => {
  if (event.target.dataset.filter !== undefined) return;
  showChoices();
  const typed = event.target.tagName === "INPUT" && event.target.type === "text";
  changed("form", typed ? AFTER_TYPING : 0);
});
text.addEventListener("input", () => changed("text", AFTER_TYPING));

// Goes on when form and plan agree.
document.getElementById("go-on").addEventListener("click", async () => {
  await exchange();
  if (lastProblem) report(lastProblem);
  else await send("/estimate");
});

// A change that has not been sent yet is sent when the page is left; one that is too large for that is asked about.
addEventListener("beforeunload", (event) => {
  if (!waiting || new Blob([JSON.stringify(bodyOf(waiting))]).size < MOST_AT_THE_END) return;
  exchange();
  event.preventDefault();
});
addEventListener("pagehide", () => {
  if (waiting) ask(`/plan/${waiting}`, bodyOf(waiting), { keepalive: true }).catch(() => {});
});

text.classList.toggle("invalid", Boolean(lastProblem));
showChoices();
