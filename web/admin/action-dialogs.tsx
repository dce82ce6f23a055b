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

/** Asks whether to kick a player, and why. `onAnswer`: called once, without an argument where it is cancelled. */
export function KickDialog({ name, onAnswer }: { name: string; onAnswer(how?: { reason?: string }): void }) {
  const { reason, fields } = useReason();
  return (
    <ConfirmDialog
      title={texts.kickQuestion}
      about={name}
      hint={texts.kickHint}
      yes={texts.kick}
      isDanger={true}
      onAnswer={isConfirmed =>
        onAnswer(isConfirmed ? { ...(reason !== undefined && { reason }) } : undefined)
      }
    >
      {fields}
    </ConfirmDialog>
  );
}

export interface BanTerms {
  scope: BanScope;
  reason?: string;
  for?: string;
}

/** Asks for the duration, reason and scope of a ban. `onAnswer`: called once, without terms where it is cancelled. */
export function BanDialog(props: {
  name: string;
  scopes: readonly BanScope[];
  serverTitle: string;
  /** whether no known player has this name */
  isUnknown?: boolean;
  onAnswer(terms?: BanTerms): void;
}) {
  const { name, scopes, serverTitle, isUnknown = false, onAnswer } = props;
  const [span, setSpan] = useState<keyof typeof texts.banSpans>("1h");
  const [scope, setScope] = useState<BanScope>(scopes[0] ?? "all");
  const { reason, fields } = useReason();
  const terms = { scope, ...(reason !== undefined && { reason }), ...(span !== "ever" && { for: span }) };
  return (
    <ConfirmDialog
      title={texts.banQuestion}
      about={name}
      hint={texts.banHint}
      yes={texts.ban}
      isDanger={true}
      onAnswer={isConfirmed => onAnswer(isConfirmed ? terms : undefined)}
    >
      {isUnknown && <p class="warn">{texts.banUnknown}</p>}
      <Choice id="span" label={texts.banFor} options={texts.banSpans} value={span} onChoose={setSpan} />
      {fields}
      {scopes.length > 1 && (
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

/** Asks for how long to mute a browser. `onAnswer`: called once, without a duration where it is cancelled. */
export function MuteDialog({ name, onAnswer }: { name: string; onAnswer(how?: { for: string }): void }) {
  const { ever: _, ...spans } = texts.banSpans;
  const [span, setSpan] = useState<keyof typeof spans>("1h");
  return (
    <ConfirmDialog
      title={texts.muteQuestion}
      about={name}
      hint={texts.muteHint}
      yes={texts.mute}
      isDanger={true}
      onAnswer={isConfirmed => onAnswer(isConfirmed ? { for: span } : undefined)}
    >
      <Choice id="span" label={texts.banFor} options={spans} value={span} onChoose={setSpan} />
    </ConfirmDialog>
  );
}
