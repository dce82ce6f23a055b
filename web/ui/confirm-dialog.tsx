import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  title: string;
  /** name or text that it is about */
  about: string;
  hint: string;
  yes: string;
  no: string;
  /** Called once. Escape is a no. */
  answer(isWanted: boolean): void;
  /** what can be chosen with it */
  children?: ComponentChildren;
}

/** Asks before something is done. */
export function Question({ title, about, hint, yes, no, answer, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Closing it gives the focus back to where it was.
  const close = (isWanted: boolean): void => dialog.current?.close(isWanted ? "yes" : "");
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="question-title"
      aria-describedby="question-about"
      onClose={event => answer(event.currentTarget.returnValue === "yes")}
    >
      <h3 id="question-title">{title}</h3>
      <p id="question-about">
        <bdi>{about}</bdi>
      </p>
      {children}
      <p class="soft">{hint}</p>
      <div class="row">
        <button type="button" class="quiet" onClick={() => close(false)}>
          {no}
        </button>
        <button type="button" onClick={() => close(true)}>
          {yes}
        </button>
      </div>
    </dialog>
  );
}
