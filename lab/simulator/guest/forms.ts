import { boot, host } from "./bridge.ts";
import { idOf } from "./entities.ts";
import { FormRejectError } from "./errors.ts";
import type { FormContent, FormSettlement } from "./host.ts";
import { requireMode } from "./mode.ts";
import { GamePromise } from "./promises.ts";
import { tickNumber } from "./schedule.ts";
import { surface } from "./surface.ts";
import { flatten } from "./text.ts";

export const FormCancelationReason = { UserBusy: "UserBusy", UserClosed: "UserClosed" } as const;
export const FormRejectReason = {
  MalformedResponse: "MalformedResponse",
  PlayerQuit: "PlayerQuit",
  ServerShutdown: "ServerShutdown",
} as const;

export class ActionFormResponse {
  readonly canceled: boolean;
  readonly cancelationReason: string | undefined;
  readonly selection: number | undefined;
  constructor(cancelationReason: string | undefined, selection: number | undefined) {
    this.canceled = cancelationReason !== undefined;
    this.cancelationReason = cancelationReason;
    this.selection = selection;
  }
}

export class MessageFormResponse extends ActionFormResponse {}

interface PendingForm {
  readonly kind: FormContent["kind"];
  readonly resolve: (response: ActionFormResponse) => void;
  readonly reject: (error: unknown) => void;
}

const pending = new Map<number, PendingForm>();
/** Forms whose players are busy, with the tick in which the script gets the answer. */
const busy = new Map<number, number>();
let lastForm = 0;

function open(player: unknown, content: FormContent): Promise<ActionFormResponse> {
  const playerId = idOf(player);
  const id = ++lastForm;
  if (boot.quirks.refusesForms) return GamePromise.reject(new FormRejectError("MalformedResponse"));
  return new GamePromise((resolve, reject) => {
    pending.set(id, { kind: content.kind, resolve, reject });
    const ticks = host.showForm(playerId, id, JSON.stringify(content));
    if (ticks >= 0) busy.set(id, tickNumber() + ticks);
  });
}

/** Settles the forms that were answered, and those of busy players. */
export function settleForms(settlements: readonly FormSettlement[]): void {
  for (const [id, at] of busy)
    if (at <= tickNumber()) {
      busy.delete(id);
      settle({ id, canceled: FormCancelationReason.UserBusy });
    }
  for (const settlement of settlements) settle(settlement);
}

/** Rejects every open form. */
export function rejectForms(reason: string): void {
  for (const id of [...pending.keys()]) settle({ id, rejected: reason });
}

function settle({ id, rejected, canceled, selection }: FormSettlement): void {
  const form = pending.get(id);
  if (!form) return;
  pending.delete(id);
  if (rejected !== undefined) form.reject(new FormRejectError(rejected));
  else if (form.kind === "action") form.resolve(new ActionFormResponse(canceled, selection));
  else form.resolve(new MessageFormResponse(canceled, selection));
}

/** Contents of a form so far, unchanged. */
interface Draft {
  readonly kind: FormContent["kind"];
  title: unknown;
  body: unknown;
  readonly buttons: unknown[];
  readonly icons: (string | null)[];
  readonly labels: unknown[];
}

const drafts = new WeakMap<object, Draft>();

function draftOf(form: object): Draft {
  const draft = drafts.get(form);
  if (!draft) throw new TypeError("Native object bound to prototype does not exist.");
  return draft;
}

/** A method that adds to a form and returns the form. */
const adds = <A extends unknown[]>(add: (draft: Draft, ...args: A) => unknown) =>
  function (this: object, ...args: A): object {
    add(draftOf(this), ...args);
    return this;
  };

const common = {
  title: adds((draft, text: unknown) => {
    draft.title = text;
  }),
  body: adds((draft, text: unknown) => {
    draft.body = text;
  }),
  show(this: object, player: unknown): Promise<ActionFormResponse> {
    const { kind, title, body, buttons, icons, labels } = draftOf(this);
    return open(player, {
      kind,
      title: flatten(title),
      body: flatten(body),
      buttons: buttons.map(flatten),
      icons,
      labels: labels.map(flatten),
    });
  },
};

export class ActionFormData {
  constructor() {
    requireMode("r", "class constructor [ActionFormData]");
    drafts.set(this, { kind: "action", title: "", body: "", buttons: [], icons: [], labels: [] });
  }
}

Object.assign(ActionFormData.prototype, common, {
  button: adds((draft, text: unknown, iconPath?: string) => {
    draft.buttons.push(text);
    draft.icons.push(iconPath ?? null);
  }),
  header: adds((draft, text: unknown) => draft.labels.push(text)),
  label: adds((draft, text: unknown) => draft.labels.push(text)),
  divider: adds(() => undefined),
});

export class MessageFormData {
  constructor() {
    requireMode("r", "class constructor [MessageFormData]");
    const [buttons, icons] = [
      ["", ""],
      [null, null],
    ];
    drafts.set(this, { kind: "message", title: "", body: "", buttons, icons, labels: [] });
  }
}

Object.assign(MessageFormData.prototype, common, {
  button1: adds((draft, text: unknown) => draft.buttons.splice(0, 1, text)),
  button2: adds((draft, text: unknown) => draft.buttons.splice(1, 1, text)),
});

export class UIManager {
  closeAllForms(player: unknown): void {
    host.closeForms(idOf(player));
  }
}

surface("ActionFormData", ActionFormData, "title:r body:r button:r header:r label:r divider:r show:");
surface("MessageFormData", MessageFormData, "title:r body:r button1:r button2:r show:");
surface("UIManager", UIManager, "closeAllForms:");
