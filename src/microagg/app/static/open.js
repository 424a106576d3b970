// The page on which a file is opened: files on the server, by their paths or by a browser of folders.
import { agreed, answerOf, report, send } from "./app.js";

const folder = document.getElementById("folder");
const path = document.getElementById("path");
const pathForm = document.getElementById("path-form");

// Shows what is in a folder, as the server has written it.
async function showFolder(address) {
  report("");
  try {
    const response = await fetch(`/open/folder?path=${encodeURIComponent(address)}`);
    folder.innerHTML = answerOf(response.status, await response.text()).html;
    folder.querySelector("button")?.focus();
  } catch (failure) {
    report(failure.message);
  }
}

// Opens a file by its path.
function openPath(named) {
  if (agreed(pathForm)) send("/open/path", { path: named });
}

// Opens files by their paths: typed, or chosen in the list of a folder.
function takePaths() {
  pathForm.addEventListener("submit", (event) => {
    event.preventDefault();
    if (path.value.trim()) openPath(path.value.trim());
    else path.focus();
  });
  folder.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button?.dataset.folder !== undefined) showFolder(button.dataset.folder);
    else if (button?.dataset.file !== undefined) openPath(button.dataset.file);
  });
}

if (folder) takePaths();
