import type { Seen, Trial } from "../probe.ts";
import { FIRST, madeUp, SECOND, withPlayers } from "./players-of.ts";
import {
  ask,
  askRecord,
  broken,
  failureIn,
  type Held,
  judge,
  notedWhile,
  probesOf,
  skipped,
  textOf,
} from "./say.ts";

const SERVER = "@minecraft/server";
const CHAT = `${SERVER} / \`beforeEvents.chatSend\`, \`afterEvents.chatSend\``;
const TARGETS = `${SERVER} / \`targets\` of chat`;
const SYSTEM = `${SERVER} / \`/say\`, \`/me\`, \`/tell\`, text of the system`;
const SEND = `${SERVER} / \`world.sendMessage\`, \`Player.sendMessage\``;

const isChat = ({ is }: Held): boolean => is === "before-chat" || is === "chat";
const heard = async (trial: Trial, act: () => Promise<unknown>): Promise<readonly Held[]> =>
  (await notedWhile(trial, act)).filter(isChat);
const say = (trial: Trial, text: string) =>
  heard(trial, () => ask(trial, "player-say", { name: FIRST, text }));
const kinds = (noted: readonly Held[]): string => noted.map(({ is }) => textOf(is)).join(", ") || "neither";

/** No event of chat comes of what somebody does. */
async function silent(trial: Trial, act: () => Promise<unknown>): Promise<Seen> {
  const noted = await heard(trial, act);
  return judge(noted.length === 0, noted.length === 0 ? "no event" : kinds(noted));
}

const givenCommand =
  (command: string) =>
  (trial: Trial): Promise<Seen> =>
    withPlayers(trial, [FIRST, SECOND], async () => {
      let result: Held = {};
      const seen = await silent(trial, async () => {
        result = await askRecord(trial, "player-command", { name: FIRST, command });
      });
      return failureIn(result) === "" ? seen : skipped(`the command fails: ${failureIn(result)}`);
    });

export const chatProbes = probesOf("probes", [
  {
    id: "chat-events",
    kind: "inference",
    assumes: "a line of a player raises chatSend before and then after it is sent",
    how: "a simulated player says something",
    rows: [CHAT, madeUp("events")],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const noted = await say(trial, "hello");
        return judge(kinds(noted) === "before-chat, chat", kinds(noted));
      }),
  },
  {
    id: "chat-text",
    kind: "promise",
    assumes: "the text of a line is what was typed, formatting codes included, and its sender is the player",
    how: "a simulated player says something with a code, quotes and letters outside of ASCII",
    rows: [CHAT],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const text = '\u00a7ahell\u00f6 "there" \u20ac %s';
        const chat = (await say(trial, text)).find(({ is }) => is === "chat");
        if (chat === undefined) return broken("the event after it did not come");
        return judge(
          chat.text === text && chat.name === FIRST,
          `${chat.text === text ? "as typed" : "another text"}, ${chat.name === FIRST ? "by the player" : "by nobody that is known"}`,
        );
      }),
  },
  {
    id: "chat-targets",
    kind: "inference",
    assumes: "targets are undefined for a line to everybody",
    how: "a simulated player says something",
    rows: [TARGETS],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const targets = (await say(trial, "hello")).map(line => String(line.targets));
        if (targets.length === 0) return broken("no event came");
        return judge(
          targets.every(each => each === "undefined"),
          targets.map(each => (each === "undefined" ? each : `a list of ${each}`)).join(", "),
        );
      }),
  },
  {
    id: "chat-cancelled",
    kind: "inference",
    assumes: "a line that is cancelled before it is sent raises no event after it",
    how: "a simulated player says something that a script cancels, as another pack could",
    rows: [CHAT],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const noted = await say(trial, "cancelled line");
        return judge(kinds(noted) === "before-chat", kinds(noted));
      }),
  },
  {
    id: "chat-restricted",
    kind: "inference",
    assumes: "what runs before a line is sent runs in restricted execution",
    how: "the mode is asked while a simulated player says something",
    rows: ["Execution / restricted execution"],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const before = (await say(trial, "hello")).find(({ is }) => is === "before-chat");
        return judge(
          textOf(before?.mode).startsWith("restricted"),
          textOf(before?.mode) || "the event did not come",
        );
      }),
  },
  {
    id: "chat-order",
    kind: "promise",
    assumes: "lines of one player come in the order in which they were said",
    how: "a simulated player says three lines in one tick",
    rows: [CHAT],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const noted = await heard(trial, async () => {
          await Promise.all(
            ["one", "two", "three"].map(text => ask(trial, "player-say", { name: FIRST, text })),
          );
        });
        const said = noted.filter(({ is }) => is === "chat").map(({ text }) => textOf(text));
        return judge(said.join() === "one,two,three", said.join(", ") || "no event came");
      }),
  },
  {
    id: "chat-say",
    kind: "inference",
    assumes: "say of the console raises no event of chat",
    how: "say is typed",
    rows: [SYSTEM],
    ask: trial => silent(trial, async () => trial.console.type("say hello")),
  },
  {
    id: "chat-tellraw",
    kind: "inference",
    assumes: "tellraw of the console raises no event of chat",
    how: "tellraw to everybody is typed while a simulated player is there",
    rows: [SYSTEM],
    ask: trial =>
      withPlayers(trial, [FIRST], () =>
        silent(trial, async () => trial.console.type('tellraw @a {"rawtext":[{"text":"hello"}]}')),
      ),
  },
  {
    id: "chat-me",
    kind: "inference",
    assumes: "/me of a player raises no event of chat",
    how: "a simulated player gives the command",
    rows: [SYSTEM],
    ask: givenCommand("me says hello"),
  },
  {
    id: "chat-tell",
    kind: "promise",
    assumes: "/tell of a player raises no event of chat",
    how: "a simulated player gives the command to another",
    rows: [SYSTEM],
    ask: givenCommand(`tell "${SECOND}" hello`),
  },
  {
    id: "chat-no-echo",
    kind: "promise",
    assumes: "what a script shows to everybody raises no event of chat",
    how: "world.sendMessage while a simulated player is there",
    rows: [SEND],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        let result: Held = {};
        const seen = await silent(trial, async () => {
          result = await askRecord(trial, "message", { message: { rawtext: [{ text: "hello" }] } });
        });
        return failureIn(result) === "" ? seen : broken(failureIn(result));
      }),
  },
  {
    id: "chat-bad-message",
    kind: "promise",
    assumes: "a message that is none throws RawMessageError",
    how: "world.sendMessage with a rawtext that is no list",
    rows: [`${SERVER} / malformed RawMessage`],
    async ask(trial) {
      const why = failureIn(await ask(trial, "message", { message: { rawtext: "none" } }));
      return judge(why === "RawMessageError", why || "it is taken");
    },
  },
  {
    id: "chat-to-one",
    kind: "promise",
    assumes: "a message to one player can be sent",
    how: "Player.sendMessage to a simulated player",
    rows: [SEND],
    ask: trial =>
      withPlayers(trial, [FIRST], async () => {
        const why = failureIn(await ask(trial, "player-tell", { name: FIRST, text: "hello" }));
        return judge(why === "", why || "it is taken");
      }),
  },
]);
