import type { KnownSite, Link, LinkRecord, LinkStep } from "../linking/rules/links.ts";

/** Sites that the player of a link has accepted, oldest first. */
export const sitesOf = (link: Link): readonly KnownSite[] =>
  link.status === "accepted" ? (link.sites ?? []) : [];

export const siteOf = (link: Link, id: string): KnownSite | undefined =>
  sitesOf(link).find(site => site.id === id);

/** Ends the player's consent to a site. */
export function endSite(record: LinkRecord, id: string): LinkStep<"ended" | "not_found"> {
  const { link } = record;
  if (link.status !== "accepted" || !siteOf(link, id)) return { record, answer: "not_found" };
  const sites = sitesOf(link).filter(site => site.id !== id);
  return { record: { ...record, link: { ...link, sites } }, answer: "ended" };
}
