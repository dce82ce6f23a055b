import type { PlayerRef } from "../shared/actions.ts";
import type { GameTextKey } from "../shared/game-texts.ts";
import type { PackContext } from "./context.ts";
import type { FormEnd, Forms, FormView } from "./ports.ts";
import type { TextValues } from "./texts.ts";

export type PlayerForms = ReturnType<typeof createPlayerForms>;

/** Shows forms to players in their language. `forms`: undefined if the game cannot show any. */
export function createPlayerForms<P>(
  { players, roster, texts, notices }: PackContext<P>,
  forms: Forms<P> | undefined,
) {
  return {
    canShow: forms !== undefined,
    /** Shows a form to a player who is online. `ended` is called at most once, and may never be called. */
    show(
      ref: PlayerRef,
      view: (text: (key: GameTextKey) => string) => FormView,
      ended: (end: FormEnd) => void,
      values: TextValues = {},
    ) {
      const player = roster.find(ref)?.player;
      if (player === undefined) return;
      const locale = players.locale(player);
      const formView = view(key => texts.text(locale, key, values));
      forms?.show(player, formView, end => notices.safely("handling a form", () => ended(end)));
    },
    /** Closes all forms of the player. */
    close(ref: PlayerRef) {
      const member = roster.find(ref);
      if (member !== undefined) forms?.close(member.player);
    },
  };
}
