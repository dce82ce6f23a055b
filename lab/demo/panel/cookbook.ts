import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Address of the service in the pages of the cookbook. */
const HTTP = "http://localhost:8080";
const SOCKET = "ws://localhost:8080";

const isPage = (name: string): boolean => /^[a-z0-9][a-z0-9-]*\.html$/.test(name);

/**
 * The pages of the cookbook in a folder.
 * @returns file names and titles; none if the folder does not exist
 */
export function listCookbook(folder: string): { file: string; title: string }[] {
  return filesIn(folder).map(file => ({
    file,
    title: titleOf(readFileSync(join(folder, file), "utf8"), file),
  }));
}

/**
 * A page of the cookbook, with the address of this service.
 * @param service address without a slash at the end
 * @returns undefined if there is no such page
 */
export function readCookbook(folder: string, file: string, service: string): string | undefined {
  if (!filesIn(folder).includes(file)) return undefined;
  return readFileSync(join(folder, file), "utf8")
    .replaceAll(HTTP, service)
    .replaceAll(SOCKET, service.replace(/^http/, "ws"));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(isPage).sort();
  } catch {
    return [];
  }
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

function titleOf(html: string, file: string): string {
  const written = /<title>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? "";
  const title = written.replace(/&(?:lt|gt|quot|#39|amp);/g, entity => ENTITIES[entity] ?? entity);
  return title === "" ? file : title;
}
