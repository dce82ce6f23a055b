import { useEffect, useRef } from "preact/hooks";
import type { KnownPlayersState } from "./known/known-players.ts";
import { isFocusLost } from "./platform/hooks.ts";
import { type Page, playerHash, type View } from "./platform/route.ts";
import { texts } from "./platform/texts.ts";
import { announce } from "./ui/announce.tsx";

function scrollToStart(view: View): void {
  if (view === "online") scrollTo(0, 0);
  else document.getElementById("players")?.scrollIntoView();
}

/**
 * Scrolls and moves the focus after navigation: to the start of the new page, or back to the link that led to the page of a
 * player. A page that is opened at a view scrolls to it. `isVisible`: the page has content.
 */
export function useNavigationFocus(
  page: Page,
  view: View,
  known: KnownPlayersState | undefined,
  isVisible: boolean,
): void {
  const before = useRef({ page, view, uuid: "" });
  const uuid = page === "player" ? (known?.route.uuid ?? "") : "";
  const isLoaded = view === "online" || known?.listing.isOld === false;
  useEffect(() => {
    const from = before.current;
    before.current = { page, view, uuid };
    if (from.page === page && from.view === view && from.uuid === uuid) return;
    announce(page === "overview" && view !== "online" ? texts.views[view] : texts[page]);
    if (from.page === page && from.uuid === uuid) return;
    const hasFocus = !isFocusLost() && document.activeElement?.id !== "content";
    const selector = `a[href="${CSS.escape(playerHash(from.uuid))}"]`;
    const link = !hasFocus && isLoaded && document.querySelector<HTMLElement>(selector);
    if (link) {
      link.scrollIntoView({ block: "center" });
      link.focus({ preventScroll: true });
      return;
    }
    scrollToStart(view);
    // The link that led there is gone.
    if (page === "player") document.getElementById("content")?.focus({ preventScroll: true });
  }, [page, view, uuid]);

  const hasOpened = useRef(false);
  const canOpen = isVisible && isLoaded;
  useEffect(() => {
    if (!canOpen || hasOpened.current) return;
    hasOpened.current = true;
    if (view !== "online") scrollToStart(view);
  }, [canOpen]);
}
