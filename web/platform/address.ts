import type { HistorySpan } from "../../client/index.ts";

/** Spans of time that the plots can show. */
export const SPANS = ["1h", "1d", "7d", "30d", "365d"] as const satisfies readonly HistorySpan[];

const read = (parameter: string): string | null => new URLSearchParams(location.search).get(parameter);

/** Sets a parameter of the page's address, or removes it, without loading the page again. */
function write(parameter: string, value: string | undefined): void {
  const address = new URL(location.href);
  if (value === undefined) address.searchParams.delete(parameter);
  else address.searchParams.set(parameter, value);
  history.replaceState(history.state, "", address);
}

/** The game server that the address names, which may not exist. */
export const serverInAddress = (): string | null => read("server");
export const setServerInAddress = (server: string): void => write("server", server);

/** The span of time of the plots that the address names; undefined where it names none: the plots are closed. */
export const spanInAddress = (): HistorySpan | undefined => SPANS.find(span => span === read("for"));
export const setSpanInAddress = (span: HistorySpan | undefined): void => write("for", span);
