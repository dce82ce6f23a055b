import { inFile } from "./allow-list.ts";
import { judge, listOf, probesOf } from "./say.ts";
import { call, calledUntil, words } from "./web-of.ts";

const FRESH_MS = 30_000;
const NAME = "ProveWeb";

/** The whitelist as the web has it. */
export const webListProbes = probesOf("plain", [
  {
    id: "web-whitelist-key",
    kind: "promise",
    assumes: "the whitelist answers 401 with nothing to who has no key, or a wrong one",
    how: "GET and POST /whitelist without the key and with another",
    rows: [],
    async ask(trial) {
      const said = [
        words(await call(trial, "/whitelist")),
        words(await call(trial, "/whitelist", { key: "another" })),
        words(await call(trial, "/whitelist", { body: { playerName: NAME } })),
      ];
      return judge(
        said.every(each => each === "401 without a body"),
        said.join(", "),
      );
    },
  },
  {
    id: "web-whitelist-name",
    kind: "promise",
    assumes: "a name that no player can have is refused with 400 invalid_name",
    how: "POST /whitelist with such names",
    rows: [],
    async ask(trial) {
      const said: string[] = [];
      for (const playerName of ["", "bad/name", "a".repeat(17)])
        said.push(words(await call(trial, "/whitelist", { body: { playerName }, key: true })));
      return judge(
        said.every(each => each === "400 invalid_name"),
        [...new Set(said)].join(", "),
      );
    },
  },
  {
    id: "web-whitelist",
    kind: "promise",
    assumes:
      "a name that is put on the whitelist from the web is on the game's list and in its file, and off both when it is taken off",
    how: "POST, GET and DELETE /whitelist, and allowlist.json",
    rows: ["@minecraft/server-admin / `dedicatedServer.allowList`", "@minecraft/server-admin / persistence"],
    async ask(trial) {
      await calledUntil(trial, "/status", FRESH_MS, ({ status }) => status === 200);
      const names = async (): Promise<readonly unknown[]> =>
        listOf((await call(trial, "/whitelist", { key: true })).json);
      trial.atEnd(
        async () =>
          void (await call(trial, "/whitelist", { method: "DELETE", body: { playerName: NAME }, key: true })),
      );
      const added = words(await call(trial, "/whitelist", { body: { playerName: NAME }, key: true }));
      const [there, written] = [(await names()).includes(NAME), await inFile(trial, NAME, true)];
      const removed = words(
        await call(trial, "/whitelist", { method: "DELETE", body: { playerName: NAME }, key: true }),
      );
      const [gone, out] = [!(await names()).includes(NAME), await inFile(trial, NAME, false)];
      const isSo =
        added === "202 whitelisted" && there && written && removed === "200 removed" && gone && out;
      return judge(
        isSo,
        `${added}, ${there ? "listed" : "not listed"}, ${written ? "written" : "not written"}; ${removed}, ${gone ? "gone" : "still listed"}, ${out ? "taken out" : "not taken out"}`,
      );
    },
  },
  {
    id: "web-whitelist-twice",
    kind: "promise",
    assumes: "a name that is on the whitelist already is answered with 202 all the same, and listed once",
    how: "POST /whitelist twice",
    rows: ["@minecraft/server-admin / `dedicatedServer.allowList`"],
    async ask(trial) {
      await calledUntil(trial, "/status", FRESH_MS, ({ status }) => status === 200);
      const asked = { body: { playerName: NAME }, key: true };
      const said = [
        words(await call(trial, "/whitelist", asked)),
        words(await call(trial, "/whitelist", asked)),
      ];
      const count = listOf((await call(trial, "/whitelist", { key: true })).json).filter(
        name => name === NAME,
      ).length;
      await call(trial, "/whitelist", { ...asked, method: "DELETE" });
      return judge(
        said.join() === "202 whitelisted,202 whitelisted" && count === 1,
        `${said.join(", ")}, listed ${count} times`,
      );
    },
  },
]);
