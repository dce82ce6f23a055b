import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { KnownPlayer } from "../../client/index.ts";
import * as format from "../platform/format.ts";
import { useNow } from "../platform/hooks.ts";
import { hashOf, type KnownView, SORTS, type Sort, VIEWS, type View } from "../platform/route.ts";
import { explain, texts } from "../platform/texts.ts";
import { PlayerName } from "../players/player-name.tsx";
import { Alert } from "../ui/alert.tsx";
import { announce } from "../ui/announce.tsx";
import { FigureList } from "../ui/figure-list.tsx";
import { QuietButton } from "../ui/quiet-button.tsx";
import type { KnownPlayersState } from "./known-players.ts";
import { figuresOf, LastSeen, sortTitle } from "./player-figures.tsx";
import { PlayerSearch } from "./player-search.tsx";
import type { PlayerListing } from "./use-player-listing.ts";

const NOW_MS = 30_000;

interface LinkListProps<T extends string> {
  label: string;
  /** whether the links are within a view */
  isWithin?: boolean;
  all: readonly T[];
  current: T;
  titleOf(one: T): string;
  hashOf(one: T): string;
}

const LinkList = <T extends string>(props: LinkListProps<T>) => (
  <ul class={props.isWithin ? "choices within" : "choices"} aria-label={props.label}>
    {props.all.map(one => (
      <li key={one}>
        <a href={props.hashOf(one)} aria-current={one === props.current ? "true" : undefined}>
          {props.titleOf(one)}
        </a>
      </li>
    ))}
  </ul>
);

export function ViewLinks({ current }: { current: View }) {
  const titles: Record<View, string> = { online: texts.offered, ...texts.views };
  return (
    <LinkList
      label={texts.players}
      all={VIEWS}
      current={current}
      titleOf={one => titles[one]}
      hashOf={one => hashOf(one)}
    />
  );
}

/** Players ranked by a figure, without those at zero; equal ones share a rank. */
function Ranking({ players, sort }: { players: readonly KnownPlayer[]; sort: Sort }) {
  const figures = players.flatMap(player => {
    const figure = figuresOf(player).find(one => one.sort === sort);
    return figure && figure.value > 0 ? [{ player, ...figure }] : [];
  });
  const highest = figures[0]?.value ?? 0;
  let rank = 0;
  if (highest === 0) return <p class="soft">{texts.nobodyRanked}</p>;
  return (
    <ol class="known-list leaderboard">
      {figures.map(({ player, value, text }, i) => {
        if (value !== figures[i - 1]?.value) rank = i + 1;
        return (
          <li key={player.uuid}>
            <i class="bar" style={{ width: `${(100 * value) / highest}%` }} />
            <span class="rank">{format.count(rank)}</span>
            <PlayerName {...player} />
            <span class="figure">{text}</span>
          </li>
        );
      })}
    </ol>
  );
}

function PlayerList({ players, sort }: { players: readonly KnownPlayer[]; sort: Sort }) {
  const now = useNow(NOW_MS);
  return (
    <ul class="known-list">
      {players.map(player => (
        <li key={player.uuid}>
          <PlayerName {...player} />
          <LastSeen player={player} now={now} />
          <FigureList
            class="figures"
            current={sortTitle(sort)}
            figures={[
              ...figuresOf(player).map(figure => [sortTitle(figure.sort), figure.text] as const),
              ...(sort === "first-seen" ? [[sortTitle(sort), format.day(player.firstSeen)] as const] : []),
            ]}
          />
        </li>
      ))}
    </ul>
  );
}

interface ListingFrameProps {
  listing: PlayerListing;
  /** whether the loaded players can be shown until the wanted ones have loaded */
  fits: boolean;
  hasMore: boolean;
  children: ComponentChildren;
}

/** The players, or that they are loading, or why not; below them the button that loads more or retries. */
function ListingFrame({ listing, fits, hasMore, children }: ListingFrameProps) {
  const { loaded, isOld, isLoading, fault, load } = listing;
  const list = useRef<HTMLDivElement>(null);
  const count = loaded?.players.length ?? 0;
  /** how many there were when the button was pressed */
  const countBefore = useRef<number | undefined>(undefined);
  useEffect(() => {
    const { current: from } = countBefore;
    if (from === undefined || count <= from) return;
    countBefore.current = undefined;
    // The button disappears with the last page.
    list.current?.querySelectorAll<HTMLElement>(".player-link")[from]?.focus({ preventScroll: true });
  }, [count]);
  const isVisible = loaded !== undefined && fits && !(isOld && fault);
  return (
    <div ref={list} class={isVisible || fault ? "known" : "known waiting"} aria-busy={isOld && !fault}>
      {isVisible ? children : !fault && <p class="soft">{texts.loading}</p>}
      <Alert text={explain(fault)} />
      {(fault || (isVisible && !isOld && hasMore)) && (
        <QuietButton
          busy={isLoading}
          onClick={() => {
            countBefore.current = count;
            load();
          }}
        >
          {fault ? texts.retry : texts.showMore}
        </QuietButton>
      )}
    </div>
  );
}

function RankingView({ known: { route, listing } }: { known: KnownPlayersState }) {
  const { loaded } = listing;
  const sort = SORTS.leaderboard.find(one => one === loaded?.sort && loaded.name === "");
  const last = loaded?.players.at(-1);
  const isOver = last && figuresOf(last).some(one => one.sort === sort && one.value === 0);
  return (
    <>
      <LinkList
        label={texts.sortedBy}
        isWithin={true}
        all={SORTS.leaderboard}
        current={SORTS.leaderboard.find(one => one === route.sort) ?? SORTS.leaderboard[0]}
        titleOf={sortTitle}
        hashOf={one => hashOf("leaderboard", one)}
      />
      <ListingFrame listing={listing} fits={sort !== undefined} hasMore={loaded?.next !== null && !isOver}>
        {loaded && sort && <Ranking players={loaded.players} sort={sort} />}
      </ListingFrame>
    </>
  );
}

function EverybodyView({ known: { route, replace, listing } }: { known: KnownPlayersState }) {
  const { loaded, isOld } = listing;
  useEffect(() => {
    if (loaded && !isOld && loaded.name !== "") announce(texts.playersOn(loaded.total));
  }, [loaded, isOld]);
  return (
    <>
      <PlayerSearch route={route} replace={replace} />
      <ListingFrame listing={listing} fits={true} hasMore={loaded?.next !== null}>
        {loaded && (
          <>
            <p class="soft">
              {loaded.players.length > 0
                ? texts.playersOn(loaded.total)
                : loaded.name === ""
                  ? texts.nobodyKnown
                  : texts.nobodyFound}
            </p>
            {loaded.players.length > 0 && <PlayerList players={loaded.players} sort={loaded.sort} />}
          </>
        )}
      </ListingFrame>
    </>
  );
}

export const KnownPlayersView = ({ known, view }: { known: KnownPlayersState; view: KnownView }) => (
  <>
    {known.ofSeveral && <p class="soft">{texts.onAllServers}</p>}
    {view === "leaderboard" ? <RankingView known={known} /> : <EverybodyView known={known} />}
  </>
);
