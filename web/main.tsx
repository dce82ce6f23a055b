import { render } from "preact";
import type { ServiceSettings } from "../client/types.ts";
import { App } from "./app.tsx";
import { fetchJson } from "./fetch-json.ts";
import { beginSession } from "./session.ts";

const RETRY_MS = 2_000;

const place = document.getElementById("app");
const [data, browser] = await Promise.all([
  fetchJson<ServiceSettings>("/console.json", RETRY_MS),
  beginSession(),
]);
if (place) render(<App data={data} browser={browser} />, place);
