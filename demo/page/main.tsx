import { render } from "preact";
import type { PanelData } from "../panel/protocol.ts";
import { App } from "./app.tsx";

const AGAIN_MS = 1_000;

/** Asks until there is an answer: the page may be open before the demo has started. */
async function panelData(): Promise<PanelData> {
  for (;;) {
    try {
      const answer = await fetch("/panel.json");
      if (answer.ok) return await answer.json();
    } catch {
      // Asked again below.
    }
    await new Promise(resolve => setTimeout(resolve, AGAIN_MS));
  }
}

const place = document.getElementById("app");
if (place) render(<App data={await panelData()} />, place);
