import type { FeedPlayer } from "../../shared/public/events.ts";
import { lineForGame, type WebLine } from "../domain/chat.ts";
import { browserOf } from "../domain/web-chat.ts";
import type { Feed } from "./feed.ts";
import type { Game } from "./game.ts";
import type { LabelOf } from "./labels.ts";
import type { Links } from "./links.ts";
import type { Snapshots } from "./snapshots.ts";
import type { WebChat } from "./web-chat.ts";

/** What the sender of a line hears back: nothing when all is well. */
type ChatAnswer = "sent" | "not allowed" | "server unavailable";

export type Chat = ReturnType<typeof createChat>;

export function createChat(deps: {
  feed: Feed;
  game: Game;
  snapshots: Snapshots;
  links: Links;
  webChat: WebChat;
  labelOf: LabelOf;
  /** text with `{content}`, and perhaps `{player}`, `{browser}` and `{label}` */
  format: string;
  /** what `{player}` says for a browser that is not linked */
  guest: string;
}) {
  const { feed, game, snapshots, links, webChat, labelOf, format, guest } = deps;
  /** settles when the line before has its place in the feed and in the queue for the game */
  let before: Promise<unknown> = Promise.resolve();

  /** The player whom a session is linked to. */
  async function playerOf(session: string | undefined): Promise<FeedPlayer | undefined> {
    const link = session === undefined ? undefined : await links.link(session);
    return link?.status === "accepted" ? { name: link.player.name, uuid: link.player.uuid } : undefined;
  }

  /**
   * Relays a line of a chat socket: to the other sockets at once, and to the game. `socket` names the connection,
   * `session` the browser session of its cookie. Lines of one process reach the game in the order of the calls. `hasPlace`
   * settles when no line that any process is asked for after that can come before it, or with false: the answer says why.
   */
  function fromWeb(
    socket: string,
    session: string | undefined,
    line: WebLine,
  ): { hasPlace: Promise<boolean>; answer: Promise<ChatAnswer> } {
    // Many who write at once do not wait for each other's answer.
    const known = playerOf(session);
    // What it is rejected with is met below.
    known.catch(() => undefined);
    const placed = before.then(async () => {
      const player = await known;
      const browser = browserOf(session);
      const label = session === undefined ? null : labelOf(session);
      const names = { browser, label: label ?? browser };
      if (!webChat.allows(Object.values(names), player !== undefined)) return "not allowed";
      const text = snapshots.fresh() ? lineForGame(format, line, player?.name ?? guest, names) : undefined;
      // In one moment, so that lines have one order for everybody, in the game too.
      const told = feed.append(at => [
        {
          event: { event: "chat", at, from: "web", content: line.content, ...(player && { player }), label },
          except: socket,
        },
      ]);
      return { told, begun: text === undefined ? undefined : game.begin({ do: "chat", text }) };
    });
    before = placed.catch(() => undefined);
    const handed = placed.then(async sent => {
      if (typeof sent === "string") return sent;
      await sent.told;
      return sent.begun ?? "server unavailable";
    });
    return {
      hasPlace: handed.then(
        sent => typeof sent !== "string" && sent.isQueued,
        () => false,
      ),
      answer: handed.then(async sent => {
        if (typeof sent === "string") return sent;
        return (await sent.ended).status === "done" ? "sent" : "server unavailable";
      }),
    };
  }

  return { fromWeb };
}
