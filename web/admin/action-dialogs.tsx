import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import type { Action } from "./actions.ts";
import { Choice } from "./choice.tsx";
import type { BanScope } from "./permissions.ts";
import { useReason } from "./use-reason.tsx";

/** Asks what to do with a player or a browser. `onAnswer`: called once, without an action where it is cancelled. */
export function ActionChoice({
  name,
  actions,
  onAnswer,
}: {
  name: string;
  actions: readonly Action[];
  onAnswer(action?: Action): void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="actions-title"
      onClose={event => onAnswer(actions.find(one => one === event.currentTarget.returnValue))}
    >
      <h3 id="actions-title">{texts.actionsFor(name)}</h3>
      <div class="row choose">
        {actions.map(action => (
          <button
            key={action}
            type="button"
            class={action === "unmute" ? "quiet" : "quiet danger"}
            onClick={() => dialog.current?.close(action)}
          >
            {texts[action]}
          </button>
        ))}
        <QuietButton onClick={() => dialog.current?.close("")}>{texts.cancel}</QuietButton>
      </div>
    </dialog>
  );
}

/** The details of an action, as far as it has them; `scope`: of a ban. */
export interface ActionTerms {
  scope: BanScope;
  reason?: string;
  for?: string;
}

/** Asks whether to carry out an action, and for its details. `onAnswer`: called once, without terms where it is cancelled. */
export function ActionDialog(props: {
  action: Action;
  name: string;
  /** where a ban may apply */
  scopes: readonly BanScope[];
  serverTitle: string;
  /** whether no known player has this name */
  isUnknown?: boolean;
  onAnswer(terms?: ActionTerms): void;
}) {
  const { action, name, scopes, serverTitle, isUnknown = false, onAnswer } = props;
  const [span, setSpan] = useState("1h");
  const [scope, setScope] = useState<BanScope>(scopes[0] ?? "all");
  const { reason, fields } = useReason();
  const { ever: _, ...limited } = texts.banSpans;
  const spans: Readonly<Record<string, string>> = action === "ban" ? texts.banSpans : limited;
  const terms = { scope, ...(reason !== undefined && { reason }), ...(span !== "ever" && { for: span }) };
  return (
    <ConfirmDialog
      title={texts[`${action}Question`]}
      about={name}
      hint={texts[`${action}Hint`]}
      yes={texts[action]}
      isDanger={action !== "unmute"}
      onAnswer={isConfirmed => onAnswer(isConfirmed ? terms : undefined)}
    >
      {isUnknown && <p class="warn">{texts.banUnknown}</p>}
      {(action === "ban" || action === "mute") && (
        <Choice id="span" label={texts.banFor} options={spans} value={span} onChoose={setSpan} />
      )}
      {(action === "ban" || action === "kick") && fields}
      {action === "ban" && scopes.length > 1 && (
        <Choice
          id="where"
          label={texts.banOn}
          options={{ all: texts.allServers, here: serverTitle }}
          value={scope}
          onChoose={setScope}
        />
      )}
    </ConfirmDialog>
  );
}
