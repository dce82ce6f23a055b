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

/** The span of time that the address names; the last hour where it names none. */
export const spanInAddress = (): HistorySpan => SPANS.find(span => span === read("for")) ?? "1h";
export const setSpanInAddress = (span: HistorySpan): void => write("for", span === "1h" ? undefined : span);
