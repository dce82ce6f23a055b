import type { Player } from "@minecraft/server";
import { ACCEPT_SLOT, BROWSER_SLOT, CHEST_FLAG, CHEST_SLOTS, DECLINE_SLOT } from "../linking/chest-form.ts";
import type { FormEnd, Forms, FormView } from "../ports.ts";
import { attempt, field, peek, type ReportMissing } from "./features.ts";
import { literal } from "./literal.ts";
import { ui } from "./modules.ts";

/** Shows forms to players; undefined if the game has no forms. */
export function createForms(missing: ReportMissing): Forms<Player> | undefined {
  function lack(name: string): undefined {
    missing(name, "players cannot be asked to link a browser");
  }

  const Form = peek(ui, "ActionFormData");
  if (Form === undefined) return lack("ActionFormData");
  // Games differ in where the members are defined: look them up on a form.
  const probe = attempt(() => new Form());
  for (const key of ["title", "body", "button", "show"] as const)
    if (peek(probe, key) === undefined) return lack(`ActionFormData.${key}`);
  if (peek(peek(ui, "uiManager"), "closeAllForms") === undefined)
    missing(
      "uiManager.closeAllForms",
      "a form whose request has ended stays open until the player closes it",
    );
  return {
    show(player, view, ended) {
      try {
        const form = new Form();
        fill(form, view);
        const [accept, decline] = view.look === "chest" ? [ACCEPT_SLOT, DECLINE_SLOT] : [0, 1];
        form.show(player).then(
          response => ended(endOf(response, accept, decline)),
          error => ended(rejected(error)),
        );
      } catch (error) {
        ended(rejected(error));
      }
    },
    ask(player, { title, field: label, send }, ended) {
      try {
        const form = new ui.ModalFormData();
        form.title(literal(title)).textField(literal(label), "").submitButton(literal(send));
        form.show(player).then(
          response => ended(...textOf(response)),
          error => ended(rejected(error), ""),
        );
      } catch (error) {
        ended(rejected(error), "");
      }
    },
    close(player) {
      // Throws when the player has left, and the form with them.
      attempt(() => peek(ui, "uiManager")?.closeAllForms(player));
    },
  };
}

function fill(form: ui.ActionFormData, { look, title, body, accept, decline, browser }: FormView): void {
  const button = (text: string, icon: string) => form.button(literal(text), icon);
  const red = "textures/blocks/wool_colored_red";
  form.title((look === "chest" ? CHEST_FLAG : "") + literal(title));
  form.body(literal(body));
  if (look === "buttons") {
    button(accept, "textures/blocks/wool_colored_lime");
    button(decline, red);
    return;
  }
  for (let slot = 0; slot < CHEST_SLOTS; slot++)
    if (slot === BROWSER_SLOT) button(browser, "textures/items/paper");
    else if (slot === ACCEPT_SLOT) button(accept, "textures/blocks/wool_colored_green");
    else if (slot === DECLINE_SLOT) button(decline, red);
    else form.button("");
}

const canceled = ({ cancelationReason }: ui.FormResponse): FormEnd =>
  String(cancelationReason) === "UserBusy" ? "busy" : "closed";

function textOf(response: ui.ModalFormResponse): [end: FormEnd, text: string] {
  try {
    if (response.canceled) return [canceled(response), ""];
    const [text] = response.formValues ?? [];
    return typeof text === "string" ? ["accepted", text] : ["failed", ""];
  } catch {
    return ["failed", ""];
  }
}

function endOf(response: ui.ActionFormResponse, accept: number, decline: number): FormEnd {
  try {
    if (response.canceled) return canceled(response);
    if (response.selection === accept) return "accepted";
    return response.selection === decline ? "declined" : "closed";
  } catch {
    return "failed";
  }
}

function rejected(error: unknown): FormEnd {
  return field(error, "reason") === "PlayerQuit" ? "quit" : "failed";
}
