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

class FormResponse {
  readonly canceled: boolean;
  readonly cancelationReason: string | undefined;
  constructor({ canceled }: FormSettlement) {
    this.canceled = canceled !== undefined;
    this.cancelationReason = canceled;
  }
}

export class ActionFormResponse extends FormResponse {
  readonly selection: number | undefined;
  constructor(settlement: FormSettlement) {
    super(settlement);
    this.selection = settlement.selection;
  }
}

export class MessageFormResponse extends ActionFormResponse {}

export class ModalFormResponse extends FormResponse {
  readonly formValues: readonly string[] | undefined;
  constructor(settlement: FormSettlement) {
    super(settlement);
    this.formValues = settlement.values;
  }
}

const RESPONSES = {
  action: ActionFormResponse,
  message: MessageFormResponse,
  modal: ModalFormResponse,
} as const;

interface PendingForm {
  readonly kind: FormContent["kind"];
  readonly resolve: (response: FormResponse) => void;
  readonly reject: (error: unknown) => void;
}

const pending = new Map<number, PendingForm>();
/** Forms whose players are busy, with the tick in which the script gets the answer. */
const busy = new Map<number, number>();
let lastForm = 0;

function open(player: unknown, content: FormContent): Promise<FormResponse> {
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

function settle(settlement: FormSettlement): void {
  const { id, rejected } = settlement;
  const form = pending.get(id);
  if (!form) return;
  pending.delete(id);
  if (rejected !== undefined) form.reject(new FormRejectError(rejected));
  else form.resolve(new RESPONSES[form.kind](settlement));
}

/** Contents of a form so far, unchanged. */
interface Draft {
  readonly kind: FormContent["kind"];
  title: unknown;
  body: unknown;
  readonly buttons: unknown[];
  readonly icons: (string | null)[];
  readonly labels: unknown[];
  readonly fields: { readonly label: unknown; readonly placeholder: unknown; readonly value: string }[];
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

/** A form without texts. `buttons`: how many it always has. */
const newDraft = (kind: FormContent["kind"], buttons: number): Draft => ({
  kind,
  title: "",
  body: "",
  buttons: Array(buttons).fill(""),
  icons: Array(buttons).fill(null),
  labels: [],
  fields: [],
});

const common = {
  title: adds((draft, text: unknown) => {
    draft.title = text;
  }),
  show(this: object, player: unknown): Promise<FormResponse> {
    const { kind, title, body, buttons, icons, labels, fields } = draftOf(this);
    return open(player, {
      kind,
      title: flatten(title),
      body: flatten(body),
      buttons: buttons.map(flatten),
      icons,
      labels: labels.map(flatten),
      fields: fields.map(({ label, placeholder, value }) => ({
        label: flatten(label),
        placeholder: flatten(placeholder),
        value,
      })),
    });
  },
};

const withBody = {
  body: adds((draft, text: unknown) => {
    draft.body = text;
  }),
};

export class ActionFormData {
  constructor() {
    requireMode("r", "class constructor [ActionFormData]");
    drafts.set(this, newDraft("action", 0));
  }
}

Object.assign(ActionFormData.prototype, common, withBody, {
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
    drafts.set(this, newDraft("message", 2));
  }
}

Object.assign(MessageFormData.prototype, common, withBody, {
  button1: adds((draft, text: unknown) => draft.buttons.splice(0, 1, text)),
  button2: adds((draft, text: unknown) => draft.buttons.splice(1, 1, text)),
});

export class ModalFormData {
  constructor() {
    requireMode("r", "class constructor [ModalFormData]");
    drafts.set(this, newDraft("modal", 1));
  }
}

Object.assign(ModalFormData.prototype, common, {
  textField: adds((draft, label: unknown, placeholder: unknown, options?: { defaultValue?: string }) =>
    draft.fields.push({ label, placeholder, value: options?.defaultValue ?? "" }),
  ),
  submitButton: adds((draft, text: unknown) => draft.buttons.splice(0, 1, text)),
});

export class UIManager {
  closeAllForms(player: unknown): void {
    host.closeForms(idOf(player));
  }
}

surface("ActionFormData", ActionFormData, "title:r body:r button:r header:r label:r divider:r show:");
surface("MessageFormData", MessageFormData, "title:r body:r button1:r button2:r show:");
surface(
  "ModalFormData",
  ModalFormData,
  "title:r textField:r submitButton:r show:",
  "divider dropdown header label slider toggle",
);
surface("UIManager", UIManager, "closeAllForms:");
