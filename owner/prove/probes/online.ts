import { EMPTY_LIST, NO_SERVICES, UNSAFE_LIST } from "../../bds/console-lines.ts";
import { inFile } from "./allow-list.ts";
import { judge, listOf, patternOf, probesOf } from "./say.ts";
import { call, calledUntil, words } from "./web-of.ts";

const FOLDER = "A server's folder";
const NAME = "ProveOnline";
const FRESH_MS = 60_000;

export const onlineProbes = probesOf("online", [
  {
    id: "online-start",
    kind: "promise",
    assumes: "a server with online-mode and allow-list starts where there is internet",
    how: "the lines of its start are looked through",
    rows: [],
    async ask({ console }) {
      const isStarted = console.lines.includes("Server started.");
      const why = [NO_SERVICES, UNSAFE_LIST].find(line => console.lines.includes(line));
      return judge(
        isStarted && why === undefined,
        why ?? (isStarted ? "it has started" : "it has not started"),
      );
    },
  },
  {
    id: "online-empty-list",
    kind: "promise",
    assumes: "an empty allowlist that is on is warned of in three lines",
    how: "the lines are compared word for word",
    rows: [`${FOLDER} / allow list`],
    async ask({ console }) {
      const missing = EMPTY_LIST.filter(line => !console.lines.some(each => patternOf(line).test(each)));
      return judge(missing.length === 0, missing.length === 0 ? "word for word" : `not found: ${missing[0]}`);
    },
  },
  {
    id: "online-whitelist",
    kind: "promise",
    assumes:
      "a name that is put on the whitelist from the web is on the list and in its file while the list is on, and off both afterwards",
    how: "POST, GET and DELETE /whitelist, and allowlist.json",
    rows: ["@minecraft/server-admin / `dedicatedServer.allowList`", `${FOLDER} / allow list`],
    async ask(trial) {
      await calledUntil(trial, "/status", FRESH_MS, ({ status }) => status === 200);
      const asked = { body: { playerName: NAME }, key: true };
      const added = words(await call(trial, "/whitelist", asked));
      const there = listOf((await call(trial, "/whitelist", { key: true })).json).includes(NAME);
      const written = await inFile(trial, NAME, true);
      const removed = words(await call(trial, "/whitelist", { ...asked, method: "DELETE" }));
      const out = await inFile(trial, NAME, false);
      const isSo = added === "202 whitelisted" && there && written && removed === "200 removed" && out;
      return judge(
        isSo,
        `${added}, ${there ? "listed" : "not listed"}, ${written ? "written" : "not written"}; ${removed}, ${out ? "taken out" : "not taken out"}`,
      );
    },
  },
  {
    id: "online-stays",
    kind: "promise",
    assumes: "a server that has found the services stays",
    how: "it is asked for 75 s whether it still reports",
    rows: [],
    async ask(trial) {
      await trial.console.line(patternOf(NO_SERVICES), 75_000);
      const answered = await calledUntil(trial, "/status", 5_000, ({ status }) => status === 200);
      return judge(answered !== undefined, answered === undefined ? "it reports no more" : "it reports");
    },
  },
]);
