// Copies texts of the page where what is taken home: the checksum, or a whole file as it is.
import { report } from "./app.js";

// Returns what a button copies.
async function textOf(button) {
  if (button.dataset.copy) return document.getElementById(button.dataset.copy).textContent;
  const response = await fetch(button.dataset.copyFile);
  if (!response.ok) throw new Error("The file cannot be read. Load this page again.");
  return response.text();
}

// Copies a text, and says so on the button for a moment.
async function copy(button) {
  try {
    await navigator.clipboard.writeText(await textOf(button));
  } catch {
    report("This browser does not let the page copy: mark the text and copy it, or download the file.");
    return;
  }
  const before = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
}

for (const button of document.querySelectorAll("[data-copy], [data-copy-file]")) {
  button.addEventListener("click", () => copy(button));
}
