import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { GameNote } from "./audited.ts";

/** Writes into the audit what players and operators change on one of several game servers for all of them. */
export const auditFacts = (note: GameNote): FactHandlers => ({
  async chose({ player: { name }, hidden, blocked }) {
    if (hidden !== undefined)
      await note({ action: hidden ? "player.hide" : "player.show", name }, name, hidden ? "hidden" : "shown");
    if (blocked !== undefined)
      await note(
        { action: blocked ? "player.block" : "player.unblock", name },
        name,
        blocked ? "blocked" : "unblocked",
      );
  },
  forgot: ({ player: { name } }) => note({ action: "player.forget", name }, name, "forgotten"),
  "unlinked-by-player": ({ player: { name } }) => note({ action: "link.end", name }, name, "unlinked"),
  async webchat({ mode, by }) {
    if (mode) await note({ action: "webchat.set", name: mode }, by?.name, "set");
  },
  mute: ({ isMuted, browser: name, by }) =>
    isMuted
      ? note({ action: "browser.mute", name }, by?.name, "muted")
      : note({ action: "browser.unmute", name }, by?.name, "unmuted"),
});
