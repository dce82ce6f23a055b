import { useEffect, useRef, useState } from "preact/hooks";
import { texts } from "../platform/texts.ts";
import { announce } from "../ui/announce.tsx";
import { FixedSizeText } from "../ui/fixed-size-text.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import { joinLink, partsOf } from "./join-link.ts";

/** What the button shows after copying, and for how long, in milliseconds. */
const DONE = "✓";
const DONE_MS = 3_000;

/** Copies a text. Browsers give the clipboard to pages over HTTPS only; elsewhere the selected text is copied. */
async function wasCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

/** A value with a button that copies it; where the browser does not allow that, it selects it. */
function CopyField({ name, value }: { name: string; value: string }) {
  const code = useRef<HTMLElement>(null);
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), DONE_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    if (code.current) getSelection()?.selectAllChildren(code.current);
    if (!(await wasCopied(value))) return;
    setIsCopied(true);
    announce(texts.copied);
  };
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code ref={code}>{value}</code>
        <QuietButton label={`${texts.copy}: ${name}`} onClick={() => void copy()}>
          <FixedSizeText texts={[texts.copy, DONE]} current={isCopied ? DONE : texts.copy} />
        </QuietButton>
      </dd>
    </div>
  );
}

/** How players join: the address, and once opened what to copy and a link that adds the server in Minecraft. */
export function Join({ title, address }: { title: string; address: string }) {
  const { host, port } = partsOf(address);
  return (
    <details class="join">
      <summary>
        <span class="verb">{texts.join.title}</span> <bdi class="address">{address}</bdi>
      </summary>
      <div class="ways">
        <dl>
          <CopyField name={texts.join.address} value={host} />
          <CopyField name={texts.join.port} value={port} />
        </dl>
        <p>
          <a class="button" href={joinLink(title, address)}>
            {texts.join.add}
          </a>
          <span class="soft">{texts.join.addHint}</span>
        </p>
        <p class="soft">{texts.join.consoles}</p>
      </div>
    </details>
  );
}
