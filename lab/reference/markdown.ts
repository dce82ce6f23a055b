import { code } from "../../sidecar/contracts/words.ts";

/** Longest line of prose, in characters. */
const WIDTH = 132;

/** Prose with lines that fit. Paragraphs stay apart; code between backticks is not broken. */
export function prose(text: string): string {
  return text
    .split("\n\n")
    .map(paragraph => {
      const lines = [""];
      for (const word of paragraph.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
        const line = lines.at(-1) ?? "";
        if (line !== "" && line.length + 1 + word.length > WIDTH) lines.push(word);
        else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
      }
      return lines.join("\n");
    })
    .join("\n\n");
}

/** A value as JSON in one line, as code. */
export const json = (value: unknown): string => code(JSON.stringify(value));

/** A block of JSON: small values in one line, others with a property on each. */
export function jsonBlock(value: unknown): string {
  const short = JSON.stringify(value);
  return `\`\`\`json\n${short.length <= WIDTH ? short : JSON.stringify(value, undefined, 2)}\n\`\`\``;
}

/** A table; nothing without rows. */
export function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const line = (cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();

/** The anchor that GitHub gives a heading. */
export const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** A link to a heading of the same page. */
export const toHeading = (heading: string, text = heading): string => `[${text}](#${anchor(heading)})`;

/** Parts of a page, one after another with a blank line between; empty ones are left out. */
export const parts = (...all: string[]): string => all.filter(part => part !== "").join("\n\n");
