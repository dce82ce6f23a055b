import { render } from "preact";
import { fetchJson } from "../../../web/service/fetch-json.ts";
import type { PanelData } from "../panel/protocol.ts";
import { App } from "./app.tsx";

const RETRY_MS = 1_000;

const place = document.getElementById("app");
if (place) render(<App data={await fetchJson<PanelData>("/panel.json", RETRY_MS)} />, place);
