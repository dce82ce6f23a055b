import { useEffect, useRef } from "preact/hooks";
import type { Known } from "./known/known-players.ts";
import { type Page, playerHash, type View } from "./platform/route.ts";
import { texts } from "./platform/texts.ts";
import { announce } from "./ui/announce.tsx";

/** Where the focus is when whatever had it is gone, or when it was put nowhere else. */
const isNowhere = (): boolean =>
  document.activeElement === document.body || document.activeElement?.id === "content";

/** Has the beginning be seen of what is shown. */
function begin(view: View): void {
  if (view === "online") scrollTo(0, 0);
  else document.getElementById("players")?.scrollIntoView();
}

/**
 * Has whoever comes to another page see its beginning, and whoever comes back from that of a player what led there; whoever opens
 * the page at a view sees that. `isShown`: there is something to see.
 */
export function useArrival(page: Page, view: View, known: Known | undefined, isShown: boolean): void {
  const before = useRef({ page, view, uuid: "" });
  const uuid = page === "player" ? (known?.place.uuid ?? "") : "";
  useEffect(() => {
    const from = before.current;
    before.current = { page, view, uuid };
    if (from.page === page && from.view === view && from.uuid === uuid) return;
    announce(page === "overview" && view !== "online" ? texts.views[view] : texts[page]);
    if (from.page === page && from.uuid === uuid) return;
    const isBack = isNowhere() && (view === "online" || known?.listing.isOld === false);
    const link =
      isBack && document.querySelector<HTMLElement>(`a[href="${CSS.escape(playerHash(from.uuid))}"]`);
    if (link) {
      link.scrollIntoView({ block: "center" });
      link.focus({ preventScroll: true });
      return;
    }
    begin(view);
    // What led there is gone.
    if (page === "player") document.getElementById("content")?.focus({ preventScroll: true });
  }, [page, view, uuid]);

  const hasArrived = useRef(false);
  const isThere = isShown && (view === "online" || known?.listing.isOld === false);
  useEffect(() => {
    if (!isThere || hasArrived.current) return;
    hasArrived.current = true;
    if (view !== "online") begin(view);
  }, [isThere]);
}
