import type { PlayerRef } from "../shared/actions.ts";
import type { GameTextKey } from "../shared/game-texts.ts";
import type { PackContext } from "./context.ts";
import type { FormEnd, Forms, FormView } from "./ports.ts";
import type { TextValues } from "./texts.ts";

export type PlayerForms = ReturnType<typeof createPlayerForms>;

/** Forms that players see, each in its player's language. `forms`: undefined when the game cannot show any. */
export function createPlayerForms<P>(
  { players, roster, texts, notices }: PackContext<P>,
  forms: Forms<P> | undefined,
) {
  return {
    canShow: forms !== undefined,
    /** Shows a form to a player, if they are online. `ended` is called once at most, and maybe never. */
    show(
      ref: PlayerRef,
      view: (text: (key: GameTextKey) => string) => FormView,
      ended: (end: FormEnd) => void,
      values: TextValues = {},
    ) {
      const player = roster.find(ref)?.player;
      if (player === undefined) return;
      const locale = players.locale(player);
      const shown = view(key => texts.text(locale, key, values));
      forms?.show(player, shown, end => notices.safely("dealing with a form", () => ended(end)));
    },
    /** Closes every form of the player. */
    close(ref: PlayerRef) {
      const member = roster.find(ref);
      if (member !== undefined) forms?.close(member.player);
    },
  };
}
