import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { announce } from "../ui/announce.tsx";
import { OneOf } from "../ui/one-of.tsx";

/** What the page shows once it has copied, and for how long, in milliseconds. */
const DONE = "✓";
const SAID_MS = 3_000;

/** What a player types to join, to copy where the browser lets a page do that; else it is selected. */
export function Join({ address }: { address: string }) {
  const shown = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address);
      setIsCopied(true);
      announce(texts.copied);
    } catch {
      if (shown.current) getSelection()?.selectAllChildren(shown.current);
    }
  };
  return (
    <p class="join">
      {texts.join} <code ref={shown}>{address}</code>
      {window.isSecureContext && (
        <button type="button" class="quiet" aria-label={texts.copy} onClick={copy}>
          <OneOf texts={[texts.copy, DONE]} shown={isCopied ? DONE : texts.copy} />
        </button>
      )}
    </p>
  );
}
