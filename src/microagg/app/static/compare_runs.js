// Loads the comparison anew when a run that is not over has come to another state.
import { drawAnew } from "./app.js";

const rows = [...document.querySelectorAll("tr[data-events]")];

// Listens to one run: several at once would use up the connections of a browser.
function follow(row) {
  const source = new EventSource(row.dataset.events);
  const known = row.dataset.state;
  let reached = false;
  source.onmessage = (message) => {
    const { state } = JSON.parse(message.data);
    reached ||= state === known;
    if (!reached || state === known) return;
    source.close();
    drawAnew();
  };
  addEventListener("pagehide", () => source.close());
}

const working = rows.find((row) => row.dataset.state !== "queued") ?? rows[0];
if (working) follow(working);
