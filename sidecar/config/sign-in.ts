import { digestOf } from "./admin-keys.ts";
import { type Kind, orElse, readParts, text, UNEXPECTED } from "./kind.ts";
import { type Item, listOf } from "./objects.ts";

/** Most sites. */
const MAX_CLIENTS = 100;
/** Most redirect addresses of one site. */
const MAX_REDIRECTS = 20;
const LONGEST = 2_048;

const REDIRECT =
  "an exact address such as https://forum.example/signed-in, https://, http:// of a loopback host, or an app's own scheme with a dot such as com.example.app:/signed-in, without wildcard, user, password and #";

/** The scheme of an app, which begins with a domain name of its developer: RFC 8252, section 7.1. */
const APP_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/** A host of a URL that is the machine itself. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A loopback address on which an app may listen. */
const APP_LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$)/;

/** An address that browsers are sent to: over TLS, to the machine itself, or with `withApps` to an app on it. */
function webAddress(value: unknown, withApps = false): URL | undefined {
  if (typeof value !== "string" || value.length > LONGEST || !/^[!-~]+$/.test(value)) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || url.username + url.password !== "" || /[*#\\]/.test(value)) return undefined;
  const isFine =
    url.protocol === "https:" ||
    (url.protocol === "http:" && LOOPBACK.test(url.hostname)) ||
    (withApps && APP_SCHEME.test(url.protocol) && value.startsWith(`${url.protocol}/`));
  return isFine ? url : undefined;
}

/** An address that browsers return to, in the form that browsers use: it is compared exactly with what a site sends. */
export const redirectUri: Kind<string> = {
  expected: REDIRECT,
  display: raw => JSON.stringify(raw),
  read: raw => {
    const url = webAddress(raw, true);
    if (url === undefined || typeof raw !== "string") return UNEXPECTED;
    if (url.href === raw || url.href === `${raw}/`) return { value: raw };
    return { fault: `${REDIRECT}; write "${url.href}"` };
  },
};

const redirectUris: Kind<string[]> = {
  expected: `a list of 1 to ${MAX_REDIRECTS}, each ${REDIRECT}`,
  read: (raw, folder) => {
    if (!Array.isArray(raw) || raw.length === 0 || raw.length > MAX_REDIRECTS) return UNEXPECTED;
    const parts = raw.map((each, index) => ({ at: `[${index}]`, kind: redirectUri, raw: each }));
    const { values, faults } = readParts(parts, folder);
    return faults.length > 0 ? { fault: "", parts: faults } : { value: values };
  },
};

/** The id of a site in addresses. */
export const clientId = text(
  "1 to 64 of a-z, A-Z, 0-9, . _ ~ and -, none of the last four first, such as forum",
  value => /^[A-Za-z0-9][\w.~-]{0,63}$/.test(value),
);

/** The name of a site that players see, also in the game. */
export const clientName = text(
  "text of 1 to 64 characters on one line, without spaces at its ends and without §",
  value =>
    value !== "" && value.length <= 64 && value === value.trim() && !/[\p{C}\p{Zl}\p{Zp}§]/u.test(value),
);

const fields = {
  id: clientId,
  name: clientName,
  redirectUris,
  // Undefined: a site that cannot keep a secret.
  secretSha256: orElse(digestOf("secret"), undefined),
};

/** A site on which players can sign in. */
export type SignInClient = Item<typeof fields>;

export const signInClients = listOf(fields, {
  max: MAX_CLIENTS,
  unique: ["id", "name"],
  // The provider's library takes no other loopback address of an app.
  check: ({ redirectUris }) =>
    redirectUris.some(uri => !/^https?:/.test(uri)) &&
    redirectUris.some(uri => LOOPBACK.test(new URL(uri).hostname) && !APP_LOOPBACK.test(uri))
      ? { key: "redirectUris", expected: "of the loopback hosts http://localhost, 127.0.0.1 and [::1] alone" }
      : undefined,
});

/** The address under which browsers reach the service; blank: none. */
export const issuer: Kind<string> = {
  expected:
    "the address under which browsers reach the service, such as https://play.example.com: https://, or http:// of a loopback host, without slash at its end, ? and #",
  read: raw => {
    if (raw === "") return { value: "" };
    const url = webAddress(raw);
    if (url === undefined || typeof raw !== "string" || /[/?]$|\?/.test(raw)) return UNEXPECTED;
    const asWritten = url.href.replace(/\/$/, "");
    return asWritten === raw ? { value: raw } : { fault: `${issuer.expected}; write "${asWritten}"` };
  },
};
