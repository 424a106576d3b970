// Areas on which a file is dropped or chosen, and its upload with progress.
import { agreed, answerOf, csrf, report } from "./app.js";

const UNITS = ["bytes", "kB", "MB", "GB"];

// Writes a number of bytes in a unit that is easily read.
function inWords(bytes) {
  let place = 0;
  while (bytes >= 1000 && place < UNITS.length - 1) {
    bytes /= 1000;
    place += 1;
  }
  return `${place === 0 ? bytes : bytes.toFixed(1)} ${UNITS[place]}`;
}

// Shows either the area or the progress of its upload.
function showProgress(upload, isShown) {
  upload.querySelector(".drop").hidden = isShown;
  upload.querySelector(".upload-progress").hidden = !isShown;
}

// Tells how much of a file has been sent.
function tell(upload, file, sent, all) {
  const share = all ? sent / all : 1;
  upload.querySelector("progress").value = share;
  const isSent = sent === all;
  const words = isSent ? "it is sent, and is being read …" : `${inWords(sent)} of ${inWords(all)}, ${Math.floor(100 * share)} %`;
  upload.querySelector(".upload-progress p").textContent = `${file.name}: ${words}`;
}

// Ends an upload that came to nothing, with a sentence.
function giveUp(upload, sentence) {
  showProgress(upload, false);
  report(sentence);
  upload.querySelector("[data-choose]").focus();
}

// Goes where the answer to an upload says, or shows what went wrong.
function finish(upload, request) {
  try {
    location.assign(answerOf(request.status, request.responseText).go);
  } catch (failure) {
    giveUp(upload, failure.message);
  }
}

// Uploads a file as it is.
function send(upload, file) {
  if (!agreed(upload)) return;
  report("");
  showProgress(upload, true);
  tell(upload, file, 0, file.size);
  const cancel = upload.querySelector("[data-cancel]");
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => tell(upload, file, event.loaded, event.total));
  request.addEventListener("load", () => finish(upload, request));
  request.addEventListener("error", () => {
    giveUp(upload, "The upload broke off: the file is too large, or the server does not answer. Nothing was kept.");
  });
  request.addEventListener("abort", () => giveUp(upload, "The upload was cancelled. Nothing was kept."));
  cancel.onclick = () => request.abort();
  cancel.focus();
  request.open("POST", upload.dataset.upload);
  request.setRequestHeader("X-Microagg-Csrf", csrf());
  request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.send(file);
}

// Takes a file that is chosen by the button, or dropped on the area.
function takeFile(upload) {
  const area = upload.querySelector(".drop");
  const chooser = upload.querySelector("input[type=file]");
  upload.querySelector("[data-choose]").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    if (chooser.files.length) send(upload, chooser.files[0]);
    chooser.value = "";
  });
  area.addEventListener("dragover", () => area.classList.add("over"));
  area.addEventListener("dragleave", () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    area.classList.remove("over");
    const { files } = event.dataTransfer;
    if (files.length > 1) report("One file at a time: drop a single one.");
    else if (files.length === 1) send(upload, files[0]);
  });
}

// A file that misses the area must not be opened by the browser in place of the page.
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => event.preventDefault());
for (const upload of document.querySelectorAll("[data-upload]")) takeFile(upload);
