/** A block of a stream of server-sent events, with the fields that the service sends. */
export interface StreamBlock {
  id?: string;
  event?: string;
  data?: unknown;
  retry?: number;
  comment?: string;
}

const FIELD = /^(id|event|data|retry|): (.*)$/;

/** Parses a block of lines without its final empty line; throws unless the service may send it. */
export function readBlock(text: string): StreamBlock {
  const block: StreamBlock = {};
  for (const line of text.split("\n")) {
    const [, name, value = ""] = FIELD.exec(line) ?? [];
    const key = name === "" ? "comment" : (name as Exclude<keyof StreamBlock, "comment"> | undefined);
    if (key === undefined || key in block) throw new Error(`a stream may not hold the line ${line}`);
    Object.assign(block, {
      [key]: key === "data" ? JSON.parse(value) : key === "retry" ? Number(value) : value,
    });
  }
  return block;
}

/** Takes complete blocks off the start of a received stream. */
export function takeBlocks(text: string): { blocks: string[]; rest: string } {
  const blocks = text.split("\n\n");
  return { rest: blocks.pop() ?? "", blocks };
}
