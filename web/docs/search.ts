/** Parts that the search has opened, which it closes again. */
const opened = new Set<HTMLDetailsElement>();

const all = <T extends Element>(selector: string): T[] => [...document.querySelectorAll<T>(selector)];

function open(details: HTMLDetailsElement): void {
  if (details.open) return;
  details.open = true;
  opened.add(details);
}

/** Shows only the entries that contain every word; all of them for an empty search. Returns how many there are. */
function show(words: readonly string[], texts: ReadonlyMap<HTMLElement, string>): number {
  for (const details of opened) details.open = false;
  opened.clear();
  const hits = [...texts].flatMap(([entry, text]) => {
    const isHit = words.every(word => text.includes(word));
    entry.hidden = !isHit;
    return isHit ? [entry] : [];
  });
  for (const group of all<HTMLElement>(".group")) {
    const isEmpty = group.querySelector(".entry:not([hidden])") === null;
    group.hidden = isEmpty;
    if (words.length > 0 && !isEmpty && group instanceof HTMLDetailsElement) open(group);
  }
  const [hit] = hits;
  if (words.length > 0 && hits.length === 1 && hit instanceof HTMLDetailsElement) open(hit);
  return hits.length;
}

/** What an address names after its `#`; that itself where its `%` are malformed. */
function targetOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}

/** Opens the part that the address names, also in browsers that do not, and where the search hides it. */
function openTarget(clear: () => void): void {
  const target = document.getElementById(targetOf(location.hash));
  if (!target) return;
  if (target.closest("[hidden]")) clear();
  for (let at = target.closest("details"); at; at = at.parentElement?.closest("details") ?? null)
    at.open = true;
  target.scrollIntoView();
}

/** Opens every part for as long as the page is printed. */
function openForPrinting(): void {
  let closed: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    closed = all<HTMLDetailsElement>("details:not([open])");
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
}

/** Sets up the search field, links to closed parts, and printing. */
export function setUpSearch(): void {
  const box = document.querySelector<HTMLElement>(".search");
  const input = box?.querySelector("input");
  const status = box?.querySelector('[role="status"]');
  if (!box || !input || !status) return;
  const texts = new Map(
    all<HTMLElement>(".entry").map(entry => [entry, entry.textContent.toLowerCase()] as const),
  );
  const search = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const count = show(words, texts);
    status.textContent =
      words.length === 0 ? "" : count === 0 ? "No results" : `${count} result${count === 1 ? "" : "s"}`;
  };
  input.addEventListener("input", search);
  const clear = (): void => {
    input.value = "";
    search();
  };
  box.hidden = false;
  openForPrinting();
  openTarget(clear);
  addEventListener("hashchange", () => openTarget(clear));
}
