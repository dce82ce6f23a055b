import { announce } from "./announce.tsx";
import { texts } from "./texts.ts";

/** What a player types to join, to copy where the browser lets a page do that. */
export function Join({ address }: { address: string }) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(address);
    announce(texts.copied);
  };
  return (
    <p class="join">
      {texts.join} <code>{address}</code>
      {window.isSecureContext && (
        <button type="button" class="quiet" onClick={() => void copy().catch(() => undefined)}>
          {texts.copy}
        </button>
      )}
    </p>
  );
}
