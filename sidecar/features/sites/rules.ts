import type { KnownSite, Link, LinkRecord, Step } from "../linking/rules/links.ts";

/** Sites that the player of a link said yes to, oldest first. */
export const sitesOf = (link: Link): readonly KnownSite[] =>
  link.status === "accepted" ? (link.sites ?? []) : [];

export const siteOf = (link: Link, id: string): KnownSite | undefined =>
  sitesOf(link).find(site => site.id === id);

/** The player takes back the yes to a site. */
export function endSite(record: LinkRecord, id: string): Step<"ended" | "not_found"> {
  const { link } = record;
  if (link.status !== "accepted" || !siteOf(link, id)) return { record, answer: "not_found" };
  const sites = sitesOf(link).filter(site => site.id !== id);
  return { record: { ...record, link: { ...link, sites } }, answer: "ended" };
}
