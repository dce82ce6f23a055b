import type { Game } from "../../kernel/bridge/actions.ts";
import { StorageFault } from "../../kernel/storage/ports.ts";
import { announcementForGame, lineForFeed } from "../chat/rules/chat.ts";
import type { WebChat } from "../chat/web-chat.ts";
import type { Feed } from "../feed/feed.ts";
import type { ServerTag } from "../feed/rules/window.ts";
import { type AuditChange, type Author, type NotDone, notDone } from "./audit.ts";

/** A game server where something is announced. */
interface AnnounceServer {
  readonly name: string;
  readonly info: { readonly title: string };
  readonly tag: ServerTag;
  readonly game: Pick<Game, "act">;
  readonly auditChange: AuditChange;
}

/**
 * Shows a cleaned text on a game server, and then in its chat on the website, as a message without an author; only in the game
 * while the storage of the chat is away or full. The outcome is in the audit once the promise settles.
 */
export type Announce = (
  server: AnnounceServer,
  clean: string,
  author: Author,
) => Promise<{ outcome: "announced" } | NotDone>;

/** `format` holds `{content}`, and perhaps `{title}`. */
export function createAnnounce(deps: {
  feed: Pick<Feed, "append">;
  webChat: Pick<WebChat, "mode">;
  format: string;
}): Announce {
  const { feed, webChat, format } = deps;

  async function show(
    { name, info, tag, game }: AnnounceServer,
    clean: string,
  ): Promise<{ outcome: "announced" } | NotDone> {
    const text = announcementForGame(format, { content: clean, title: info.title || name });
    const ended = await game.act({ do: "chat", text });
    if (ended.status !== "done") return notDone("chat", ended);
    const content = lineForFeed(text);
    const withheld = webChat.mode() === "off" && { withheld: true as const };
    try {
      await feed.append(at => [{ event: { event: "chat", at, ...tag, from: "game", content }, ...withheld }]);
    } catch (error) {
      // The game has shown it: an answer that it was not done would have it sent, and shown, again.
      if (!(error instanceof StorageFault)) throw error;
    }
    return { outcome: "announced" };
  }

  return async (server, clean, author) =>
    server.auditChange({ action: "chat.announce", name: clean }, author, await show(server, clean));
}
