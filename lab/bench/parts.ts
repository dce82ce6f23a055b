/** A page with what stands between its marks, such as `<!-- plan -->`, made anew. @throws where a mark is missing */
export const withParts = (path: string, page: string, parts: Record<string, readonly string[]>): string =>
  Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`${path}: there is no ${begin.trim()}`);
    return `${before}${begin}${lines.join("\n")}\n${end}${after}`;
  }, page);

/** A row of a table in Markdown. */
export const row = (...cells: string[]): string => `| ${cells.join(" | ")} |`;
