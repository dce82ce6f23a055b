import type { FactHandlers, FactOf, Line } from "../../kernel/bridge/facts.ts";
import type { Game } from "../../kernel/bridge/game.ts";
import type { Bus } from "../../kernel/storage/ports/game.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ServerBans } from "../bans/bans.ts";
import type { NewEntry, PresenceLog } from "../feed/feed-log.ts";
import type { ServerTag } from "../feed/rules.ts";
import type { PresenceTracker } from "../players/presence.ts";
import type { ServerPlayersElsewhere } from "../servers/elsewhere.ts";
import type { Relay } from "./relay.ts";
import { lineForWeb } from "./rules/chat.ts";
import type { WebChat } from "./web-chat.ts";

/** A game server whose chat it is. */
interface ChattingServer {
  readonly name: string;
  readonly tag: ServerTag;
  readonly game: Game;
  readonly bus: Pick<Bus, "lastSnapshot">;
  readonly feed: Pick<PresenceLog, "tellOnce">;
  readonly presence: Pick<PresenceTracker, "named">;
}

/** Relays chat and deaths of a game server, and applies what operators there set for the web chat. */
export function chatFacts(deps: {
  clock: Pick<Clock, "now">;
  server: ChattingServer;
  bans: Pick<ServerBans, "isBanned" | "isNameBanned">;
  elsewhere: Pick<ServerPlayersElsewhere, "has">;
  webChat: WebChat;
  relay: Pick<Relay, "relay">;
  /** whether there are other game servers, where players may have hidden */
  isOneOfSeveral: boolean;
}): FactHandlers {
  const { clock, bans, elsewhere, webChat, relay } = deps;
  const { name, tag, game, bus, feed, presence } = deps.server;

  /** Players here who have hidden on another game server, which an old pack does not know. */
  async function hiddenHere(lines: readonly Line[]): Promise<ReadonlySet<string>> {
    const isNeeded = deps.isOneOfSeveral && lines.some(({ fact }) => fact.is === "died");
    const last = isNeeded ? await bus.lastSnapshot() : undefined;
    return new Set(last?.rows.flatMap(({ player, hidden }) => (hidden ? [player.id] : [])));
  }

  function deathOf(fact: FactOf<"died">, at: number, hidden: ReadonlySet<string>): NewEntry | undefined {
    const isShown = (player: FactOf<"died">["player"]): boolean =>
      !hidden.has(player.id) && !bans.isBanned(player) && !elsewhere.has(player);
    if (!isShown(fact.player)) return undefined;
    const killer = fact.killer && isShown(fact.killer) && { killer: presence.named(fact.killer) };
    return { event: { event: "death", at, ...tag, player: presence.named(fact.player), ...killer } };
  }

  function lineOf(fact: FactOf<"said">, at: number): NewEntry | undefined {
    if (fact.player ? bans.isBanned(fact.player) : bans.isNameBanned(fact.name)) return undefined;
    const player = fact.player && !elsewhere.has(fact.player) && { player: presence.named(fact.player) };
    const content = lineForWeb(fact.name, fact.text);
    const event = { event: "chat" as const, at, ...tag, from: "game" as const, content, ...player };
    return { event, ...(webChat.mode() === "off" && { withheld: true as const }) };
  }

  return {
    webchat: (fact, { lease }) => webChat.onMode(fact, game, lease),
    mute: (fact, { lease }) => webChat.onMute(fact, game, lease),
    async lines(lines, { lease }) {
      const hidden = await hiddenHere(lines);
      const at = clock.now();
      const passed = lines.flatMap(({ fact, key }) => {
        const entry = fact.is === "died" ? deathOf(fact, at, hidden) : lineOf(fact, at);
        return entry ? [{ fact, entry: { ...entry, key } }] : [];
      });
      if (passed.length === 0) return;
      const entries = passed.map(({ entry }) => entry);
      const fresh = new Set(await feed.tellOnce(entries, lease));
      // Other game servers show each line once.
      const said = passed.flatMap(({ fact, entry }) =>
        fact.is === "said" && fresh.has(entry) ? [fact] : [],
      );
      await relay.relay(name, said);
    },
  };
}
