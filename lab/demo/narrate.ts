import type { Player, Simulator } from "../simulator/simulator.ts";

/**
 * Makes what prints what happened in the tick before: chat, and forms that a player was shown.
 * @param interactive whether commands can be typed; the lines then say which
 */
export function createNarrator(
  say: (line: string) => void,
  interactive: boolean,
): (simulator: Simulator) => void {
  const formsSeen = new WeakMap<Player, number>();

  function tellChat({ world }: Simulator): void {
    const lines: string[] = [];
    for (let i = world.chat.length - 1; i >= 0 && world.chat[i]?.tick === world.tick; i--) {
      const line = world.chat[i];
      if (line) lines.unshift(line.to === undefined ? `[chat] ${line.text}` : `[to ${line.to}] ${line.text}`);
    }
    for (const line of lines) say(plain(line));
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
