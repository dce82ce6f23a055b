import type { Trial } from "../probe.ts";
import { FIRST, madeUp, withPlayers } from "./players-of.ts";
import {
  ask,
  askRecord,
  broken,
  failureIn,
  type Held,
  judge,
  numberOf,
  probesOf,
  recordOf,
  skipped,
  textOf,
} from "./say.ts";

const UI = "@minecraft/server-ui";

const show = (trial: Trial, ticks = 20): Promise<Held> =>
  askRecord(trial, "form-show", { name: FIRST, ticks });
const words = (came: Held): string => {
  const reason = textOf(came.reason);
  return `${textOf(came.is) || "nothing"}${reason === "" ? "" : ` with ${reason}`}`;
};

export const formProbes = probesOf("probes", [
  {
    id: "form-shown",
    kind: "inference",
    assumes:
      "a form that is shown to a player whose screen is free is neither refused nor answered by itself",
    how: "a form is shown to a simulated player, and what has come of it after a second",
    rows: [`${UI} / \`ActionFormData\`, \`MessageFormData\``, madeUp("forms for one")],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const shown = await show(trial);
        if (shown.thrown !== undefined)
          return broken(`the call throws ${textOf(recordOf(shown.thrown).name)}`);
        const came = recordOf(shown.came);
        return judge(came.is === "open", came.is === "open" ? "it stays open" : words(came));
      }),
  },
  {
    id: "form-busy",
    kind: "promise",
    assumes: "a second form for the same player is answered with UserBusy",
    how: "two forms are shown to a simulated player",
    rows: [`${UI} / \`ActionFormData\`, \`MessageFormData\``],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const first = recordOf((await show(trial)).came);
        if (first.is !== "open") return skipped(`the first form does not stay open: ${words(first)}`);
        const came = recordOf((await show(trial)).came);
        return judge(came.reason === "UserBusy", words(came));
      }),
  },
  {
    id: "form-closed",
    kind: "inference",
    assumes: "closeAllForms answers what is open as closed by the player",
    how: "a form is shown to a simulated player and closed by the script",
    rows: [`${UI} / \`uiManager.closeAllForms\``],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const shown = await show(trial);
        if (recordOf(shown.came).is !== "open") return skipped("the form does not stay open");
        const why = failureIn(await ask(trial, "form-close", { name: FIRST }));
        if (why !== "") return broken(why);
        await ask(trial, "wait-ticks", { ticks: 20 });
        const came = await askRecord(trial, "form", { number: numberOf(shown.number) });
        return judge(
          came.is === "answered" && came.reason === "UserClosed",
          came.is === "open" ? "it is not answered" : words(came),
        );
      }),
  },
  {
    id: "form-left",
    kind: "promise",
    assumes: "a form of a player who leaves is rejected with PlayerQuit",
    how: "a form is shown to a simulated player, who is disconnected",
    rows: [`${UI} / leaving with a form open`],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const shown = await show(trial);
        if (recordOf(shown.came).is !== "open") return skipped("the form does not stay open");
        await ask(trial, "player-go", { name: FIRST });
        const came = await askRecord(trial, "form", { number: numberOf(shown.number) });
        return judge(
          came.is === "rejected" && came.reason === "PlayerQuit",
          came.is === "open" ? "it is not answered" : words(came),
        );
      }),
  },
  {
    id: "form-dead",
    kind: "inference",
    assumes: "a form stays open when its player dies",
    how: "a form is shown to a simulated player, who is killed",
    rows: [`${UI} / death, dimension change`],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const shown = await show(trial);
        if (recordOf(shown.came).is !== "open") return skipped("the form does not stay open");
        await ask(trial, "player-kill", { name: FIRST });
        await ask(trial, "wait-ticks", { ticks: 20 });
        const came = await askRecord(trial, "form", { number: numberOf(shown.number) });
        return judge(came.is === "open", came.is === "open" ? "it stays open" : words(came));
      }),
  },
]);
