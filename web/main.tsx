import { render } from "preact";
import type { ServiceSettings } from "../client/types.ts";
import { App } from "./app.tsx";
import { fetchJson } from "./fetch-json.ts";

const RETRY_MS = 2_000;

const place = document.getElementById("app");
if (place) render(<App data={await fetchJson<ServiceSettings>("/console.json", RETRY_MS)} />, place);
