import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../../../cli/errno.ts";
import { SETTINGS } from "../../../sidecar/config/settings.ts";
import { readFigures } from "../figures.ts";
import { FIGURES, PAGE_FILE } from "../places.ts";
import { planPage } from "./page.ts";
import { printed } from "./print.ts";

const SOCKETS = `${SETTINGS.modules.api.limits.websocketClients.default}`;

const USAGE = `usage: npm run plan -- --viewers <numbers> [--lines-per-second 5] [--sockets ${SOCKETS}]
       npm run plan -- --page

  --viewers <numbers>     how many read the chat at the same time, such as 10000,100000,1000000
  --lines-per-second <n>  lines of chat, of the game and of the web together (5)
  --sockets <n>           WebSockets that one sidecar takes: websocket-clients (${SOCKETS})
  --page                  writes the tables of docs/scaling.md anew

It counts with the figures of docs/figures.json: npm run bench -- --sidecars 1,2,4 --write measures those of this machine.`;

/** A number above 0. @throws what is wrong with it */
function positive(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number > 0) return number;
  throw new Error(`--${name}: ${text}: expected a number above 0\n\n${USAGE}`);
}

/** How many of something: no parts of one, and written without commas in it. @throws what is wrong with it */
function count(name: string, text: string): number {
  if (/^[1-9]\d{0,11}$/.test(text)) return Number(text);
  throw new Error(`--${name}: ${text}: expected a whole number above 0, such as 100000\n\n${USAGE}`);
}

function main(): void {
  const { values } = parseArgs({
    options: {
      viewers: { type: "string" },
      "lines-per-second": { type: "string", default: "5" },
      sockets: { type: "string", default: SOCKETS },
      page: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (!existsSync(FIGURES)) throw new Error(`there is no docs/figures.json\n\n${USAGE}`);
  if (values.page) {
    writeFileSync(PAGE_FILE, planPage(readFileSync(PAGE_FILE, "utf8"), readFigures(FIGURES)));
    return;
  }
  if (values.viewers === undefined) throw new Error(USAGE);
  const viewers = values.viewers.split(",").map(text => count("viewers", text.trim()));
  const lines = positive("lines-per-second", values["lines-per-second"]);
  console.log(printed(viewers, lines, count("sockets", values.sockets), readFigures(FIGURES)));
}

try {
  main();
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 2;
}
