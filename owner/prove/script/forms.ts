import { mc, ui } from "../../../behavior_pack/game/modules.ts";
import { type Answerer, numberOf, textOf } from "./asked.ts";
import { failureOf, tried } from "./failure.ts";

/** What came of the forms that were shown, by their number. */
const forms: unknown[] = [];

export const formAnswers: Readonly<Record<string, Answerer>> = {
  /** Shows a form as the pack does, and tells what has come of it after so many ticks. */
  "form-show": input => {
    const player = mc.world.getAllPlayers().find(each => each?.name === textOf(input, "name"));
    if (player === undefined) throw new Error("there is no such player");
    const number = forms.push({ is: "open" }) - 1;
    const form = new ui.ActionFormData().title("trial").body("trial").button("yes").button("no");
    const shown = tried(() => form.show(player));
    if ("failure" in shown) return { number, thrown: shown.failure };
    shown.value.then(
      ({ canceled, cancelationReason, selection }) => {
        forms[number] = { is: "answered", canceled, reason: String(cancelationReason ?? ""), selection };
      },
      (error: unknown) => {
        const reason = typeof error === "object" && error !== null ? Reflect.get(error, "reason") : "";
        forms[number] = { is: "rejected", reason: String(reason ?? ""), failure: failureOf(error) };
      },
    );
    return new Promise(resolve => {
      mc.system.runTimeout(
        () => resolve({ number, came: forms[number] }),
        Math.max(1, numberOf(input, "ticks", 40)),
      );
    });
  },
  "form-close": input => {
    const player = mc.world.getAllPlayers().find(each => each?.name === textOf(input, "name"));
    return tried(() => player && ui.uiManager.closeAllForms(player));
  },
  form: input => forms[numberOf(input, "number", 0)],
};
