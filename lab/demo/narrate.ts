import type { Player, Simulator } from "../simulator/simulator.ts";

/**
 * Creates a function that prints the chat and the forms of the previous tick.
 * @param interactive whether commands can be typed; lines about forms then name them
 */
export function createNarrator(
  say: (line: string) => void,
  interactive: boolean,
): (simulator: Simulator) => void {
  const formsSeen = new WeakMap<Player, number>();

  function tellChat({ world }: Simulator): void {
    const { chat, tick } = world;
    for (const { text, to } of chat.slice(chat.findLastIndex(line => line.tick !== tick) + 1))
      say(plain(to === undefined ? `[chat] ${text}` : `[to ${to}] ${text}`));
  }

  function tellForm(player: Player): void {
    const before = formsSeen.get(player) ?? 0;
    formsSeen.set(player, player.formsShown);
    if (!player.form || player.formsShown <= before) return;
    const text = plain([player.form.title, player.form.body].join(" | ").replaceAll("\n", " | "));
    const hint = interactive ? `  (accept ${player.name}, decline ${player.name})` : "";
    say(`[form] ${player.name}: ${text}${hint}`);
  }

  return simulator => {
    tellChat(simulator);
    for (const player of simulator.world.players) tellForm(player);
  };
}

const plain = (line: string): string => line.replace(/§./gu, "");
