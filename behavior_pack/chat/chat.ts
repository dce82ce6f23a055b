import type { PlayerRef } from "../../shared/actions.ts";
import type { Fact } from "../../shared/facts.ts";
import { CHAT_LENGTH, DISPLAY_NAME_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import { BROWSER_LABEL_LENGTH, LABEL_LETTERS, NO_BROWSER, WEB_CHAT_MODES } from "../../shared/web-chat.ts";
import { type ActionHandlers, DONE } from "../bridge/action-queue.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";

/** First characters of a session, a label, or no session. */
const BROWSER = new RegExp(`^(?:[0-9a-f]{8}|[${LABEL_LETTERS}]{8}|-{8})$`);
const BROWSER_USAGE = `0123abcd, ${LABEL_LETTERS.slice(0, BROWSER_LABEL_LENGTH)}, ${NO_BROWSER}`;

/** Public chat from the game to the web and back, and the commands for who may write from the web. */
export function createChat<P>(
  { players, roster, notices, report }: PackContext<P>,
  { refer, forward }: CommandReplies<P>,
  isKeptOut: (id: string) => boolean,
) {
  function by(player: P | undefined): { by?: PlayerRef } {
    const ref = refer(player);
    return ref ? { by: ref } : {};
  }

  const mute =
    (isMuted: boolean) =>
    (player: P | undefined, written = ""): Reply => {
      const browser = written.toLowerCase();
      const isBrowser = BROWSER.test(browser);
      return forward(
        player,
        isBrowser ? { is: "mute", ...by(player), browser, isMuted } : undefined,
        BROWSER_USAGE,
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
      /** Sets who may write from the web; without a mode the sidecar answers with the present one. */
      webchat(player: P | undefined, written?: string): Reply {
        const mode = WEB_CHAT_MODES.find(one => one === written);
        const isUnderstood = mode !== undefined || written === undefined;
        const fact: Fact = { is: "webchat", ...by(player), ...(mode && { mode }) };
        return forward(player, isUnderstood ? fact : undefined, WEB_CHAT_MODES.join(", "));
      },
      mute: mute(true),
      unmute: mute(false),
    },
    /**
     * Reports a line of chat to the web, unless it was written to some players alone or by a banned one. `name`: as the game shows
     * it; `speaker`: id of the player, where it is known; `targets`: to how many players alone, 0: everybody
     */
    said(name: string, text: string, speaker = "", targets = 0) {
      notices.safely("relaying chat", () => {
        if (targets > 0 || isKeptOut(speaker)) return;
        const player = roster.byId(speaker)?.ref;
        const line = { name: clip(name, DISPLAY_NAME_LENGTH), text: clip(text, CHAT_LENGTH) };
        report({ is: "said", ...(player && { player }), ...line });
      });
    },
  };
}
