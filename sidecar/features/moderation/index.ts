import type { Config } from "../../config/settings.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { perServer } from "../../kernel/feature.ts";
import { bound } from "../../kernel/http/route.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { Feed } from "../feed/feed.ts";
import type { GameServers, ServiceFeature } from "../servers/game-server.ts";
import { type Announce, createAnnounce } from "./announce.ts";
import type { AuditGameChange } from "./audit.ts";
import { createKick, type Kicks } from "./kick.ts";
import { moderationRoutes } from "./routes.ts";

const auditFacts = (auditGameChange: AuditGameChange): FactHandlers => ({
  async chose({ player: { name }, hidden, blocked }) {
    if (hidden !== undefined)
      await auditGameChange(
        { action: hidden ? "player.hide" : "player.show", name },
        name,
        hidden ? "hidden" : "shown",
      );
    if (blocked !== undefined)
      await auditGameChange(
        { action: blocked ? "player.block" : "player.unblock", name },
        name,
        blocked ? "blocked" : "unblocked",
      );
  },
  forgot: ({ player: { name } }) => auditGameChange({ action: "player.forget", name }, name, "forgotten"),
  "unlinked-by-player": ({ player: { name } }) =>
    auditGameChange({ action: "link.end", name }, name, "unlinked"),
  async webchat({ mode, by }) {
    if (mode) await auditGameChange({ action: "webchat.set", name: mode }, by?.name, "set");
  },
  mute: ({ isMuted, browser: name, by }) =>
    isMuted
      ? auditGameChange({ action: "browser.mute", name }, by?.name, "muted")
      : auditGameChange({ action: "browser.unmute", name }, by?.name, "unmuted"),
});

/** Kicks and announcements, and with several game servers the audit of changes in the game. */
export function createModerationFeature(deps: {
  config: Pick<Config, "messages" | "modules">;
  feed: Feed;
  webChat: Pick<WebChat, "mode">;
  log: Log;
  /** for lines that only owners can cause */
  ownerLog: Log;
  clock: Pick<Clock, "after">;
  servers: GameServers;
}): ServiceFeature & { announce: Announce; kicksOf(server: { name: string }): Kicks } {
  const { clock, servers } = deps;
  const { messages, modules } = deps.config;
  const announce = createAnnounce({ ...deps, format: messages["api.announce-format"] });
  const kicksOf = perServer(servers.all, ({ game, connections, auditChange }) =>
    createKick({ clock, game, connections, auditChange }),
  );
  return {
    announce,
    kicksOf,
    ...(!servers.isOne && { facts: ({ auditGameChange }) => auditFacts(auditGameChange) }),
    serve: ({ keys }) => ({
      routes: bound(moderationRoutes, { ...deps, api: modules.api, announce, keys, kicksOf }),
    }),
  };
}
