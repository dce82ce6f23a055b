/** The address of a part of the page that is loaded later: the build has written it into the page. `name`: without its hash. */
export function partAddress(name: string): string | undefined {
  const all = document.querySelector<HTMLMetaElement>('meta[name="parts"]')?.content ?? "";
  const path = all.split(" ").find(one => one.includes(`assets/${name}.`));
  return path && new URL(path, document.baseURI).href;
}
