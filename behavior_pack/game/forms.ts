import type { Player } from "@minecraft/server";
import * as ui from "@minecraft/server-ui";
import type { FormEnd, Forms } from "../ports.ts";
import { type Missing, member } from "./features.ts";

/** Forms with two buttons; undefined where the game offers none. */
export function createForms(missing: Missing): Forms<Player> | undefined {
  const Form = member(ui, "ActionFormData");
  if (Form === undefined) {
    missing("ActionFormData", "players cannot be asked to link a browser");
    return undefined;
  }
  for (const key of ["title", "body", "button", "show"] as const) {
    if (member(Form.prototype, key) !== undefined) continue;
    missing(`ActionFormData.${key}`, "players cannot be asked to link a browser");
    return undefined;
  }
  if (member(member(ui, "uiManager"), "closeAllForms") === undefined)
    missing(
      "uiManager.closeAllForms",
      "a form whose request has ended stays open until the player closes it",
    );
  return {
    show(player, view, ended) {
      try {
        const form = new Form();
        form.title(view.title);
        form.body(view.body);
        form.button(view.accept);
        form.button(view.decline);
        form.show(player).then(
          response => ended(endOf(response)),
          error => ended(rejected(error)),
        );
      } catch (error) {
        ended(rejected(error));
      }
    },
    close(player) {
      try {
        member(ui, "uiManager")?.closeAllForms(player);
      } catch {
        // The player is gone, and the form with them.
      }
    },
  };
}

function endOf(response: ui.ActionFormResponse): FormEnd {
  try {
    if (response.canceled) return String(response.cancelationReason) === "UserBusy" ? "busy" : "closed";
    if (response.selection === 0) return "accepted";
    return response.selection === 1 ? "declined" : "closed";
  } catch {
    return "failed";
  }
}

function rejected(error: unknown): FormEnd {
  if (typeof error !== "object" || error === null || !("reason" in error)) return "failed";
  return error.reason === "PlayerQuit" ? "quit" : "failed";
}
