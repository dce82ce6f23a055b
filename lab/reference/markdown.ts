/** Longest line of prose, in characters. */
const WIDTH = 132;

interface Element {
  tag: string;
  attributes: string;
  held: (Element | string)[];
}

const VOID = ["img"];
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };

/** The elements of markup as the page of `/docs` has it: well formed, and with few of the tags that there are. */
function read(html: string): Element {
  const root: Element = { tag: "", attributes: "", held: [] };
  const open = [root];
  for (const [, text = "", close = "", tag = "", attributes = ""] of html.matchAll(
    /([^<]*)(?:<(\/?)(\w+)([^>]*)>|$)/g,
  )) {
    const held = open.at(-1)?.held;
    if (text !== "") held?.push(text.replace(/&([\w#]+);/g, (_, name: string) => ENTITIES[name] ?? ""));
    const element = { tag, attributes, held: [] };
    if (close !== "") open.pop();
    else if (tag !== "") held?.push(element);
    if (close === "" && tag !== "" && !VOID.includes(tag)) open.push(element);
  }
  return root;
}

const attribute = ({ attributes }: Element, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];

/** What is not shown: marks that lead to a heading, and calls to copy, which name the address of a service that runs. */
const isHidden = (one: Element): boolean =>
  one.tag === "img" || ["anchor", "copy"].includes(attribute(one, "class") ?? "");

const BLOCKS = ["h2", "h3", "h4", "p", "dl", "figure", "section"];
const isBlock = (one: Element | string): one is Element =>
  typeof one !== "string" && BLOCKS.includes(one.tag);

/** Text and what stands within it. */
function inline(one: Element | string): string {
  if (typeof one === "string") return one;
  if (isHidden(one)) return "";
  const text = one.held.map(inline).join("");
  if (one.tag === "code") return `\`${text}\``;
  if (one.tag === "span" && attribute(one, "class") === "type") return `${text}.`;
  return one.tag === "a" ? `[${text}](${attribute(one, "href")})` : text;
}

/** Prose with lines that fit. Code between backticks is not broken. */
function prose(text: string): string {
  const lines = [""];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines.join("\n");
}

/** A table of two columns, which need no names; nothing without rows. */
function table(rows: readonly string[][]): string {
  const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").trim();
  const lines = rows.map(cells => `| ${cells.map(cell).join(" | ")} |`);
  return rows.length === 0 ? "" : ["|  |  |", "|---|---|", ...lines].join("\n");
}

/** Code with what it is above it. Short values of JSON stand in one line. */
function figure({ held }: Element): string[] {
  const [caption = "", code = ""] = held.map(inline).map((text, i) => (i === 0 ? text : text.slice(1, -1)));
  const isJson = /^[[{"]/.test(code);
  const short = isJson ? JSON.stringify(JSON.parse(code)) : code;
  return [
    `${caption}:`,
    `\`\`\`${isJson ? "json" : "text"}\n${short.length <= WIDTH ? short : code}\n\`\`\``,
  ];
}

/** Terms as a table, and behind it what does not fit into one. */
function terms({ held }: Element, anchors: Map<string, string>): string[] {
  const rows = held.flatMap(one => (typeof one === "string" ? [] : [one.held as Element[]]));
  return [
    table(
      rows.map(row =>
        row.map(one =>
          one.held
            .filter(part => !isBlock(part))
            .map(inline)
            .join(""),
        ),
      ),
    ),
    ...rows.flat().flatMap(({ held }) => held.filter(isBlock).flatMap(one => block(one, anchors))),
  ];
}

/** Parts of a page, empty ones among them; takes down the anchors of headings by their ids. */
function block(one: Element | string, anchors: Map<string, string>): string[] {
  if (typeof one === "string" || isHidden(one)) return [];
  if (one.tag === "dl") return terms(one, anchors);
  if (one.tag === "figure") return figure(one);
  if (one.tag === "p") return [prose(inline(one))];
  if (!/^h\d$/.test(one.tag)) return one.held.flatMap(held => block(held, anchors));
  const id = attribute(one, "id");
  const text = one.held.map(inline).join("").trim();
  if (id === undefined) return [`**${text}**`];
  // What is called like a group of calls has an anchor of its own by this.
  const heading = id.startsWith("schema-") ? `Schema: ${text}` : text;
  const plain = heading.toLowerCase().replace(/[^\w\- ]/g, "");
  anchors.set(id, plain.replaceAll(" ", "-"));
  return [`${"#".repeat(Number(one.tag[1]))} ${heading}`];
}

/** Markup as Markdown, in which links lead to its own headings: to the anchors that GitHub gives them. */
export function markdownOf(html: string): string {
  const root = read(html);
  const anchors = new Map<string, string>();
  const text = block(root, anchors).filter(part => part !== "");
  return text.join("\n\n").replace(/\]\(#([\w-]+)\)/g, (_, id: string) => `](#${anchors.get(id)})`);
}
