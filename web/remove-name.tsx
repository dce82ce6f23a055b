import { useEffect, useRef } from "preact/hooks";
import { texts } from "./texts.ts";

/** Asks whether a name is to be taken off the whitelist; `answer` is called once. Escape keeps it. */
export function RemoveName({ name, answer }: { name: string; answer(isWanted: boolean): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Closing it gives the focus back to where it was.
  const close = (isWanted: boolean): void => dialog.current?.close(isWanted ? "remove" : "");
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="remove-question"
      aria-describedby="remove-name"
      onClose={event => answer(event.currentTarget.returnValue === "remove")}
    >
      <h3 id="remove-question">{texts.removeQuestion}</h3>
      <p id="remove-name">
        <bdi>{name}</bdi>
      </p>
      <p class="soft">{texts.removeHint}</p>
      <div class="row">
        <button type="button" class="quiet" onClick={() => close(false)}>
          {texts.keep}
        </button>
        <button type="button" onClick={() => close(true)}>
          {texts.remove}
        </button>
      </div>
    </dialog>
  );
}
