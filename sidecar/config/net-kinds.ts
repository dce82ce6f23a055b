import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import proxyAddr from "proxy-addr";
import { commaList, hidden, type Kind, listText, text, UNEXPECTED } from "./kind.ts";

/** Names in any script, also with a dot at their end, as browsers accept them. */
const isHost = (value: string): boolean =>
  isIP(value) !== 0 ||
  (value.length <= 253 &&
    !/[\s/?#@\\%:]/.test(value) &&
    /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?\.?$/.test(domainToASCII(value)));

/** An address or a host name to listen on. */
export const host = text("an IP address or a host name, without scheme, port and brackets", isHost);

/** Names by which clients call a service. */
export const hosts: Kind<string[]> = {
  expected: "a list of IP addresses and host names, without scheme, port and brackets",
  read: raw => (isTextList(raw) && raw.every(isHost) ? { value: raw } : UNEXPECTED),
  fromText: listText,
};

const ORIGIN = "an exact origin such as https://example.com or http://localhost:3000";

/** A name or an address as in an origin; names in other scripts appear there as `xn--`. */
const HOST_NAME = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** The origin of an app in a web view, such as capacitor://localhost, or of a browser extension. */
const APP_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[\w.-]+(:\d{1,5})?$/;
/** Schemes that no app uses, or without an origin. */
const NO_APP = /^(https?|wss?|ftp|file|data|blob|about|javascript):/;

/** Exact web origins. Anything that could match more than one of them is rejected. */
export const origins: Kind<string[]> = {
  expected: "a list of exact origins such as https://example.com, without wildcard, path or trailing slash",
  read: raw => {
    if (!Array.isArray(raw)) return UNEXPECTED;
    const fault = raw.map(originFault).find(each => each !== undefined);
    return fault === undefined ? { value: [...new Set<string>(raw)] } : { fault };
  },
  fromText: listText,
};

function originFault(value: unknown): string | undefined {
  const quoted = JSON.stringify(value);
  if (typeof value !== "string") return `${ORIGIN}, not ${quoted}`;
  if (value.includes("*")) return `${ORIGIN}; wildcards such as ${quoted} are not allowed`;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (APP_ORIGIN.test(value) && !NO_APP.test(value)) return undefined;
  if (url === undefined || !/^https?:\/\//i.test(value)) return `${ORIGIN}, not ${quoted}`;
  if (url.username !== "" || url.password !== "") return `${ORIGIN}, without user and password`;
  // Characters that URLs allow in a name, such as a comma, would end the list in a header.
  if (!HOST_NAME.test(url.hostname)) return `${ORIGIN}, not ${quoted}`;
  return url.origin === value ? undefined : `${ORIGIN}; write "${url.origin}" instead of ${quoted}`;
}

/** Express's setting `trust proxy`: on, off, a number of hops, or addresses of trusted proxies. */
export const trustProxy: Kind<boolean | number | string[]> = {
  expected:
    "false, true, a number of proxies, or a list of addresses, subnets, loopback, linklocal and uniquelocal",
  read: raw => {
    if (typeof raw === "boolean") return { value: raw };
    if (typeof raw === "number") return Number.isInteger(raw) && raw >= 0 ? { value: raw } : UNEXPECTED;
    const parts = typeof raw === "string" ? commaList(raw) : raw;
    if (!isTextList(parts) || parts.length === 0) return UNEXPECTED;
    try {
      proxyAddr.compile(parts);
      return { value: parts };
    } catch {
      return UNEXPECTED;
    }
  },
  fromText: written => {
    const value = written.trim();
    if (value === "true" || value === "false") return value === "true";
    if (value.startsWith("[")) return listText(value);
    return /^\d+$/.test(value) ? Number(value) : value;
  },
};

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(part => typeof part === "string");

/** Name of a cookie: a token as HTTP defines it. */
export const cookieName = text(
  "a cookie name of at most 64 letters, digits and any of !#$%&'*+-.^_`|~",
  value => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/.test(value),
);

/** A key that a client sends in a header. Blanks alone count as none. */
export const headerKey: Kind<string> = {
  expected:
    "text in quotes, of at most 512 printable ASCII characters, without a space at its start or end; blank for none",
  read: raw => {
    if (typeof raw !== "string") return UNEXPECTED;
    if (raw.trim() === "") return { value: "" };
    return /^[!-~]([ -~]{0,510}[!-~])?$/.test(raw) ? { value: raw } : UNEXPECTED;
  },
};

/** Whether a text can be the secret that pack and sidecar share. */
export const isBridgeToken = (value: string): boolean => /^[!-~]{1,512}$/.test(value);

export const BRIDGE_TOKEN = "1 to 512 printable ASCII characters without spaces";

export const bridgeToken = text(
  `text in quotes, of ${BRIDGE_TOKEN}; empty to have one made`,
  value => value === "" || isBridgeToken(value),
);

/** Who may read public data: any website, or blank for only the listed ones. */
export const publicOrigins: Kind<"" | "*"> = {
  expected: '"*" in quotes, or blank',
  read: raw => (raw === "" || raw === "*" ? { value: raw } : UNEXPECTED),
};

/** An address for requests. It is printed without its path, which may be a secret, as at Discord. */
export const requestUrl: Kind<string> = {
  expected:
    "an address such as https://example.com/path, of at most 2048 characters, without user and password",
  display: raw => (typeof raw === "string" && URL.canParse(raw) ? new URL(raw).origin : hidden()),
  read: raw => {
    const parsed =
      typeof raw === "string" && raw.length <= 2048 && URL.canParse(raw) ? new URL(raw) : undefined;
    if (
      parsed === undefined ||
      !/^https?:$/.test(parsed.protocol) ||
      parsed.username + parsed.password !== ""
    )
      return UNEXPECTED;
    parsed.hash = "";
    return { value: parsed.href };
  },
};

/** Such an address, or blank for none. */
export const requestUrlOrBlank: Kind<string> = {
  ...requestUrl,
  expected: `${requestUrl.expected}; blank for none`,
  read: (raw, folder) => (raw === "" ? { value: "" } : requestUrl.read(raw, folder)),
};
