import { check } from "../../../shared/guard.ts";
import { auditEntry } from "../../../shared/public/moderation.ts";
import { json } from "../../kernel/http/answer.ts";
import { WITHOUT_GAME } from "../../kernel/http/description.ts";
import { errorWith } from "../../kernel/http/errors.ts";
import { withKey } from "../../kernel/http/keys.ts";
import { limitParameter, readLimit, readParameters } from "../../kernel/http/query.ts";
import { route, routes } from "../../kernel/http/route.ts";
import type { AuditReader } from "./audit.ts";

export interface AuditRoutesDeps {
  auditReader: AuditReader;
}

export const auditRoutes = routes("Moderation", {
  getAudit: route(
    "GET /audit",
    {
      summary: "Recent actions by keys and moderators",
      description: `The newest entries of the audit log, newest first: changes that were made or tried, and sign-ins to other sites. Of several sidecars, those of the one that responds. ${WITHOUT_GAME}`,
      auth: withKey("audit:read"),
      parameters: [limitParameter("entries")],
      answers: { 200: { description: "The entries.", body: "AuditEntries" } },
      errors: ["invalid_query", "unexpected_result"],
    },
    ({ auditReader }: AuditRoutesDeps) =>
      async ({ req }) => {
        const read = readParameters(req.url, ["limit"]);
        const limit = "fault" in read ? read : readLimit(read.value);
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
