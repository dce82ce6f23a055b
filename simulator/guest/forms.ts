import { host } from "./bridge.ts";
import { idOf } from "./entities.ts";
import { FormRejectError } from "./errors.ts";
import type { FormContent, FormSettlement } from "./host.ts";
import { requireMode } from "./mode.ts";
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
  constructor(cancelationReason: string | undefined) {
    this.canceled = cancelationReason !== undefined;
    this.cancelationReason = cancelationReason;
  }
}

export class ActionFormResponse extends FormResponse {
  readonly selection: number | undefined;
  constructor(cancelationReason: string | undefined, selection: number | undefined) {
    super(cancelationReason);
    this.selection = selection;
  }
}

export class MessageFormResponse extends ActionFormResponse {}

interface Pending {
  readonly kind: FormContent["kind"];
  readonly resolve: (response: ActionFormResponse) => void;
  readonly reject: (error: unknown) => void;
}

const pending = new Map<number, Pending>();
const busy: number[] = [];
let lastForm = 0;

function open(player: unknown, content: FormContent): Promise<ActionFormResponse> {
  const playerId = idOf(player);
  const id = ++lastForm;
  return new Promise((resolve, reject) => {
    pending.set(id, { kind: content.kind, resolve, reject });
    if (!host().showForm(playerId, id, JSON.stringify(content))) busy.push(id);
  });
}

/** Settles the forms that were answered, and those that found their player busy. */
export function settleForms(settlements: readonly FormSettlement[]): void {
  for (const id of busy.splice(0)) settle({ id, canceled: FormCancelationReason.UserBusy });
  for (const settlement of settlements) settle(settlement);
}

/** Rejects every form that is still open. */
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

export class ActionFormData {
  #title: unknown = "";
  #body: unknown = "";
  readonly #buttons: unknown[] = [];
  readonly #icons: (string | null)[] = [];
  readonly #labels: unknown[] = [];

  constructor() {
    requireMode("r", "class constructor [ActionFormData]");
  }
  title(text: unknown): this {
    this.#title = text;
    return this;
  }
  body(text: unknown): this {
    this.#body = text;
    return this;
  }
  button(text: unknown, iconPath?: string): this {
    this.#buttons.push(text);
    this.#icons.push(iconPath ?? null);
    return this;
  }
  header(text: unknown): this {
    this.#labels.push(text);
    return this;
  }
  label(text: unknown): this {
    this.#labels.push(text);
    return this;
  }
  divider(): this {
    return this;
  }
  show(player: unknown): Promise<ActionFormResponse> {
    return open(player, {
      kind: "action",
      title: flatten(this.#title),
      body: flatten(this.#body),
      buttons: this.#buttons.map(flatten),
      icons: this.#icons,
      labels: this.#labels.map(flatten),
    });
  }
}

export class MessageFormData {
  #title: unknown = "";
  #body: unknown = "";
  #button1: unknown = "";
  #button2: unknown = "";

  constructor() {
    requireMode("r", "class constructor [MessageFormData]");
  }
  title(text: unknown): this {
    this.#title = text;
    return this;
  }
  body(text: unknown): this {
    this.#body = text;
    return this;
  }
  button1(text: unknown): this {
    this.#button1 = text;
    return this;
  }
  button2(text: unknown): this {
    this.#button2 = text;
    return this;
  }
  show(player: unknown): Promise<MessageFormResponse> {
    return open(player, {
      kind: "message",
      title: flatten(this.#title),
      body: flatten(this.#body),
      buttons: [flatten(this.#button1), flatten(this.#button2)],
      icons: [null, null],
      labels: [],
    });
  }
}

export class UIManager {
  closeAllForms(player: unknown): void {
    host().closeForms(idOf(player));
  }
}

surface("ActionFormData", ActionFormData, "title:r body:r button:r header:r label:r divider:r show:");
surface("MessageFormData", MessageFormData, "title:r body:r button1:r button2:r show:");
surface("UIManager", UIManager, "closeAllForms:");
