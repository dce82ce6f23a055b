import type { ActionBody, PlayerRef } from "../../../shared/actions.ts";
import type { FactOf } from "../../../shared/facts.ts";
import type { WebChatMode } from "../../../shared/web-chat.ts";
import type { Game } from "../../kernel/bridge/actions.ts";
import type { Lease } from "../../kernel/storage/ports.ts";
import type { SharedTime } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { WebChatStore } from "./records.ts";
import {
  isMuted,
  MUTE_MS,
  mayWrite,
  type WebChatChange,
  type WebChatRules,
  withChange,
} from "./rules/web-chat.ts";

type TellAction = Pick<Extract<ActionBody, { do: "tell" }>, "message" | "values">;

/** Who may chat from the website: as configured, until an operator changes it in the game. */
export interface WebChat {
  mode(): WebChatMode;
  /** Whether a browser with these names may send a message now. */
  allows(names: readonly string[], isLinked: boolean): boolean;
  /** Sets the mode for an operator, or only shows it to them. */
  onMode(command: FactOf<"webchat">, game: Pick<Game, "act">, lease: Lease): Promise<void>;
  onMute(command: FactOf<"mute">, game: Pick<Game, "act">, lease: Lease): Promise<void>;
  /** The muted browsers, by label, and until when, in milliseconds on the shared clock. */
  mutes(): { label: string; until: number }[];
  /** Mutes the browser of this label for so many milliseconds, on all game servers. */
  mute(label: string, forMs: number): Promise<void>;
  /** Unmutes the browser of this label. False: it was not muted. */
  unmute(label: string): Promise<boolean>;
}

const UNCHANGED: WebChatRules = { mutes: [] };

export async function createWebChat(deps: {
  time: SharedTime;
  store: WebChatStore;
  log: Log;
  mode: WebChatMode;
}): Promise<WebChat> {
  const { time, store, log } = deps;
  let rules = (await store.webChat()) ?? UNCHANGED;
  store.subscribe(said => {
    rules = said;
  });

  const mode = (): WebChatMode => rules.mode ?? deps.mode;
  const change = (what: WebChatChange, lease?: Lease): Promise<void> =>
    store.changeWebChat((before = UNCHANGED) => withChange(before, what, time()), lease);

  /** Replies to an operator, or to the console, without waiting for it. */
  function tell(game: Pick<Game, "act">, by: PlayerRef | undefined, message: TellAction, lease: Lease): void {
    void game.act({ do: "tell", ...(by && { player: by }), ...message }, undefined, lease);
  }

  return {
    mode,
    allows(names, isLinked) {
      const answer = mayWrite({ ...rules, mode: mode() }, names, time());
      return answer === "if linked" ? isLinked : answer;
    },
    async onMode({ by, mode: wanted }, game, lease) {
      if (wanted === undefined)
        return tell(game, by, { message: "bridge.webchat-is", values: { mode: mode() } }, lease);
      log.info({ mode: wanted }, "An operator set who may chat from the website");
      await change({ mode: wanted }, lease);
      tell(game, by, { message: "bridge.webchat-set", values: { mode: wanted } }, lease);
    },
    async onMute({ by, browser, isMuted: mutes }, game, lease) {
      log.info({ isMuted: mutes }, "An operator muted or unmuted a browser");
      await change({ browser, muteMs: mutes ? MUTE_MS : 0 }, lease);
      tell(game, by, { message: mutes ? "bridge.muted" : "bridge.unmuted", values: { browser } }, lease);
    },
    mutes: () =>
      rules.mutes
        .filter(({ until }) => until > time())
        .map(({ browser: label, until }) => ({ label, until }))
        .sort((a, b) => (a.label < b.label ? -1 : 1)),
    mute: (browser, muteMs) => change({ browser, muteMs }),
    async unmute(browser) {
      let wasMuted = false;
      await store.changeWebChat((before = UNCHANGED) => {
        wasMuted = isMuted(before, browser, time());
        return withChange(before, { browser, muteMs: 0 }, time());
      });
      return wasMuted;
    },
  };
}
