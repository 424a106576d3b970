// Opens a document in a tab of its own, and asks the browser to print it.
import { report } from "./app.js";

for (const button of document.querySelectorAll("button[data-print]")) {
  button.addEventListener("click", () => {
    const tab = open(button.dataset.print);
    if (tab) tab.addEventListener("load", () => tab.print());
    else report("The browser lets no tab be opened: open the document by its link, and print it there.");
  });
}
