import type { KnownQuery } from "../../client/index.ts";

/** Pages, as the address names them after `#`; `player/` is followed by a uuid. */
const PAGES = ["overview", "chat", "you", "administration", "player"] as const;
export type Page = (typeof PAGES)[number];
/** Pages in the navigation bar; the footer links to the administration. */
export const NAVIGATION = ["overview", "chat", "you"] as const;

/** Views of players on the overview; the address names each but the first one as it names a page. */
export const VIEWS = ["online", "leaderboard", "everybody"] as const;
export type View = (typeof VIEWS)[number];
/** Views of known players. */
export type KnownView = Exclude<View, "online">;
export type Sort = NonNullable<KnownQuery["sort"]>;

/** How the views can be sorted, the default first. */
export const SORTS = {
  leaderboard: ["playtime", "kills", "deaths", "visits"],
  everybody: ["last-seen", "first-seen", "playtime", "kills", "deaths", "visits", "name"],
} as const satisfies Record<KnownView, readonly Sort[]>;

/** Longest beginning of a name that can be searched for, in characters. */
export const BEGINNING_LENGTH = 32;

/** What the address of the page shows. */
export interface Route {
  page: Page;
  view: View;
  sort: Sort;
  /** beginning of the names that are searched for; blank: all */
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

/** The route of an address from its `#` on; the overview where that is invalid. */
export function routeOf(hash: string): Route {
  const [first = "", choice = "", rest = ""] = hash.slice(1).split("/");
  const route: Route = { page: "overview", view: "online", sort: "last-seen", name: "", uuid: "" };
  if (first === "leaderboard" || first === "everybody") {
    const sorts: readonly Sort[] = SORTS[first];
    const name = first === "everybody" && choice === "name" ? decoded(rest) : "";
    const sort = sorts.find(one => one === choice) ?? SORTS[first][0];
    return { ...route, view: first, sort, name };
  }
  if (first === "player") return choice === "" ? route : { ...route, page: first, uuid: choice };
  // Links from elsewhere may still have the former name of the page.
  if (first === "whitelist") return { ...route, page: "administration" };
  return isIn(PAGES, first) ? { ...route, page: first } : route;
}

/** The address of a view. With a `name` to search for, the order is by name and left out. */
export function hashOf(view: View, sort?: Sort, name = ""): string {
  if (view === "online") return "#overview";
  if (name !== "") return `#${view}/name/${encodeURIComponent(name)}`;
  return sort === undefined || sort === SORTS[view][0] ? `#${view}` : `#${view}/${sort}`;
}

export const playerHash = (uuid: string): string => `#player/${uuid}`;
