import { anything, checkJson, object } from "../../../shared/guard.ts";
import type { Result } from "../../../shared/result.ts";

/** Longest address of a release that is logged, in characters. */
const MAX_PAGE_LENGTH = 200;

/** A release, as its address describes it. */
export interface Release {
  /** such as `1.2.3`; undefined: a pre-release */
  version: string | undefined;
  /** https address of its page */
  page: string | undefined;
}

const answerBody = object({
  tag_name: anything,
  version: anything,
  prerelease: anything,
  html_url: anything,
});

/** Three numbers. What follows a `+` does not count. */
const VERSION = /^v?(\d{1,9}\.\d{1,9}\.\d{1,9})(-[\w.-]+)?(?:\+[\w.-]+)?$/;

/** Reads the "latest release" of a forge's API, with `tag_name`, or `{"version": "1.2.3"}`. */
export function parseRelease(body: string): Result<Release> {
  const read = checkJson(answerBody, body);
  const { tag_name, version, prerelease, html_url } = "value" in read ? read.value : {};
  const written = tag_name ?? version;
  const [matched, number, suffix] = typeof written === "string" ? (VERSION.exec(written) ?? []) : [];
  if (matched === undefined) return { fault: 'neither "tag_name" nor "version" is a version such as 1.2.3' };
  const isFinal = suffix === undefined && prerelease !== true;
  return { value: { version: isFinal ? number : undefined, page: pageOf(html_url) } };
}

/** An address in the form in which it may be logged: without control characters, user and password. */
function pageOf(raw: unknown): string | undefined {
  const url = typeof raw === "string" && URL.canParse(raw) ? new URL(raw) : undefined;
  if (url?.protocol !== "https:" || url.username + url.password !== "") return undefined;
  return url.href.length <= MAX_PAGE_LENGTH ? url.href : undefined;
}

/** Whether a version such as `1.10.0` comes after another. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map(each => each.split(".").map(Number));
  for (const [at, number] of (a ?? []).entries()) {
    const other = b?.[at] ?? 0;
    if (number !== other) return number > other;
  }
  return false;
}
