import { lineForGame, lineForWeb } from "../domain/chat.ts";
import { browserOf } from "../domain/web-chat.ts";
import type { Bus } from "../ports.ts";
import type { Game } from "./game.ts";
import type { Links } from "./links.ts";
import type { Snapshots } from "./snapshots.ts";
import type { WebChat } from "./web-chat.ts";

/** What the sender of a line hears back: nothing when all is well. */
export type ChatAnswer = "sent" | "not allowed" | "server unavailable";

export type Chat = ReturnType<typeof createChat>;

export function createChat(deps: {
  bus: Bus;
  game: Game;
  snapshots: Snapshots;
  links: Links;
  webChat: WebChat;
  /** text with `{content}`, and perhaps `{player}` and `{browser}` */
  format: string;
  /** what `{player}` says for a browser that is not linked */
  guest: string;
}) {
  const { bus, game, snapshots, links, webChat, format, guest } = deps;
  const namesPlayer = format.includes("{player}");
  /** settles when the line before has been handed on */
  let before: Promise<unknown> = Promise.resolve();

  /** Name of the player whom a session is linked to. */
  async function playerName(session: string | undefined): Promise<string | undefined> {
    const link = session === undefined ? undefined : await links.link(session);
    return link?.status === "accepted" ? link.player.name : undefined;
  }

  /**
   * Relays a line of a chat socket: to the other sockets at once, and to the game. `socket` names the connection,
   * `session` the browser session of its cookie. Lines of one process reach the game in the order of the calls.
   */
  function fromWeb(socket: string, session: string | undefined, content: string): Promise<ChatAnswer> {
    const isLinked = async (): Promise<boolean> => (await playerName(session)) !== undefined;
    const handed = before.then(async () => {
      if (!(await webChat.allows(session, isLinked))) return "not allowed";
      await bus.publish({ kind: "chat", content, except: socket });
      if (!snapshots.fresh()) return "server unavailable";
      const player = namesPlayer ? await playerName(session) : undefined;
      const text = lineForGame(format, content, player ?? guest, browserOf(session));
      return text === undefined ? "server unavailable" : { ended: game.act({ do: "chat", text }) };
    });
    before = handed.catch(() => undefined);
    return handed.then(async sent => {
      if (typeof sent === "string") return sent;
      return (await sent.ended).status === "done" ? "sent" : "server unavailable";
    });
  }

  return {
    fromWeb,
    /** Relays a line of game chat to all sockets. */
    fromGame: (name: string, text: string) => bus.publish({ kind: "chat", content: lineForWeb(name, text) }),
  };
}
