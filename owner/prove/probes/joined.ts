import type { Seen, Trial } from "../probe.ts";
import { broken, type Held, judge, listOf, probesOf, recordOf, skipped, textOf, until } from "./say.ts";
import { call, calledUntil, session, withSockets, words } from "./web-of.ts";

/** How long somebody has for what is asked of them. */
const PERSON_MS = 60_000;

/** Whoever is there, as the service tells. */
async function person(trial: Trial): Promise<Held | undefined> {
  const found = await calledUntil(trial, "/players", PERSON_MS, ({ json }) => listOf(json).length > 0);
  return found && recordOf(listOf(found.json)[0]);
}

/** Says something to whoever plays, in the chat of the game. */
const tell = (trial: Trial, content: string): Promise<void> =>
  withSockets(trial, 1, async socket => socket.send({ type: "CHAT", content }));

/** Asks for a link, and waits for what the player answers. */
async function answered(trial: Trial, what: string, wanted: string): Promise<Seen> {
  const who = await person(trial);
  if (who === undefined) return skipped("nobody has joined");
  const cookie = await session(trial);
  await tell(trial, what);
  const asked = words(await call(trial, "/link-player", { body: { username: who.name }, cookie }));
  if (asked !== "202 verification_sent") return broken(asked);
  const status = async (): Promise<unknown> =>
    recordOf((await call(trial, "/linked-player", { cookie })).json).status;
  const came = await until(trial, PERSON_MS, async () => {
    const now = await status();
    return now === "pending" ? undefined : now;
  });
  if (came === undefined) return skipped("it was not answered within a minute");
  return judge(came === wanted, textOf(came));
}

/** The run shows link requests as a chest: so both answers are given there. */
export const joinedProbes = probesOf("joined", [
  {
    id: "joined-listed",
    kind: "promise",
    assumes: "whoever has joined is in GET /players",
    how: "the service is asked for a minute",
    rows: [],
    async ask(trial) {
      const who = await person(trial);
      if (who === undefined) return skipped("nobody has joined");
      const has = ["name", "uuid", "health", "deaths", "playerKills", "playtimeSeconds"].filter(
        key => who[key] === undefined,
      );
      return judge(has.length === 0, has.length === 0 ? "with all fields" : `without ${has.join(", ")}`);
    },
  },
  {
    id: "joined-accept",
    kind: "promise",
    assumes: "pressing the green wool in the chest links the browser",
    how: "a link is asked for, and the player is told to press green",
    rows: [
      "@minecraft/server-ui / resource packs",
      "@minecraft/server-ui / `ActionFormData`, `MessageFormData`",
    ],
    ask: trial => answered(trial, "A chest opens now: please press the green wool.", "accepted"),
  },
  {
    id: "joined-decline",
    kind: "promise",
    assumes: "pressing the red wool in the chest declines",
    how: "a link is asked for, and the player is told to press red",
    rows: [
      "@minecraft/server-ui / resource packs",
      "@minecraft/server-ui / `ActionFormData`, `MessageFormData`",
    ],
    ask: trial => answered(trial, "It opens once more: please press the red wool.", "declined"),
  },
  {
    id: "joined-chat",
    kind: "promise",
    assumes: "what a player types into the chat reaches the web",
    how: "the player is asked to say something, and a WebSocket listens for a minute",
    rows: ["@minecraft/server / `beforeEvents.chatSend`, `afterEvents.chatSend`"],
    async ask(trial) {
      if ((await person(trial)) === undefined) return skipped("nobody has joined");
      return withSockets(trial, 2, async (one, other) => {
        one.send({ type: "CHAT", content: "Please say something in the chat." });
        const line = await other?.message(
          ({ type, content }) => type === "CHAT" && textOf(content).startsWith("\u00a7\u00a7<"),
          PERSON_MS,
        );
        return line === undefined
          ? skipped("nothing was said within a minute")
          : judge(true, "it comes, with a name before it");
      });
    },
  },
]);
