import { type Kind, text } from "./kind.ts";

/** Longest of these texts, in characters. */
const URLS_LENGTH = 4_096;
const NAME_LENGTH = 64;
const LOGIN_LENGTH = 512;

/** Whether each `%` begins the code of a character. */
function isEncoded(written: string): boolean {
  try {
    return decodeURIComponent(written) !== undefined;
  } catch {
    return false;
  }
}

function isAddress(written: string): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(written);
  return (
    [username, password].every(isEncoded) &&
    (protocol === "redis:" || protocol === "rediss:") &&
    hostname !== "" &&
    /^\/?\d*$/.test(pathname) &&
    search === "" &&
    hash === ""
  );
}

const addresses = text(
  "an address such as redis://user:password@redis.example:6379, or several with commas between",
  value =>
    value === "" || (value.length <= URLS_LENGTH && value.split(",").every(each => isAddress(each.trim()))),
);

/** `redis://` or `rediss://`, each perhaps with user, password, port and number of the database. */
export const redisUrls: Kind<string> = {
  ...addresses,
  read: (raw, folder) => {
    const result = addresses.read(raw, folder);
    const signs = "fault" in result && typeof raw === "string" ? rawSigns(raw) : [];
    if (signs.length === 0) return result;
    const written = signs.map(sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()} instead of ${sign}`);
    return { fault: `${written.join(" and ")} in its user and password` };
  },
};

/** Characters that end user and password in an address unless they are encoded. */
function rawSigns(written: string): string[] {
  const users = written
    .split(/,(?=\s*rediss?:\/\/)/i)
    .map(each => /^\s*rediss?:\/\/(.*)@/is.exec(each)?.[1] ?? "");
  const signs = users.flatMap(user => [...(user.match(/[#/,?]/g) ?? []), ...(isEncoded(user) ? [] : ["%"])]);
  return [...new Set(signs)];
}

export const redisPrefix = text(
  `1 to ${NAME_LENGTH} letters, digits and any of . _ -`,
  value => value.length <= NAME_LENGTH && /^[\w.-]+$/.test(value),
);

export const redisName = text(
  `at most ${NAME_LENGTH} letters, digits and any of . _ -; blank for none`,
  value => value.length <= NAME_LENGTH && /^[\w.-]*$/.test(value),
);

export const redisLogin = text(
  `at most ${LOGIN_LENGTH} characters; blank for none`,
  value => value.length <= LOGIN_LENGTH,
);
