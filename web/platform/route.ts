import type { KnownQuery } from "../../client/index.ts";

/** Pages, as the address names them behind `#`; what comes behind `player/` is a uuid. */
const PAGES = ["overview", "chat", "you", "whitelist", "player"] as const;
export type Page = (typeof PAGES)[number];
/** Those that the bar leads to; whoever keeps the server finds the administration below the page. */
export const VISITORS = ["overview", "chat", "you"] as const;

/** What the overview shows of players; each but the first one is named in the address as a page is. */
export const VIEWS = ["online", "fame", "everybody"] as const;
export type View = (typeof VIEWS)[number];
/** Views of everybody who has been here. */
export type KnownView = Exclude<View, "online">;
export type Sort = NonNullable<KnownQuery["sort"]>;

/** What the views can be sorted by, what it is without a choice first. */
export const SORTS = {
  fame: ["playtime", "kills", "deaths", "visits"],
  everybody: ["last-seen", "first-seen", "playtime", "kills", "deaths", "visits", "name"],
} as const satisfies Record<KnownView, readonly Sort[]>;

/** Longest beginning of a name that can be searched, in characters. */
export const BEGINNING_LENGTH = 32;

/** Where somebody is in the page, as its address says. */
export interface Place {
  page: Page;
  /** of the overview */
  view: View;
  sort: Sort;
  /** what the names begin with that are searched; blank: all */
  name: string;
  /** of the page of a player; blank elsewhere */
  uuid: string;
}

const isIn = <T extends string>(all: readonly T[], text: string): text is T => all.some(one => one === text);

function decoded(text: string): string {
  try {
    return [...decodeURIComponent(text)].slice(0, BEGINNING_LENGTH).join("");
  } catch {
    return "";
  }
}

/** What the part of an address says that begins with `#`: what is no place is the overview. */
export function placeOf(hash: string): Place {
  const [first = "", choice = "", rest = ""] = hash.slice(1).split("/");
  const place: Place = { page: "overview", view: "online", sort: "last-seen", name: "", uuid: "" };
  if (first === "fame" || first === "everybody") {
    const sorts: readonly Sort[] = SORTS[first];
    const name = first === "everybody" && choice === "name" ? decoded(rest) : "";
    const sort = sorts.find(one => one === choice) ?? SORTS[first][0];
    return { ...place, view: first, sort, name };
  }
  if (first === "player") return choice === "" ? place : { ...place, page: first, uuid: choice };
  return isIn(PAGES, first) ? { ...place, page: first } : place;
}

/** The address of a view. `name`: see `Place`; with one, names are sorted by themselves. */
export function hashOf(view: View, sort?: Sort, name = ""): string {
  if (view === "online") return "#overview";
  if (name !== "") return `#${view}/name/${encodeURIComponent(name)}`;
  return sort === undefined || sort === SORTS[view][0] ? `#${view}` : `#${view}/${sort}`;
}

/** The address of the page of a player. */
export const playerHash = (uuid: string): string => `#player/${uuid}`;
