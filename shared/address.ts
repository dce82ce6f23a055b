/** The address without slashes at its end; undefined for a value that is no http address. */
export function address(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = withoutSlashes(value);
  return /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/i.test(url) ? url : undefined;
}

/** A text without blanks around it, and without slashes at its end. */
export function withoutSlashes(text: string): string {
  const url = text.trim();
  let end = url.length;
  while (url[end - 1] === "/") end--;
  return url.slice(0, end);
}
