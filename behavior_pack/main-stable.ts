import type { Player } from "@minecraft/server";
import { createConsoleAllowList } from "./console-link/allow-list.ts";
import { createIdentities } from "./console-link/identities.ts";
import { type ConsoleLink, createConsoleLink } from "./console-link/link.ts";
import { registerConsoleCommand } from "./game/console-command.ts";
import { createConsoleKick } from "./game/console-kick.ts";
import { runPack } from "./run-pack.ts";

// The pack that keeps achievements: it needs no experiment, and reaches the sidecar over the game's console.

let link: ConsoleLink | undefined;

// The level that every owner's log shows, unless only errors are shown.
const print = (line: string): void => console.warn(line);

const { say, warn } = runPack(clock => {
  const identities = createIdentities(clock);
  const made = createConsoleLink({
    clock,
    random: () => Math.random(),
    print,
    reported: identities.reported,
    opened: identities.opened,
  });
  link = made;
  const allowList = createConsoleAllowList(made.run);
  const persistentId = ({ id, name }: Player): string | undefined => identities.of(id, name);
  return {
    players: { persistentId, kick: createConsoleKick(made.run) },
    http: made.http,
    allowList: () => allowList,
    isKnown: player => persistentId(player) !== undefined,
    step: made.step,
    left: identities.left,
  };
}, "command");
registerConsoleCommand(word => link?.takeWord(word), warn, say);
