/** The address without slashes at its end; undefined when it is none. */
export function address(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const url = value.trim().replace(/\/+$/, "");
  return /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/i.test(url) ? url : undefined;
}
