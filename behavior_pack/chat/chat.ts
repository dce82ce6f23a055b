import type { PlayerRef } from "../../shared/actions.ts";
import type { Fact } from "../../shared/facts.ts";
import { CHAT_LENGTH, DISPLAY_NAME_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import { isBrowserLabel, WEB_CHAT_MODES } from "../../shared/web-chat.ts";
import { type ActionHandlers, DONE } from "../bridge/action-queue.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";

const BROWSER_USAGE = "<label shown in chat, e.g. kxwtmhzr>";
const WEBCHAT_USAGE = `/bridge:webchat <${WEB_CHAT_MODES.join("|")}>`;

/** Public chat between the game and the website, and the commands that set who may chat from the website. */
export function createChat<P>(
  { players, roster, notices, report }: PackContext<P>,
  { refer, forward }: CommandReplies<P>,
  isBlocked: (id: string) => boolean,
) {
  function by(player: P | undefined): { by?: PlayerRef } {
    const ref = refer(player);
    return ref ? { by: ref } : {};
  }

  const mute =
    (name: "mute" | "unmute", isMuted: boolean) =>
    (player: P | undefined, written = ""): Reply => {
      const browser = written.toLowerCase();
      const isBrowser = isBrowserLabel(browser);
      return forward(
        player,
        isBrowser ? { is: "mute", ...by(player), browser, isMuted } : undefined,
        `/bridge:${name} ${BROWSER_USAGE}`,
      );
    };

  const actions: Pick<ActionHandlers, "chat"> = {
    chat({ text }) {
      players.broadcast(text);
      return DONE;
    },
  };

  return {
    actions,
    commands: {
      /** Sets who may chat from the website; without a mode the sidecar replies with the current one. */
      webchat(player: P | undefined, written?: string): Reply {
        const mode = WEB_CHAT_MODES.find(one => one === written);
        const isUnderstood = mode !== undefined || written === undefined;
        const fact: Fact = { is: "webchat", ...by(player), ...(mode && { mode }) };
        return forward(player, isUnderstood ? fact : undefined, WEBCHAT_USAGE);
      },
      mute: mute("mute", true),
      unmute: mute("unmute", false),
    },
    /**
     * Reports a chat message, unless it is private or from a banned player. `name`: as the game shows it; `speaker`: id of the player,
     * if known; `targets`: number of recipients of a private message, 0 for a public one.
     */
    said(name: string, text: string, speaker = "", targets = 0) {
      notices.safely("relaying chat", () => {
        if (targets > 0 || isBlocked(speaker)) return;
        const player = roster.byId(speaker)?.ref;
        const line = { name: clip(name, DISPLAY_NAME_LENGTH), text: clip(text, CHAT_LENGTH) };
        report({ is: "said", ...(player && { player }), ...line });
      });
    },
  };
}
