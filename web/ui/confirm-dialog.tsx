import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { visibleText } from "../platform/visible-text.ts";
import { QuietButton } from "./quiet-button.tsx";

interface Props {
  title: string;
  /** name or text that it is about */
  about: string;
  hint: string;
  yes: string;
  /** "Cancel" by default */
  no?: string;
  /** whether it is harmful, or cannot be undone */
  isDanger?: boolean;
  /** Called once. Escape cancels. */
  onAnswer(isConfirmed: boolean): void;
  /** fields between the question and the hint */
  children?: ComponentChildren;
}

export function ConfirmDialog({ title, about, hint, yes, no, isDanger, onAnswer, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // Closing it returns the focus to where it was.
  const close = (isConfirmed: boolean): void => dialog.current?.close(isConfirmed ? "yes" : "");
  return (
    <dialog
      ref={dialog}
      class="question"
      aria-labelledby="question-title"
      aria-describedby="question-about"
      onClose={event => onAnswer(event.currentTarget.returnValue === "yes")}
    >
      <h3 id="question-title">{title}</h3>
      <p id="question-about">
        <bdi>{visibleText(about)}</bdi>
      </p>
      {children}
      <p class="soft">{hint}</p>
      <div class="row">
        <QuietButton onClick={() => close(false)}>{no ?? texts.cancel}</QuietButton>
        <button type="button" class={isDanger ? "danger" : undefined} onClick={() => close(true)}>
          {yes}
        </button>
      </div>
    </dialog>
  );
}
