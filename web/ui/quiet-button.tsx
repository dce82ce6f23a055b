import type { ComponentChildren } from "preact";

interface Props {
  /** for screen readers, where the text alone is ambiguous */
  label?: string;
  busy?: boolean;
  /** whether its action is harmful */
  isDanger?: boolean;
  onClick(): void;
  children: ComponentChildren;
}

/** A secondary button. While `busy` it keeps the focus and does nothing. */
export const QuietButton = ({ label, busy, isDanger, onClick, children }: Props) => (
  <button
    type="button"
    class={isDanger ? "quiet danger" : "quiet"}
    aria-label={label}
    aria-disabled={busy}
    onClick={() => busy || onClick()}
  >
    {children}
  </button>
);
