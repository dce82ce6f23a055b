import { render } from "preact";
import { App } from "./app.tsx";
import type { ConsoleData } from "./console-data.ts";
import { fetchJson } from "./fetch-json.ts";

const RETRY_MS = 2_000;

const place = document.getElementById("app");
if (place) render(<App data={await fetchJson<ConsoleData>("/console.json", RETRY_MS)} />, place);
