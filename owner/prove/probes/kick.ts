import { FIRST, kinds, only, withPlayers } from "./players-of.ts";
import {
  askRecord,
  broken,
  failureIn,
  type Held,
  judge,
  listOf,
  notedSince,
  notedWhile,
  numberOf,
  probesOf,
} from "./say.ts";

export const kickProbes = probesOf("probes", [
  {
    id: "player-asked",
    kind: "inference",
    assumes: "asyncPlayerJoin takes a listener once the world is there, and asks for no simulated player",
    how: "a simulated player comes while there is one",
    rows: [
      "@minecraft/server-admin / `asyncPlayerJoin`",
      "@minecraft/server-admin / `asyncPlayerJoin`: its unknowns",
    ],
    async ask(trial) {
      if (listOf((await askRecord(trial, "load")).unheard).includes("asyncPlayerJoin"))
        return broken("it takes no listener");
      const { next } = await notedSince(trial, Number.MAX_SAFE_INTEGER);
      return withPlayers(trial, [FIRST], async () => {
        const { noted } = await notedSince(trial, next);
        const asked = noted.filter(({ is, name }) => is === "asked" && name === FIRST);
        return judge(asked.length === 0, `it takes one, which was asked ${asked.length} times`);
      });
    },
  },
  {
    id: "player-kick",
    kind: "inference",
    assumes:
      "kickPlayer takes a reason, and whoever it sends away is in the list no more within a tick, and told of as leaving",
    how: "a simulated player is sent away, for a reason of 60 letters",
    rows: [
      "@minecraft/server / `playerJoin`, `playerSpawn`, `playerLeave`",
      "@minecraft/server-admin / `kickPlayer`",
    ],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        let seen: Held = {};
        const noted = only(
          await notedWhile(trial, async () => {
            seen = await askRecord(trial, "player-kick", { name: FIRST, reason: "x".repeat(60) });
          }),
          "before-leave",
          "leave",
        );
        const why = failureIn(seen);
        if (why !== "") return broken(`it throws ${why}`);
        if (seen.isListed !== false) return broken("the player is still there after three seconds");
        const after = numberOf(seen.ticks);
        return judge(
          after <= 1 && kinds(noted) === "before-leave, leave",
          `${kinds(noted)}, after ${after} ticks`,
        );
      }),
  },
]);
