import type { ServerFolder } from "../../bds/folder.ts";
import type { Write } from "./server-console.ts";
import type { Simulator } from "./simulator.ts";

const MAX_PLAYERS = "10";
const UNKNOWN = "Please check that the command exists and that you have permission to use it.";

/** Runs commands of the server console, and prints their output there. */
export function createServerCommands({ properties }: ServerFolder, simulator: Simulator, write: Write) {
  const { world } = simulator;
  const { allowList } = world;
  const say = (line: string): void => write("info", line);
  const fail = (line: string): void => write("error", line);

  const onList: Record<string, (name: string) => string> = {
    add: name => (allowList.put({ name }) ? "Player added to allowlist" : "Player already in allowlist"),
    remove: name => (allowList.drop({ name }) ? "Player removed from allowlist" : "Player not in allowlist"),
    on: () => turn(true),
    off: () => turn(false),
    list: () => `###* ${JSON.stringify({ command: "allowlist", result: allowList.entries })} *###`,
    reload: () => {
      allowList.reload();
      return "Allowlist reloaded from file.";
    },
  };
  const turn = (isOn: boolean): string => {
    allowList.enabled = isOn;
    return `Turned ${isOn ? "on" : "off"} the allowlist`;
  };

  const commands: Record<string, (words: string[], rest: string) => unknown> = {
    list() {
      say(
        `There are ${world.players.length}/${properties.get("max-players") || MAX_PLAYERS} players online:`,
      );
      say(world.players.map(({ name }) => name).join(", "));
    },
    say: (_, rest) => world.show("", `[Server] ${rest}`),
    stop: () => simulator.stop(),
    async reload() {
      await simulator.reload();
      say("Function and script files have been reloaded.");
    },
    allowlist([what = "", name = ""]) {
      const carryOut = onList[what];
      const isWhole = (what === "add" || what === "remove") === (name !== "");
      if (carryOut && isWhole) say(carryOut(name));
      else fail(syntaxError("allowlist", what));
    },
    scriptevent([id = ""], rest) {
      const [namespace, name] = id.split(":");
      if (!namespace || !name || namespace === "minecraft") return fail(syntaxError("scriptevent", id));
      world.scriptEvent(id, rest.slice(id.length).trim());
      say(`Script event ${id} has been sent`);
    },
    kick([name = "", ...reason]) {
      const player = world.find(name);
      if (!player) return fail(`Could not find player ${name}`);
      player.leave();
      say(`Kicked ${name} from the game${reason.length > 0 ? `: '${reason.join(" ")}'` : ""}`);
    },
    save([what = ""]) {
      const line = SAVES[what];
      if (line === undefined) fail(syntaxError("save", what));
      else say(line);
    },
  };

  return async (line: string): Promise<void> => {
    const [, name = "", rest = ""] = /^\s*\/?(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
    const words = (rest.match(/"[^"]*"|\S+/g) ?? []).map(word => word.replace(/^"|"$/g, ""));
    if (name === "") return;
    const carryOut = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (carryOut) await carryOut(words, rest);
    else if (simulator.loaded && simulator.terminated === undefined) world.command(line.trim());
    else say(`Unknown command: ${name}. ${UNKNOWN}`);
  };
}

const SAVES: Record<string, string> = {
  hold: "Saving...",
  query: "Data saved. Files are now ready to be copied.",
  resume: "Changes to the world are resumed.",
};

const syntaxError = (command: string, word: string): string =>
  `Syntax error: Unexpected "${word}": at "/${command} >>${word}<<"`;
