import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { announce } from "../ui/announce.tsx";
import { FixedSizeText } from "../ui/fixed-size-text.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";

/** What the button shows after copying, and for how long, in milliseconds. */
const DONE = "✓";
const DONE_MS = 3_000;

/** The address that players join by, with a button that copies it; where the browser does not allow that, it selects it. */
export function JoinAddress({ address }: { address: string }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setIsCopied(true);
      announce(texts.copied);
    } catch {
      if (code.current) getSelection()?.selectAllChildren(code.current);
    }
  };
  return (
    <p class="join">
      {texts.join} <code ref={code}>{address}</code>
      {window.isSecureContext && (
        <QuietButton label={texts.copy} onClick={() => void copy()}>
          <FixedSizeText texts={[texts.copy, DONE]} shown={isCopied ? DONE : texts.copy} />
        </QuietButton>
      )}
    </p>
  );
}
