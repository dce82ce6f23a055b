import { useEffect, useRef, useState } from "preact/hooks";
import { BEGINNING_LENGTH, hashOf, SORTS } from "../platform/route.ts";
import { texts } from "../platform/texts.ts";
import { titleOf } from "./known-figures.tsx";
import type { Known } from "./known-players.ts";

/** Whoever types goes on within that time, in milliseconds. */
const TYPING_MS = 250;

/** What is searched for and sorted by: both are in the address. */
export function KnownSearch({ place: { name, sort }, replace }: Pick<Known, "place" | "replace">) {
  const [typed, setTyped] = useState(name);
  /** what the address was given last */
  const sent = useRef(name);
  /** what it is sorted by where nothing is searched */
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
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
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
        {/* Names that begin so come in the order of names alone. */}
        <select
          id="sorted"
          value={name === "" ? sort : "name"}
          disabled={name !== ""}
          onChange={({ currentTarget: { value } }) => {
            location.hash = hashOf(
              "everybody",
              SORTS.everybody.find(one => one === value),
            );
          }}
        >
          {SORTS.everybody.map(one => (
            <option key={one} value={one}>
              {titleOf(one)}
            </option>
          ))}
        </select>
      </div>
    </form>
  );
}
