// The verify page: files by their paths, the choice between columns and a plan, and the request for a verdict.
import { send } from "./app.js";

const form = document.getElementById("verify-form");

// Shows the fields of the way that is chosen.
function showWay() {
  const way = form.elements.way.value;
  document.getElementById("by-columns").hidden = way !== "columns";
  document.getElementById("by-plan").hidden = way !== "plan";
  document.getElementById("k").disabled = way !== "columns";
}

// Keeps k and the plan while files are given, as the page is loaded again with each.
function keep() {
  const kept = { way: form.elements.way.value, k: document.getElementById("k").value };
  sessionStorage.setItem("verify", JSON.stringify({ ...kept, plan: document.getElementById("plan").value }));
}

// Fills in what was kept.
function restore() {
  const kept = JSON.parse(sessionStorage.getItem("verify") ?? "null");
  if (!kept) return;
  form.elements.way.value = kept.way;
  document.getElementById("k").value = kept.k;
  document.getElementById("plan").value = kept.plan;
}

// Returns the columns that are chosen or typed.
function columns() {
  const typed = document.getElementById("typed-columns");
  if (!typed) return [...form.querySelectorAll("input[name=columns]:checked")].map((box) => box.value);
  return typed.value.split("\n").map((line) => line.trim()).filter(Boolean);
}

// Asks for a verdict.
function check() {
  if (form.elements.way.value === "plan") return send("/verify", { plan: document.getElementById("plan").value });
  return send("/verify", { k: Number(document.getElementById("k").value), columns: columns() });
}

// Hides the columns whose names lack what is typed.
function findColumns(sought) {
  for (const item of document.querySelectorAll("#columns li")) {
    item.hidden = !item.textContent.toLowerCase().includes(sought.trim().toLowerCase());
  }
}

for (const place of document.querySelectorAll("form[data-path]")) {
  place.addEventListener("submit", (event) => {
    event.preventDefault();
    send("/verify/path", { role: place.dataset.path, path: place.querySelector("input").value });
  });
}
for (const button of document.querySelectorAll("[data-clear]")) {
  button.addEventListener("click", () => send("/verify/clear", { role: button.dataset.clear }));
}
document.getElementById("find-column")?.addEventListener("input", (event) => findColumns(event.target.value));
document.getElementById("plan-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  document.getElementById("plan").value = await file.text();
  keep();
});
form.addEventListener("change", showWay);
form.addEventListener("input", keep);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
restore();
showWay();
