import type { ComponentChildren } from "preact";

interface Props {
  /** for screen readers, where the text alone is ambiguous */
  label?: string;
  busy?: boolean;
  onClick(): void;
  children: ComponentChildren;
}

/** A secondary button. While `busy` it keeps the focus and does nothing. */
export const QuietButton = ({ label, busy, onClick, children }: Props) => (
  <button
    type="button"
    class="quiet"
    aria-label={label}
    aria-disabled={busy}
    onClick={() => busy || onClick()}
  >
    {children}
  </button>
);
