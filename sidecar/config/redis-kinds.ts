import { text } from "./kind.ts";

/** Longest of these texts, in characters. */
const URLS_LENGTH = 4_096;
const NAME_LENGTH = 64;

/** Addresses of Redis in the order written. */
export const splitUrls = (written: string): URL[] =>
  written === "" ? [] : written.split(",").map(each => new URL(each.trim()));

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

/** `redis://` or `rediss://`, each perhaps with user, password, port and number of the database. */
export const redisUrls = text(
  "an address such as redis://user:password@redis.example:6379, or several with commas between",
  value =>
    value === "" || (value.length <= URLS_LENGTH && value.split(",").every(each => isAddress(each.trim()))),
);

export const redisPrefix = text(
  `1 to ${NAME_LENGTH} letters, digits and any of . _ -`,
  value => value.length <= NAME_LENGTH && /^[\w.-]+$/.test(value),
);

export const redisName = text(
  `at most ${NAME_LENGTH} letters, digits and any of . _ -; blank for none`,
  value => value.length <= NAME_LENGTH && /^[\w.-]*$/.test(value),
);
