import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { KnownPlayer } from "../../client/index.ts";
import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { hashOf, type KnownView, SORTS, type Sort, VIEWS, type View } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import { PlayerName } from "../players/player-name.tsx";
import { announce } from "../ui/announce.tsx";
import { figuresOf, Seen, titleOf } from "./known-figures.tsx";
import type { Known } from "./known-players.ts";
import { KnownSearch } from "./known-search.tsx";
import type { KnownListing } from "./use-known-list.ts";

const NOW_MS = 30_000;

const titles = (): Record<View, string> => ({ online: texts.offered, ...texts.views });

/** Links of which one leads to where one is. */
function Choices<T extends string>({
  label,
  isWithin = false,
  of,
  chosen,
  titles,
  hashOf,
}: {
  label: string;
  /** whether they choose within a view */
  isWithin?: boolean;
  of: readonly T[];
  chosen: T;
  titles: (one: T) => string;
  hashOf: (one: T) => string;
}) {
  return (
    <ul class={isWithin ? "choices within" : "choices"} aria-label={label}>
      {of.map(one => (
        <li key={one}>
          <a href={hashOf(one)} {...(one === chosen ? { "aria-current": "true" as const } : {})}>
            {titles(one)}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What leads from one view of the players to another. */
export function Views({ chosen }: { chosen: View }) {
  const all = titles();
  return (
    <Choices
      label={texts.players}
      of={VIEWS}
      chosen={chosen}
      titles={one => all[one]}
      hashOf={one => hashOf(one)}
    />
  );
}

/** Players by a figure, those without any left out; who is equal in it shares a rank. */
function Fame({ players, sort }: { players: readonly KnownPlayer[]; sort: Sort }) {
  const figures = players.flatMap(player => {
    const figure = figuresOf(player).find(one => one.sort === sort);
    return figure && figure.value > 0 ? [{ player, ...figure }] : [];
  });
  const most = figures[0]?.value ?? 0;
  let rank = 0;
  if (most === 0) return <p class="soft">{texts.nobodyRanked}</p>;
  return (
    <ol class="known-list fame">
      {figures.map(({ player, value, text }, i) => {
        if (value !== figures[i - 1]?.value) rank = i + 1;
        return (
          <li key={player.uuid}>
            <i class="bar" style={{ width: `${(100 * value) / most}%` }} />
            <span class="rank">{format.count(rank)}</span>
            <PlayerName {...player} />
            <span class="figure">{text}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Everybody({ players, sort }: { players: readonly KnownPlayer[]; sort: Sort }) {
  const now = useNow(NOW_MS);
  return (
    <ul class="known-list">
      {players.map(player => (
        <li key={player.uuid}>
          <PlayerName {...player} />
          <Seen player={player} now={now} />
          <dl class="figures">
            {figuresOf(player).map(figure => (
              <div key={figure.sort} class={figure.sort === sort ? "by" : ""}>
                <dt>{titleOf(figure.sort)}</dt>
                <dd>{figure.text}</dd>
              </div>
            ))}
            {sort === "first-seen" && (
              <div class="by">
                <dt>{titleOf(sort)}</dt>
                <dd>{format.day(player.firstSeen)}</dd>
              </div>
            )}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** What was asked for, or that it is waited for, or why it is not there; below it what asks for more. */
function Listing({
  listing: { shown, isOld, isAsking, fault, ask },
  fits,
  hasMore,
  children,
}: {
  listing: KnownListing;
  /** whether what is there can be shown until what was asked for is */
  fits: boolean;
  hasMore: boolean;
  children: ComponentChildren;
}) {
  const list = useRef<HTMLDivElement>(null);
  const count = shown?.players.length ?? 0;
  /** how many there were when more were asked for */
  const asked = useRef<number | undefined>(undefined);
  useEffect(() => {
    const { current: from } = asked;
    if (from === undefined || count <= from) return;
    asked.current = undefined;
    // The button may be gone with the last of them.
    list.current?.querySelectorAll<HTMLElement>(".to-player")[from]?.focus({ preventScroll: true });
  }, [count]);
  const isThere = shown !== undefined && fits && !(isOld && fault);
  return (
    <div ref={list} class={isThere || fault ? "known" : "known waiting"} aria-busy={isOld && !fault}>
      {isThere ? children : !fault && <p class="soft">{texts.loading}</p>}
      <p class="fault" role="alert">
        {fault ? explain(fault.code, fault.retryAfter) : ""}
      </p>
      {(fault || (isThere && !isOld && hasMore)) && (
        <button
          type="button"
          class="quiet"
          aria-disabled={isAsking}
          onClick={() => {
            asked.current = count;
            ask();
          }}
        >
          {fault ? texts.retry : texts.showMore}
        </button>
      )}
    </div>
  );
}

function FameView({ known: { place, listing } }: { known: Known }) {
  const { shown } = listing;
  const sort = SORTS.fame.find(one => one === shown?.sort && shown.name === "");
  const last = shown?.players.at(-1);
  const isOver = last && figuresOf(last).some(one => one.sort === sort && one.value === 0);
  return (
    <>
      <Choices
        label={texts.sortedBy}
        isWithin={true}
        of={SORTS.fame}
        chosen={SORTS.fame.find(one => one === place.sort) ?? SORTS.fame[0]}
        titles={titleOf}
        hashOf={one => hashOf("fame", one)}
      />
      <Listing listing={listing} fits={sort !== undefined} hasMore={shown?.next !== null && !isOver}>
        {shown && sort && <Fame players={shown.players} sort={sort} />}
      </Listing>
    </>
  );
}

function EverybodyView({ known: { place, replace, listing } }: { known: Known }) {
  const { shown, isOld } = listing;
  // What was typed is answered where nobody sees it come.
  useEffect(() => {
    if (shown && !isOld && shown.name !== "") announce(texts.playersOn(shown.total));
  }, [shown, isOld]);
  return (
    <>
      <KnownSearch place={place} replace={replace} />
      <Listing listing={listing} fits={true} hasMore={shown?.next !== null}>
        {shown && (
          <>
            <p class="soft">
              {shown.players.length > 0
                ? texts.playersOn(shown.total)
                : shown.name === ""
                  ? texts.nobodyKnown
                  : texts.nobodyFound}
            </p>
            {shown.players.length > 0 && <Everybody players={shown.players} sort={shown.sort} />}
          </>
        )}
      </Listing>
    </>
  );
}

/** What the address names of everybody who has been here. */
export function OfEverybody({ known, view }: { known: Known; view: KnownView }) {
  return (
    <>
      {known.ofSeveral && <p class="soft">{texts.onAllServers}</p>}
      {view === "fame" ? <FameView known={known} /> : <EverybodyView known={known} />}
    </>
  );
}
