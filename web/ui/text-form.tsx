import type { ComponentChildren, ComponentProps } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Alert } from "./alert.tsx";

/** Attributes of every field for a player's name: browsers change nothing in it. */
export const NAME_FIELD = { autocomplete: "off", autocapitalize: "none", spellcheck: false } as const;

interface Props {
  id: string;
  label: string;
  /** whether the label is a heading */
  isSection?: boolean;
  hint?: string;
  /** text of the button */
  submit: string;
  value: string;
  fault: string;
  busy: boolean;
  /** more attributes of the field and the button */
  field?: ComponentProps<"input">;
  button?: ComponentProps<"button">;
  onValue(value: string): void;
  onSubmit(): void;
  /** below the error message */
  children?: ComponentChildren;
}

/** A form with one text field. While `busy` it sends nothing. */
export function TextForm(props: Props) {
  const { id, label, isSection, hint, submit, value, fault, busy, field, button, onValue, onSubmit } = props;
  const isSubmitted = useRef(false);
  useEffect(() => {
    // A fault that comes later, of a poll, does not move what the visitor reads.
    if (fault === "" || !isSubmitted.current) return;
    isSubmitted.current = false;
    document.getElementById(`${id}-fault`)?.scrollIntoView({ block: "nearest" });
  }, [id, fault]);
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault();
        if (busy) return;
        isSubmitted.current = true;
        onSubmit();
      }}
    >
      {isSection ? <h3 id={`${id}-title`}>{label}</h3> : <label for={id}>{label}</label>}
      <div class="row">
        <input
          id={id}
          value={value}
          aria-labelledby={isSection ? `${id}-title` : undefined}
          aria-describedby={`${id}-hint ${id}-fault`}
          onInput={event => onValue(event.currentTarget.value)}
          {...field}
        />
        <button type="submit" aria-disabled={busy} {...button}>
          {submit}
        </button>
      </div>
      <Alert id={`${id}-fault`} text={fault} />
      {hint !== undefined && (
        <p id={`${id}-hint`} class="soft">
          {hint}
        </p>
      )}
      {props.children}
    </form>
  );
}

/** A form for the name of a player. */
export const NameForm = (props: Props) => (
  <TextForm {...props} field={{ maxLength: 64, ...NAME_FIELD, ...props.field }} />
);
