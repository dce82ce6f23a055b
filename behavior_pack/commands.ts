import type { PlayerRef } from "../shared/actions.ts";
import type { Fact } from "../shared/facts.ts";
import type { GameTextKey } from "../shared/game-texts.ts";
import type { PackContext } from "./context.ts";
import type { Member } from "./players/roster.ts";
import type { TextValues } from "./texts.ts";

/** The reply to a command. Without a text, the sidecar replies. */
export interface Reply {
  done: boolean;
  text?: string;
}

/** Runs a command with its arguments. `player` is undefined for the console and command blocks. */
export type Command<P> = (player: P | undefined, ...words: string[]) => Reply;

/** Whether a command succeeded, and the text of its reply. */
export type CommandResult = [done: boolean, key: GameTextKey, values?: TextValues];

export type CommandReplies<P> = ReturnType<typeof createReplies<P>>;

/** Replies to commands, in the language of the player who gave them. */
export function createReplies<P>({ players, roster, texts, isLive, report, tell, soon }: PackContext<P>) {
  const refer = (player: P | undefined): PlayerRef | undefined => player && players.refer(player);

  const reply = (player: P | undefined, [done, key, values]: CommandResult): Reply => ({
    done,
    text: texts.text(player && players.locale(player), key, values),
  });

  return {
    refer,
    reply,
    /** Runs a command that only players can give. */
    ofPlayer(player: P | undefined, run: (member: Member<P>) => CommandResult): Reply {
      const id = player && players.id(player);
      const member = id === undefined ? undefined : roster.byId(id);
      return reply(player, member === undefined ? [false, "bridge.players-only"] : run(member));
    },
    /** Sends a command to the sidecar, which replies. Without a fact the arguments were wrong, and the reply shows `usage`. */
    forward(player: P | undefined, fact: Fact | undefined, usage: string): Reply {
      if (fact !== undefined && isLive()) {
        const ref = refer(player);
        const onLost = () => soon(() => tell(ref, "bridge.not-connected"));
        report(fact, { onLost });
        return { done: true };
      }
      return reply(player, isLive() ? [false, "bridge.usage", { usage }] : [false, "bridge.not-connected"]);
    },
  };
}
