import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import { perServer } from "../../kernel/feature.ts";
import { bound } from "../../kernel/http/route.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { ServiceContext } from "../context.ts";
import type { Feed } from "../feed/feed.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
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
export function createModerationFeature(
  service: ServiceContext,
  { feed, webChat }: { feed: Feed; webChat: Pick<WebChat, "mode"> },
): ServiceFeature & { announce: Announce; kicksOf(server: { name: string }): Kicks } {
  const { clock, config, servers } = service;
  const announce = createAnnounce({ feed, webChat, format: config.messages["api.announce-format"] });
  const kicksOf = perServer(servers.all, ({ game, connections, auditChange }) =>
    createKick({ clock, game, connections, auditChange }),
  );
  return {
    announce,
    kicksOf,
    ...(!servers.isOne && { facts: ({ auditGameChange }) => auditFacts(auditGameChange) }),
    serve: ({ keys }) => ({
      routes: bound(moderationRoutes, { ...service, announce, keys, kicksOf }),
    }),
  };
}
