/** The address without trailing slashes; undefined for anything but an http(s) address. */
export function address(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = withoutSlashes(value);
  return /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/i.test(url) ? url : undefined;
}

/** A trimmed text without trailing slashes. */
export function withoutSlashes(text: string): string {
  const url = text.trim();
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}
