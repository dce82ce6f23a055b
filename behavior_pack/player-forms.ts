import type { PlayerRef } from "../shared/actions.ts";
import type { LinkForm } from "../shared/frames.ts";
import type { GameTextKey } from "../shared/texts.ts";
import type { LinkRequest } from "./linking/form-queue.ts";
import type { Notices } from "./notices.ts";
import type { Roster } from "./players/roster.ts";
import type { FormEnd, Forms, FormView, Players } from "./ports.ts";
import type { Texts } from "./texts.ts";

interface PlayerFormsDeps<P> {
  players: Players<P>;
  roster: Roster<P>;
  texts: Texts;
  notices: Notices;
  /** undefined when the game cannot show forms */
  forms: Forms<P> | undefined;
}

/** The forms that players see, each in its player's language. To one who has left none is shown. */
export function createPlayerForms<P>({ players, roster, texts, notices, forms }: PlayerFormsDeps<P>) {
  function show(
    ref: PlayerRef,
    ended: (end: FormEnd) => void,
    view: (text: (key: GameTextKey) => string) => FormView,
    values: Record<string, string> = {},
  ): void {
    const player = roster.find(ref)?.player;
    if (player === undefined) return;
    const locale = players.locale(player);
    const shown = view(key => texts.tell(locale, key, values));
    forms?.show(player, shown, end => notices.safely("dealing with a form", () => ended(end)));
  }

  return {
    /** Asks to link a browser, or to sign in to another site by that. */
    link(
      { player, browser, site }: Pick<LinkRequest, "player" | "browser" | "site">,
      look: LinkForm,
      ended: (end: FormEnd) => void,
    ) {
      const prompt = site === undefined ? "api.link-prompt" : "api.sign-in-prompt";
      const view = (text: (key: GameTextKey) => string): FormView => ({
        look,
        title: text(`${prompt}-title`),
        body: text(`${prompt}-body`) + (look === "chest" ? `\n${text("api.link-chest-hint")}` : ""),
        accept: text("api.link-accept"),
        decline: text("api.link-decline"),
        browser: text("api.link-browser"),
      });
      show(player, ended, view, { browser, ...(site !== undefined && { site }) });
    },
    /** Asks whether the player is to be forgotten. */
    forget(ref: PlayerRef, ended: (end: FormEnd) => void) {
      show(ref, ended, text => ({
        look: "buttons",
        title: text("bridge.forget-title"),
        body: text("bridge.forget-body"),
        accept: text("bridge.forget-accept"),
        decline: text("bridge.forget-decline"),
        browser: "",
      }));
    },
    /** Closes every form of the player. */
    close(ref: PlayerRef) {
      const member = roster.find(ref);
      if (member !== undefined) forms?.close(member.player);
    },
  };
}
