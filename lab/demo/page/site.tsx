import { useId, useState } from "preact/hooks";
import { useNow } from "../../../web/platform/hooks.ts";
import { type PanelData, UNPLUGGED_MS } from "../panel/protocol.ts";
import { texts } from "./texts.ts";
import type { Send } from "./world-socket.ts";

interface SitePage {
  title: string;
  url: string;
}

const pagesOf = ({ service, cookbook }: PanelData): SitePage[] => [
  { title: texts.console, url: `${service}/` },
  ...cookbook.map(({ file, title }) => ({ title, url: new URL(`/cookbook/${file}`, location.href).href })),
];

/** Interrupts the connections of the website for a while; afterwards it shows what it missed. */
function Unplug({ send }: { send: Send }) {
  const [until, setUntil] = useState(0);
  const left = Math.ceil((until - useNow(500, until > Date.now())) / 1_000);
  const pull = async (): Promise<void> => {
    if (await send({ do: "unplug" })) setUntil(Date.now() + UNPLUGGED_MS);
  };
  return (
    <button type="button" class="quiet unplug" disabled={left > 0} title={texts.unplugHint} onClick={pull}>
      {left > 0 ? texts.unplugged(left) : texts.unplug}
    </button>
  );
}

/** The website: the web console, and the pages of the cookbook. A page stays loaded after it was first shown. */
export function Site({ data, send }: { data: PanelData; send: Send }) {
  const pages = pagesOf(data);
  const [shown, setShown] = useState(0);
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set([0]));
  const id = useId();
  const show = (index: number): void => {
    setShown(index);
    setVisited(new Set([...visited, index]));
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (shown + step + pages.length) % pages.length;
    show(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
    event.preventDefault();
  };
  const url = pages[shown]?.url ?? "";
  return (
    <>
      <div class="tabs" role="tablist" aria-label={texts.pages} onKeyDown={onKey}>
        {pages.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === shown}
            aria-controls={`${id}-page-${index}`}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => show(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="address">
        <span class="sr">{texts.address}: </span>
        <bdi class="url">{url}</bdi>
        <a href={url} target="_blank" rel="noreferrer" title={texts.openAlone}>
          <span class="sr">{texts.openAlone}</span>
          <svg viewBox="0 0 9 9" aria-hidden="true" shape-rendering="crispEdges">
            <path d="M0 1h4v1H1v6h6V5h1v4H0zM5 0h4v4H8V2H7v1H6v1H5v1H4V4h1V3h1V2h1V1H5z" />
          </svg>
        </a>
        <Unplug send={send} />
      </p>
      <div class="frames">
        {pages.map(({ title, url: address }, index) => (
          <div
            key={address}
            role="tabpanel"
            id={`${id}-page-${index}`}
            aria-labelledby={`${id}-tab-${index}`}
            hidden={index !== shown}
          >
            {visited.has(index) && <iframe src={address} title={title} />}
          </div>
        ))}
      </div>
    </>
  );
}
