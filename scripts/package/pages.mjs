import { readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOT } from "../setup/paths.mjs";

const LINK = /!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/** The pages for owners, by their paths in the repository. */
export const ownersPages = () =>
  readdirSync(join(ROOT, "docs"))
    .filter(name => name.endsWith(".md"))
    .map(name => `docs/${name}`);

/**
 * A page as it stands in an archive: a link to what is not there is its words alone.
 * @param {string} text
 * @param {string} path of the page, from the archive's folder on
 * @param {(path: string) => boolean} isThere
 */
export const pageFor = (text, path, isThere) =>
  text.replace(LINK, (link, words, to) => {
    if (/^([a-z]+:|#)/.test(to)) return link;
    return isThere(posix.join(posix.dirname(path), to.replace(/#.*$/, ""))) ? link : words;
  });
