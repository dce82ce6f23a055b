import type { Player } from "./player.ts";
import type { ConsoleQuirks } from "./quirks.ts";
import type { Write } from "./server-output.ts";
import type { Simulator } from "./simulator.ts";

const MAX_COMMAND_LENGTH = 1000;
const SELECTOR = /@[aeprs](?:\[[^\]]*\])?/g;
const UNKNOWN = "Please check that the command exists and that you have permission to use it.";

/** Runs commands of the server console, and prints their output there. */
export function createServerCommands(
  simulator: Simulator,
  write: Write,
  { longestCommand = MAX_COMMAND_LENGTH, listInLines = false }: ConsoleQuirks = {},
  maxPlayers = "10",
) {
  const { world } = simulator;
  const { allowList } = world;
  const say = (line: string): void => write("info", line);
  const fail = (line: string): void => write("error", line);

  const change = (carryOut: () => boolean, done: string, undone: string): string =>
    allowList.failure ?? (carryOut() ? done : undone);

  const onList: Record<string, (name: string) => string> = {
    add: name =>
      change(() => allowList.put({ name }), "Player added to allowlist", "Player already in allowlist"),
    remove: name =>
      change(() => allowList.drop({ name }), "Player removed from allowlist", "Player not in allowlist"),
    on: () => turn(true),
    off: () => turn(false),
    list: () => {
      const answer = { command: "allowlist", result: allowList.shown };
      return listInLines ? `###* ${inLines(answer)}\n *###` : `###* ${JSON.stringify(answer)} *###`;
    },
    reload: () => {
      allowList.reload();
      return "Allowlist reloaded from file.";
    },
  };
  const turn = (isOn: boolean): string => {
    allowList.enabled = isOn;
    return `Turned ${isOn ? "on" : "off"} the allowlist`;
  };

  /** Players that a selector stands for. The console is nobody, so it has no `@s`. */
  const selected = (selector: string): Player[] => {
    if (selector.startsWith("@s")) return [];
    return /^@[pr]/.test(selector) ? world.players.slice(0, 1) : world.players;
  };
  /** A message, whose selectors the game replaces by names. */
  const message = (text: string): string =>
    text.replace(SELECTOR, selector =>
      selected(selector)
        .map(({ name }) => name)
        .join(", "),
    );

  const commands: Record<string, (words: Word[], rest: string) => unknown> = {
    list() {
      say(`There are ${world.players.length}/${maxPlayers} players online:`);
      say(world.players.map(({ name }) => name).join(", "));
    },
    say: (_, rest) => world.show("", `[Server] ${message(rest)}`),
    stop: () => simulator.stop(),
    async reload() {
      await simulator.reload();
      say("Function and script files have been reloaded.");
    },
    allowlist([what, name, more]) {
      const carryOut = onList[what?.text ?? ""];
      const isWhole = /^(add|remove)$/.test(what?.text ?? "") === (name !== undefined);
      if (carryOut && isWhole && more === undefined) say(carryOut(name?.text ?? ""));
      else fail(syntaxError("allowlist", (more ?? what)?.text ?? ""));
    },
    scriptevent([first], rest) {
      const id = first?.text ?? "";
      const [namespace, name] = id.split(":");
      if (!namespace || !name || namespace === "minecraft") return fail(syntaxError("scriptevent", id));
      world.scriptEvent(id, rest.slice(id.length).trim());
      say(`Script event ${id} has been sent`);
    },
    kick([who], rest) {
      if (who === undefined) return fail(syntaxError("kick", ""));
      const { text, written } = who;
      const named = world.find(text);
      const players = written.startsWith("@") ? selected(written) : named ? [named] : [];
      if (players.length === 0) return fail(`Could not find player ${text}`);
      const reason = message(rest.slice(written.length).trim());
      for (const player of players) {
        player.removal = { reason: reason || undefined };
        player.leave();
        say(`Kicked ${player.name} from the game${reason === "" ? "" : `: '${reason}'`}`);
      }
    },
    save([what]) {
      const line = SAVES[what?.text ?? ""];
      if (line === undefined) fail(syntaxError("save", what?.text ?? ""));
      else say(line);
    },
  };

  return async (line: string): Promise<void> => {
    const [, name = "", rest = ""] = /^\s*\/?(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
    if (name === "") return;
    if (line.length > longestCommand) return fail(syntaxError(name, rest));
    const carryOut = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (carryOut) await carryOut(wordsOf(rest), rest);
    else if (simulator.loaded && simulator.terminated === undefined) world.command(line.trim());
    else say(`Unknown command: ${name}. ${UNKNOWN}`);
  };
}

/** A parameter of a command. */
interface Word {
  /** without quotes */
  readonly text: string;
  readonly written: string;
}

const wordsOf = (rest: string): Word[] =>
  (rest.match(/"[^"]*"|\S+/g) ?? []).map(written => ({ text: written.replace(/^"|"$/g, ""), written }));

/** JSON in lines, in the style of the game's library. */
const inLines = (value: unknown): string =>
  JSON.stringify(value, undefined, 3).replace(/^( *"\w+"):/gm, "$1 :");

const SAVES: Record<string, string> = {
  hold: "Saving...",
  query: "Data saved. Files are now ready to be copied.",
  resume: "Changes to the world are resumed.",
};

const syntaxError = (command: string, word: string): string =>
  `Syntax error: Unexpected "${word}": at "/${command} >>${word}<<"`;
