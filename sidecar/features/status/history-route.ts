import { HISTORY_SPANS, type HistorySpan } from "../../../shared/public/words.ts";
import type { Route, WorldDeps } from "../../kernel/http/deps.ts";
import { sendError } from "../../kernel/http/errors.ts";
import { prepareChanging, sendPrepared } from "../../kernel/http/prepared.ts";
import { readParameters } from "../../kernel/http/query.ts";

/** The span that is asked for, the last hour where none is; undefined where it is none of them, or the query has something else. */
function readSpan(url: string): HistorySpan | undefined {
  const query = readParameters(url, ["for"]);
  return query && HISTORY_SPANS.find(each => each === (query.get("for") ?? "1h"));
}

/** `GET /history`: what the snapshots showed. Made once for each change. */
export function historyRoute({ world: { history } }: WorldDeps): Route<"history"> {
  const prepare = () => prepareChanging(history.data().intervalMs);
  const answers = { "1h": prepare(), "1d": prepare(), "7d": prepare(), "30d": prepare(), "365d": prepare() };
  return (req, res) => {
    const span = readSpan(req.url);
    if (span === undefined) return sendError(res, "invalid_query");
    sendPrepared(answers[span](span === "1h" ? history.data() : history.means(span)), req, res);
  };
}
