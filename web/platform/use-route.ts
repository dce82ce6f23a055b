import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type Route, routeOf } from "./route.ts";

/** Follows the route. `replace`: changes the address without a new entry in the history. */
export function useRoute(): [route: Route, replace: (hash: string) => void] {
  const [hash, setHash] = useState(location.hash);
  const follow = useCallback(() => setHash(location.hash), []);
  useEffect(() => {
    // It may have changed before anybody listened.
    follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [follow]);
  const replace = useCallback(
    (to: string) => {
      history.replaceState(history.state, "", to);
      follow();
    },
    [follow],
  );
  return [useMemo(() => routeOf(hash), [hash]), replace];
}
