import type { HistorySpan } from "../../client/index.ts";

/** Names a game server in the address of the page. */
const SERVER = "server";
/** Names a span of time there. */
const SPAN = "for";

/** Spans of time that the plots can show. */
export const SPANS = ["1h", "1d", "7d", "30d", "365d"] as const satisfies readonly HistorySpan[];

const named = (what: string): string | null => new URLSearchParams(location.search).get(what);

/** Has the address of the page name something, or not any more, without loading the page anew. */
function name(what: string, value: string | undefined): void {
  const address = new URL(location.href);
  if (value === undefined) address.searchParams.delete(what);
  else address.searchParams.set(what, value);
  history.replaceState(history.state, "", address);
}

/** The game server that the address of the page names, which may not be there. */
export const namedServer = (): string | null => named(SERVER);
export const nameServer = (server: string): void => name(SERVER, server);

/** The span of time that the address of the page names; the last hour where it names none. */
export const namedSpan = (): HistorySpan => SPANS.find(span => span === named(SPAN)) ?? "1h";
export const nameSpan = (span: HistorySpan): void => name(SPAN, span === "1h" ? undefined : span);
