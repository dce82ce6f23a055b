import { CHAT_LENGTH } from "../../shared/limits.ts";
import { clip } from "../../shared/text.ts";
import type { CommandForms } from "../command-forms.ts";
import type { CommandReplies, Reply } from "../commands.ts";
import type { PackContext } from "../context.ts";
import { identity } from "../players/roster.ts";
import type { Forms } from "../ports.ts";

/** Control characters. `\p` is not used: nothing says that the game's engine has it. */
const CONTROL = /[^ -~\u00a0-\uffff]+/g;

interface SayDeps<P> {
  commandForms: CommandForms;
  /** undefined if the game cannot show forms */
  forms: Forms<P> | undefined;
  isBlocked(id: string): boolean;
  /** Reports a chat message of the player with this id. */
  said(name: string, text: string, id: string): void;
}

/** A command by which players write in the chat of game and website, for games whose chat cannot be read. */
export function createSay<P>(
  { players, roster, texts, notices, soon }: PackContext<P>,
  { reply }: CommandReplies<P>,
  { commandForms, forms, isBlocked, said }: SayDeps<P>,
) {
  function write(player: P, id: string, written: string): Reply {
    // A line break would look like the line of another player.
    const text = clip(written.replace(CONTROL, " ").trim(), CHAT_LENGTH);
    if (text === "") return reply(player, [false, "bridge.say-empty"]);
    const name = players.name(player);
    if (name === undefined || isBlocked(id)) return { done: false };
    players.broadcast(`<${name}> ${text}`);
    said(name, text, id);
    return { done: true };
  }

  /** Shows the form to the newest object of the player. */
  function ask(player: P, id: string): void {
    const member = roster.byId(id);
    commandForms.open(member === undefined ? id : identity(member.ref), ended => {
      const asked = roster.byId(id)?.player ?? player;
      const locale = players.locale(asked);
      const view = {
        title: texts.text(locale, "bridge.say-title"),
        field: texts.text(locale, "bridge.say-field"),
        send: texts.text(locale, "bridge.say-send"),
      };
      forms?.ask(asked, view, (end, text) => ended(end, () => answered(asked, id, text)));
    });
  }

  function answered(player: P, id: string, text: string): void {
    notices.safely("handling a form", () => {
      const answer = write(player, id, text).text;
      if (answer !== undefined) players.tell(player, answer);
    });
  }

  return {
    commands: {
      say(player: P | undefined, ...words: string[]): Reply {
        const id = player && players.id(player);
        if (player === undefined || id === undefined) return reply(player, [false, "bridge.players-only"]);
        if (words.length > 0) return write(player, id, words.join(" "));
        soon(() => ask(player, id));
        return { done: true };
      },
    },
  };
}
