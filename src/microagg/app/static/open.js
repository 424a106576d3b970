// The page on which a file is opened: upload with progress, and a browser of folders.
import { answerOf, csrf, report, send } from "./app.js";

const drop = document.getElementById("drop");
const chooser = document.getElementById("file");
const uploading = document.getElementById("uploading");
const folder = document.getElementById("folder");
const path = document.getElementById("path");

// Writes a number of bytes in a unit that is easily read.
function inWords(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  let place = 0;
  while (bytes >= 1000 && place < units.length - 1) {
    bytes /= 1000;
    place += 1;
  }
  return `${place === 0 ? bytes : bytes.toFixed(1)} ${units[place]}`;
}

// Shows or hides the progress of an upload.
function showUploading(shown) {
  uploading.hidden = !shown;
  drop.hidden = shown;
}

// Uploads a file as it is, and goes where the answer says.
function upload(file) {
  report("");
  showUploading(true);
  const text = document.getElementById("upload-text");
  const progress = document.getElementById("upload-progress");
  const cancel = document.getElementById("cancel-upload");
  const request = new XMLHttpRequest();
  text.textContent = `Uploading ${file.name} …`;
  progress.value = 0;
  request.upload.addEventListener("progress", (event) => {
    const share = event.total ? (100 * event.loaded) / event.total : 100;
    progress.value = share;
    text.textContent = `${file.name}: ${inWords(event.loaded)} of ${inWords(event.total)}, ${Math.floor(share)} %`;
  });
  request.addEventListener("load", () => {
    try {
      const answer = answerOf(request.status, request.responseText);
      location.assign(answer.go);
    } catch (failure) {
      showUploading(false);
      report(failure.message);
    }
  });
  request.addEventListener("error", () => {
    showUploading(false);
    report("The upload broke off: the file is too large, or the server does not answer. Nothing was kept.");
  });
  request.addEventListener("abort", () => {
    showUploading(false);
    report("The upload was cancelled. Nothing was kept.");
    document.getElementById("choose").focus();
  });
  cancel.onclick = () => request.abort();
  request.open("POST", "/open/upload");
  request.setRequestHeader("X-Microagg-Csrf", csrf());
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
}

// Takes files that are chosen by the button, or dropped on the area.
function takeFiles() {
  document.getElementById("choose").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    if (chooser.files.length) upload(chooser.files[0]);
    chooser.value = "";
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => event.preventDefault());
  drop.addEventListener("dragover", () => drop.classList.add("over"));
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    const files = event.dataTransfer.files;
    if (files.length > 1) report("One file at a time: drop a single one.");
    else if (files.length === 1) upload(files[0]);
  });
}

// Returns a button of the list of a folder.
function entryButton(name, about, key, value) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset[key] = value;
  const shown = document.createElement("span");
  shown.textContent = name;
  button.append(shown);
  if (about) {
    const beside = document.createElement("span");
    beside.className = "muted";
    beside.textContent = about;
    button.append(beside);
  }
  const item = document.createElement("li");
  item.append(button);
  return item;
}

// Shows what is in a folder.
async function showFolder(address) {
  report("");
  try {
    const response = await fetch(`/open/folder?path=${encodeURIComponent(address)}`);
    const listing = answerOf(response.status, await response.text());
    const place = document.createElement("p");
    place.className = "folder-path";
    place.textContent = listing.path;
    const list = document.createElement("ul");
    list.setAttribute("aria-label", "Contents of the folder");
    if (listing.parent !== null) list.append(entryButton("↑ one folder up", "", "folder", listing.parent));
    for (const one of listing.entries) {
      const about = one.is_folder ? "" : `${one.kind}, ${inWords(one.n_bytes)}`;
      list.append(entryButton(one.is_folder ? `${one.name}/` : one.name, about, one.is_folder ? "folder" : "file", one.path));
    }
    folder.replaceChildren(place, list);
    if (!listing.entries.length) {
      const empty = place.cloneNode();
      empty.textContent = "There is no file here that can be read.";
      folder.append(empty);
    }
    list.querySelector("button")?.focus();
  } catch (failure) {
    report(failure.message);
  }
}

// Opens files by their paths: typed, or chosen in the list of a folder.
function takePaths() {
  document.getElementById("path-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (path.value.trim()) send("/open/path", { path: path.value.trim() });
    else path.focus();
  });
  folder.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.folder !== undefined) showFolder(button.dataset.folder);
    else if (button?.dataset.file !== undefined) send("/open/path", { path: button.dataset.file });
  });
}

takeFiles();
if (folder) takePaths();
