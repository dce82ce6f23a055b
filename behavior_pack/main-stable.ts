import type { Player } from "@minecraft/server";
import { createConsoleAllowList } from "./console-link/allow-list.ts";
import { createHeldEvents } from "./console-link/held-events.ts";
import { createIdentities } from "./console-link/identities.ts";
import { type ConsoleLink, createConsoleLink } from "./console-link/link.ts";
import { registerConsoleCommand } from "./game/console-command.ts";
import { createConsoleKick } from "./game/console-kick.ts";
import { attempt } from "./game/features.ts";
import { runPack } from "./run-pack.ts";

// The pack that keeps achievements: it needs no experiment, and reaches the sidecar over the game's console.

let link: ConsoleLink | undefined;

// The level that every owner's log shows, unless only errors are shown.
const print = (line: string): void => console.warn(line);

const { say, warn } = runPack(clock => {
  const identities = createIdentities(clock);
  let hasNews = false;
  const made = createConsoleLink({
    clock,
    random: () => Math.random(),
    print,
    heard(player) {
      identities.heard(player);
      hasNews = true;
    },
    opened: identities.opened,
  });
  link = made;
  const allowList = createConsoleAllowList(made.run);
  const persistentId = ({ id, name }: Player): string | undefined => identities.of(id, name);
  return {
    players: {
      persistentId,
      kick: createConsoleKick(made.run),
    },
    http: made.http,
    allowList: () => allowList,
    gameChat: "command",
    begun(pack) {
      const held = createHeldEvents<Player>({
        isKnown: player => persistentId(player) !== undefined,
        joined: pack.joined,
      });
      return {
        step() {
          made.step();
          held.step();
          if (hasNews) pack.identified();
          hasNews = false;
        },
        events: {
          joined: player => void attempt(() => held.joined(player.id, player)),
          left(id) {
            held.left(id);
            pack.left(id);
            identities.left(id);
          },
          died: (id, killer) => held.happened([id, killer], () => pack.died(id, killer)),
        },
      };
    },
  };
});
registerConsoleCommand(word => link?.takeWord(word), warn, say);
