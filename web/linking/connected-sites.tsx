import { useCallback, useRef, useState } from "preact/hooks";
import type { KnownSites } from "../../client/types.ts";
import * as format from "../platform/format.ts";
import { isFocusLost, useChange, usePolling } from "../platform/hooks.ts";
import { explain, type Fault, texts } from "../platform/texts.ts";
import { ANSWER_MS, client } from "../service/service.ts";
import { Alert } from "../ui/alert.tsx";
import { announce } from "../ui/announce.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";

const POLL_MS = 10_000;

/** Sites that know the linked player, with buttons that disconnect them; nothing where there are none. */
export function ConnectedSites() {
  const [sites, setSites] = useState<KnownSites>([]);
  const [fault, setFault] = useState<Fault | undefined>(undefined);
  const [endingId, setEndingId] = useState("");
  const title = useRef<HTMLHeadingElement>(null);
  /** grows with each site that is disconnected: a list that was read before is old */
  const version = useRef(0);

  const poll = useCallback(async () => {
    const { current: before } = version;
    const answer = await client.sites({ timeoutMs: ANSWER_MS });
    // The link above shows failures.
    if (answer.ok && version.current === before) setSites(answer.value);
  }, []);
  usePolling(POLL_MS, poll);

  async function end({ id, name }: KnownSites[number]): Promise<void> {
    setEndingId(id);
    const answer = await client.endSite(id, { timeoutMs: ANSWER_MS });
    version.current++;
    setEndingId("");
    // Another tab may have disconnected it.
    const isEnded = answer.ok || answer.code === "not_found";
    setFault(isEnded ? undefined : answer);
    if (!isEnded) return;
    setSites(all => all.filter(site => site.id !== id));
    announce(texts.sites.ended(name));
  }
  const { length } = sites;
  useChange(length, before => {
    if (length < before && isFocusLost()) title.current?.focus();
  });

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
            <QuietButton
              label={texts.sites.endOf(site.name)}
              busy={endingId !== ""}
              onClick={() => void end(site)}
            >
              {texts.sites.end}
            </QuietButton>
          </li>
        ))}
      </ul>
      <Alert text={explain(fault)} />
    </section>
  );
}
