import { useEffect, useRef, useState } from "preact/hooks";
import { BEGINNING_LENGTH, hashOf, SORTS } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { NAME_FIELD } from "../ui/text-form.tsx";
import type { KnownPlayersState } from "./known-players.ts";
import { sortTitle } from "./player-figures.tsx";

/** How long after the last letter a search begins, in milliseconds. */
const TYPING_MS = 250;

/** Fields to search and sort known players; the address holds both values. */
export function PlayerSearch({
  route: { name, sort },
  replace,
}: Pick<KnownPlayersState, "route" | "replace">) {
  const [typed, setTyped] = useState(name);
  /** the name that was put into the address last */
  const sent = useRef(name);
  /** the order while nothing is searched for */
  const order = useRef(sort);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  if (name === "") order.current = sort;
  useEffect(() => {
    if (name !== sent.current) setTyped(name);
    sent.current = name;
  }, [name]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(text: string): void {
    clearTimeout(timer.current);
    const beginning = text.trimStart();
    if (beginning === sent.current) return;
    sent.current = beginning;
    replace(hashOf("everybody", order.current, beginning));
  }

  return (
    <form
      class="known-search"
      onSubmit={event => {
        event.preventDefault();
        search(typed);
      }}
    >
      <div>
        <label for="beginning">{texts.searchName}</label>
        <input
          id="beginning"
          type="search"
          value={typed}
          maxLength={BEGINNING_LENGTH}
          {...NAME_FIELD}
          enterkeyhint="search"
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(value), TYPING_MS);
          }}
        />
      </div>
      <div>
        <label for="sorted">{texts.sortedBy}</label>
        {/* Found names come in their own order. */}
        <select
          id="sorted"
          value={name === "" ? sort : "name"}
          disabled={name !== ""}
          onChange={({ currentTarget: { value } }) => {
            const chosen = SORTS.everybody.find(one => one === value);
            location.hash = hashOf("everybody", chosen);
          }}
        >
          {SORTS.everybody.map(one => (
            <option key={one} value={one}>
              {sortTitle(one)}
            </option>
          ))}
        </select>
      </div>
    </form>
  );
}
