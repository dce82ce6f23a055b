import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { KnownSites } from "../../client/types.ts";
import * as format from "../platform/format.ts";
import { usePolling } from "../platform/hooks.ts";
import { explain, texts } from "../platform/texts.ts";
import { ANSWER_MS, client } from "../service/service.ts";
import { announce } from "../ui/announce.tsx";
import type { Fault } from "./link-state.ts";

const ASK_EVERY_MS = 10_000;

/** Sites that were told who the linked player is, each of which may be ended; nothing where there are none. */
export function Sites() {
  const [sites, setSites] = useState<KnownSites>([]);
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const [ending, setEnding] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  /** grows with each end: a list that was asked for before is old */
  const ends = useRef(0);

  const ask = useCallback(async () => {
    const { current: before } = ends;
    const answer = await client.sites({ timeoutMs: ANSWER_MS });
    // Why nothing can be asked at the moment, the link above says.
    if (answer.ok && ends.current === before) setSites(answer.value);
  }, []);
  usePolling(ASK_EVERY_MS, ask);

  async function end({ id, name }: KnownSites[number]): Promise<void> {
    if (ending !== "") return;
    setEnding(id);
    const answer = await client.endSite(id, { timeoutMs: ANSWER_MS });
    ends.current++;
    setEnding("");
    // Another tab may have ended it.
    const isEnded = answer.ok || answer.code === "not_found";
    setFault(isEnded ? undefined : answer);
    if (!isEnded) return;
    setSites(all => all.filter(site => site.id !== id));
    announce(texts.sites.ended(name));
  }
  // The button that had the focus is gone.
  const { length } = sites;
  const before = useRef(length);
  useEffect(() => {
    if (length < before.current && document.activeElement === document.body) title.current?.focus();
    before.current = length;
  }, [length]);

  if (length === 0) return null;
  return (
    <section class="sites" aria-labelledby="sites-title">
      <h3 id="sites-title" ref={title} tabIndex={-1}>
        {texts.sites.title}
      </h3>
      <p class="soft">{texts.sites.hint}</p>
      <ul class="names">
        {sites.map(site => (
          <li key={site.id}>
            <span>
              <bdi>{site.name}</bdi> <span class="soft">{format.day(site.at)}</span>
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={texts.sites.endOf(site.name)}
              aria-disabled={ending !== ""}
              onClick={() => void end(site)}
            >
              {texts.sites.end}
            </button>
          </li>
        ))}
      </ul>
      <p class="fault" role="alert">
        {fault ? explain(fault.code, fault.retryAfter) : ""}
      </p>
    </section>
  );
}
