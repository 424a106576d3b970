// The verify page: uploads of the files, the choice between columns and a plan, and the request for a verdict.
import { answerOf, csrf, report, send } from "./app.js";

const form = document.getElementById("verify-form");

// Uploads a file for a role as it is, shows how far it is, and goes where the answer says.
function upload(role, file) {
  report("");
  const shown = document.getElementById(`${role}-uploading`);
  const words = shown.querySelector("p");
  const progress = shown.querySelector("progress");
  shown.hidden = false;
  words.textContent = `Uploading ${file.name} …`;
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => {
    progress.value = event.total ? event.loaded / event.total : 1;
    if (event.loaded === event.total) words.textContent = `Reading the columns of ${file.name} …`;
  });
  request.addEventListener("load", () => {
    try {
      location.assign(answerOf(request.status, request.responseText).go);
    } catch (failure) {
      shown.hidden = true;
      report(failure.message);
    }
  });
  request.addEventListener("error", () => {
    shown.hidden = true;
    report("The upload broke off: the file is too large, or the server does not answer. Nothing was kept.");
  });
  request.open("POST", `/verify/upload?role=${role}`);
  request.setRequestHeader("X-Microagg-Csrf", csrf());
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.send(file);
}

// Lets a file be dropped on an area.
function dropArea(area) {
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("over");
  });
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("over");
    if (event.dataTransfer.files.length) upload(area.dataset.drop, event.dataTransfer.files[0]);
  });
}

// Shows the fields of the way that is chosen.
function showWay() {
  const way = form.elements.way.value;
  document.getElementById("by-columns").hidden = way !== "columns";
  document.getElementById("by-plan").hidden = way !== "plan";
  document.getElementById("k").disabled = way !== "columns";
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

for (const area of document.querySelectorAll("[data-drop]")) dropArea(area);
for (const chooser of document.querySelectorAll("input[data-role]")) {
  chooser.addEventListener("change", () => chooser.files.length && upload(chooser.dataset.role, chooser.files[0]));
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
  if (file) document.getElementById("plan").value = await file.text();
});
form.addEventListener("change", showWay);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
showWay();
