import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import { type Place, placeOf } from "./route.ts";

/** Follows where somebody is in the page. `replace`: has the address say another place, in the stead of this one. */
export function usePlace(): [place: Place, replace: (hash: string) => void] {
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
  return [useMemo(() => placeOf(hash), [hash]), replace];
}
