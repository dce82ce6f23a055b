import { check } from "../../../shared/guard.ts";
import { auditEntry } from "../../../shared/public/moderation.ts";
import type { Result } from "../../../shared/result.ts";
import { json } from "../../kernel/http/answer.ts";
import { type QueryFault, queryFault, readParameters } from "../../kernel/http/body.ts";
import { queryParameter, WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorWith } from "../../kernel/http/errors.ts";
import { withKey } from "../../kernel/http/keys.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { AuditReader } from "./audit.ts";

const [USUAL_LIMIT, MAX_LIMIT] = [50, 200];

/** How many entries a request asks for. */
function readLimit(url: string): Result<number, QueryFault> {
  const read = readParameters(url, ["limit"]);
  if ("fault" in read) return read;
  const limit = read.value.get("limit") ?? `${USUAL_LIMIT}`;
  return /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MAX_LIMIT
    ? { value: Number(limit) }
    : queryFault("limit", `a whole number from 1 to ${MAX_LIMIT}`);
}

export interface AuditRoutesDeps {
  auditReader: AuditReader;
}

export const auditRoutes = routes("Moderation", {
  getAudit: route(
    "GET /audit",
    {
      summary: "What was done with keys and by moderators",
      description: `The newest entries of the audit log, newest first: changes that were made or tried, and sign-ins to other sites. Of several sidecars, those of the one that responds. ${WITHOUT_GAME}`,
      auth: withKey("audit:read"),
      parameters: [
        queryParameter(
          "limit",
          `How many entries, 1 to ${MAX_LIMIT}; ${USUAL_LIMIT} without it.`,
          { type: "integer", minimum: 1, maximum: MAX_LIMIT },
          20,
        ),
      ],
      answers: { 200: { description: "The entries.", body: "AuditEntries" } },
      errors: ["invalid_query", "unexpected_result"],
    },
    ({ auditReader }: AuditRoutesDeps) =>
      async ({ req }) => {
        const limit = readLimit(req.url);
        if ("fault" in limit) return errorWith("invalid_query", limit.fault);
        const lines = await auditReader.newest(limit.value);
        return json(
          lines.flatMap(line => {
            const entry = check(auditEntry, line);
            return "value" in entry ? [entry.value] : [];
          }),
        );
      },
  ),
});
