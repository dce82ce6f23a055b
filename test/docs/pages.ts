import { existsSync, readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const root = new URL("../../", import.meta.url);

/** The pages of the repository, by path from its root. */
export const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "lab/bench/README.md",
  "lab/demo/README.md",
  "lab/simulator/FIDELITY.md",
  "shared/SPEC.md",
  ...["deploy", "docs"].flatMap(folder =>
    readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
      .filter(name => name.endsWith(".md"))
      .map(name => `${folder}/${name.replaceAll("\\", "/")}`),
  ),
];

export const text = (path: string): string => readFileSync(new URL(path, root), "utf8");

export const exists = (path: string): boolean => existsSync(new URL(path, root));

/** A fenced block of a page: its language, its text, and the anchor of the heading above it. */
export interface Block {
  language: string;
  text: string;
  line: number;
  heading: string;
}

/** A fence, which is indented in a list. */
const FENCE = /^( *)```(.*)$/;

export function blocks(page: string, language?: string): Block[] {
  const found: Block[] = [];
  let open: { language: string; lines: string[]; line: number; indent: number } | undefined;
  let heading = "";
  for (const [index, line] of text(page).split("\n").entries()) {
    const fence = FENCE.exec(line);
    const [, indent = "", language = ""] = fence ?? [];
    if (fence === null && open) open.lines.push(line.slice(open.indent));
    else if (fence === null) heading = anchorOf(line) ?? heading;
    else if (open) {
      found.push({ language: open.language, text: open.lines.join("\n"), line: open.line, heading });
      open = undefined;
    } else open = { language, lines: [], line: index + 1, indent: indent.length };
  }
  if (open) throw new Error(`${page}: the block of line ${open.line} has no end`);
  return language === undefined ? found : found.filter(block => block.language === language);
}

/** The lines of the blocks in a language under a heading. */
export const linesUnder = (page: string, heading: string, language: string): string[] =>
  blocks(page, language)
    .filter(block => block.heading === heading)
    .flatMap(block => block.text.split("\n"));

/** The rows of the table after a marker such as `<!-- settings -->`, without its head. */
export function table(page: string, marker: string): string[][] {
  const after = text(page).split(`<!-- ${marker} -->\n`)[1];
  if (after === undefined) throw new Error(`${page}: no table ${marker}`);
  const lines = after.split("\n");
  const end = lines.findIndex(line => !line.startsWith("|"));
  return lines.slice(2, end).map(line =>
    line
      .slice(1, -1)
      .split("|")
      .map(cell => cell.trim()),
  );
}

/** The texts in backticks. */
export const code = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inner]) => inner ?? "");

/** The page without its fenced blocks. */
export const prose = (page: string): string => text(page).replace(/^ *```.*?^ *```$/gms, "");

/** The anchor of a line if it is a heading. */
const anchorOf = (line: string): string | undefined =>
  /^#+ (.+)$/
    .exec(line)?.[1]
    ?.toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** The anchors of the headings of a page. */
export const anchors = (page: string): string[] =>
  prose(page)
    .split("\n")
    .flatMap(line => anchorOf(line) ?? []);

/** Where the host of the repository has its releases, from a page in `docs` on. */
export const RELEASES = "../../../releases";
const TO_RELEASES = /^(\.\.\/)+releases$/;

/** The archives that the page about installing names for a version. */
export const archives = (version: string): string[] =>
  [...text("docs/install.md").matchAll(/^ *\| [^|]+ \| `(web-bridge-sidecar-[^`]+)` \|$/gm)].map(
    ([, name = ""]) => name.replace("<version>", version),
  );

/** Links of a page to files of the repository: path from the root, and anchor. */
export function links(page: string): { path: string; anchor: string | undefined }[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? "")
    .filter(target => !/^[a-z]+:/.test(target) && !TO_RELEASES.test(target))
    .map(target => {
      const [file = "", anchor] = target.split("#");
      return { path: file === "" ? page : posix.join(posix.dirname(page), file), anchor };
    });
}
