import type { Example } from "../../kernel/http/description.ts";

export const example = (summary: string, value: unknown): Example => ({ summary, value });

/** The example of an answer that is one word. */
export const status = (summary: string, word: string): Record<string, Example> => ({
  [word]: example(summary, { status: word }),
});
