import { stringify } from "yaml";
import { sha256Of } from "../../sidecar/config/admin-keys.ts";
import { unexpected } from "../../sidecar/config/kind.ts";
import { clientId, clientName, redirectUri } from "../../sidecar/config/sign-in.ts";
import { addEntry, newSecret } from "./config-entry.ts";

interface Site {
  id: string;
  name: string | undefined;
  redirects: readonly string[];
  /** whether it cannot keep a secret, such as a page without a server */
  isPublic: boolean;
}

export function siteFault({ id, name, redirects }: Site): string | undefined {
  if ("fault" in clientId.read(id, "")) return `--sign-in: ${unexpected(clientId, id)}`;
  if (name === undefined || "fault" in clientName.read(name, ""))
    return `--name: ${unexpected(clientName, name)}`;
  if (redirects.length === 0) return "--redirect: expected at least one";
  const wrong = redirects.find(each => "fault" in redirectUri.read(each, ""));
  return wrong === undefined ? undefined : `--redirect: ${unexpected(redirectUri, wrong)}`;
}

/** Makes the entry of a site that uses sign-in, and shows its secret once. Returns the exit code. */
export function makeSite(
  { id, name, redirects, isPublic }: Site,
  how: { write: boolean; config: string },
): number {
  const secret = newSecret("wbs_");
  const entry = {
    id,
    name,
    "redirect-uris": [...redirects],
    ...(!isPublic && { "secret-sha256": sha256Of(secret) }),
  };
  const secretText = isPublic
    ? `${id} has no secret: it is a public site.`
    : `The secret of ${id}, shown only this once:

  ${secret}`;
  return addEntry(
    {
      list: "sign-in.clients",
      name: id,
      entry,
      secret: secretText,
      gap: "\n\n",
      block: stringify({ "sign-in": { clients: [entry] } }, { lineWidth: 0 }),
      after: "It takes effect after a restart. To remove the site, remove the entry.",
    },
    how,
  );
}
