import { type Fields, type Probe, Skipped, type TestEnvironment } from "../probe.ts";
import { ask, eventsDuring, failureIn, fieldsOf, kindsOf, numberOf, probesAt, textOf } from "../values.ts";

export const FIRST = "ProveFirst";
export const SECOND = "Prove Second";

/** Runs a probe with simulated players, who leave afterwards. */
export const withPlayers =
  (
    names: readonly string[],
    use: (env: TestEnvironment, ...players: Fields[]) => Promise<string>,
  ): Probe["ask"] =>
  async env => {
    if ((await env.script.ask("player-offered")) !== true)
      throw new Skipped("this game offers no simulated players");
    await env.script.ask("all-go");
    try {
      const players: Fields[] = [];
      for (const name of names) players.push(await ask(env, "player-come", { name }));
      return await use(env, ...players);
    } finally {
      await env.script.ask("all-go").catch(() => undefined);
    }
  };

const CHAT = ["before-chat", "chat"];

/** The events after a line of a player. */
const say = (env: TestEnvironment, text: string): Promise<readonly Fields[]> =>
  eventsDuring(env, CHAT, () => env.script.ask("player-say", { name: FIRST, text }));

/** Shows a form, and reads its state after a second. */
async function show(env: TestEnvironment): Promise<{ number: number; state: string }> {
  const { number, came, thrown } = await ask(env, "form-show", { name: FIRST, ticks: 20 });
  if (thrown !== undefined) throw new Error(`the call throws ${textOf(fieldsOf(thrown).name)}`);
  return { number: numberOf(number), state: stateOf(fieldsOf(came)) };
}

/** Such as `open`, or `answered: UserBusy`. */
const stateOf = ({ is, reason }: Fields): string =>
  textOf(reason) === "" ? textOf(is) : `${textOf(is)}: ${textOf(reason)}`;

/** The state of an open form after something has happened. */
async function formAfter(env: TestEnvironment, act: () => Promise<unknown>): Promise<string> {
  const { number, state } = await show(env);
  if (state !== "open") throw new Skipped(`the form does not stay open: ${state}`);
  await act();
  await env.script.ask("wait-ticks", { ticks: 20 });
  return stateOf(await ask(env, "form", { number }));
}

/** Players, their chat, and forms. */
export const playerProbes = probesAt("script", [
  {
    id: "player-join",
    expect: "join, spawn, listed from the first on",
    why: "who is online is known by these events",
    ask: withPlayers([], async env => {
      const come = () => env.script.ask("player-come", { name: FIRST });
      const events = await eventsDuring(env, ["join", "spawn"], come);
      const isListed = events.find(({ is }) => is === "join")?.listed === true;
      const isInitial = events.find(({ is }) => is === "spawn")?.initial === true;
      return `${kindsOf(events)}, ${isListed ? "listed from the first on" : "not listed yet"}${isInitial ? "" : ", not the initial spawn"}`;
    }),
  },
  {
    id: "player-leave",
    expect: "leave, not listed",
    why: "who has left is known by this event",
    ask: withPlayers([FIRST], async env => {
      const events = await eventsDuring(env, ["leave"], () => env.script.ask("player-go", { name: FIRST }));
      return `${kindsOf(events)}, ${events.some(({ listed }) => listed === true) ? "still listed" : "not listed"}`;
    }),
  },
  {
    id: "player-persistent-id",
    expect: "16 digits, the same again, another for another player",
    why: "links, bans and figures of players belong to this id",
    ask: withPlayers([FIRST, SECOND], async (env, one, other) => {
      await env.script.ask("player-go", { name: FIRST });
      const again = await ask(env, "player-come", { name: FIRST });
      const [first, second, third] = [one, again, other].map(each => textOf(each?.persistentId));
      return [
        /^[\da-f]{16}$/i.test(first ?? "") ? "16 digits" : `no 16 digits (${first || "none"})`,
        first === second ? "the same again" : "another one again",
        first === third ? "the same for another player" : "another for another player",
      ].join(", ");
    }),
  },
  {
    id: "player-kick",
    expect: "leave, not listed",
    why: "players are kicked and banned from the website, with a reason",
    ask: withPlayers([FIRST], async env => {
      let result: Fields = {};
      const events = await eventsDuring(env, ["leave"], async () => {
        result = await ask(env, "player-kick", { name: FIRST, reason: "x".repeat(60) });
      });
      return (
        failureIn(result) ||
        `${kindsOf(events)}, ${result.isListed === false ? "not listed" : "still listed"}`
      );
    }),
  },
  {
    id: "player-asked",
    expect: "asyncPlayerJoin is offered",
    why: "banned players are rejected before they join",
    async ask(env) {
      const { unsupportedEvents } = await ask(env, "load");
      const isSupported = Array.isArray(unsupportedEvents) && !unsupportedEvents.includes("asyncPlayerJoin");
      return isSupported ? "asyncPlayerJoin is offered" : "asyncPlayerJoin is not offered";
    },
  },
  {
    id: "chat-events",
    expect: "before-chat, chat, as typed, to everybody",
    why: "the chat of the game is shown on the website",
    ask: withPlayers([FIRST], async env => {
      const text = '\u00a7ahell\u00f6 "there" \u20ac %s';
      const events = await say(env, text);
      const chat = events.find(({ is }) => is === "chat");
      const isTyped = chat?.text === text && chat.name === FIRST;
      // No list, or an empty one, means all players.
      const isOpen = chat?.targets === "undefined" || chat?.targets === 0;
      return `${kindsOf(events)}, ${isTyped ? "as typed" : "not as typed"}, ${isOpen ? "to everybody" : "to some"}`;
    }),
  },
  {
    id: "chat-cancelled",
    expect: "before-chat",
    why: "messages that another pack cancels must not be shown on the website",
    ask: withPlayers([FIRST], async env => kindsOf(await say(env, "cancelled line"))),
  },
  {
    id: "chat-tell",
    expect: "nothing",
    why: "private messages must not be shown on the website",
    ask: withPlayers([FIRST, SECOND], async env => {
      let result: Fields = {};
      const events = await eventsDuring(env, CHAT, async () => {
        result = await ask(env, "player-command", { name: FIRST, command: `tell "${SECOND}" hello` });
      });
      if (failureIn(result) !== "") throw new Skipped(`the command fails: ${failureIn(result)}`);
      return kindsOf(events);
    }),
  },
  {
    id: "form-shown",
    expect: "open",
    why: "players answer link requests in a form",
    ask: withPlayers([FIRST], async env => (await show(env)).state),
  },
  {
    id: "form-busy",
    expect: "answered: UserBusy",
    why: "the pack asks again when a player has another screen open",
    ask: withPlayers([FIRST], async env => {
      const { state } = await show(env);
      if (state !== "open") throw new Skipped(`the first form does not stay open: ${state}`);
      return (await show(env)).state;
    }),
  },
  {
    id: "form-left",
    expect: "rejected: PlayerQuit",
    why: "a link request ends when its player leaves",
    ask: withPlayers([FIRST], env => formAfter(env, () => env.script.ask("player-go", { name: FIRST }))),
  },
]);
