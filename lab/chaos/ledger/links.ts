import type { Passage } from "./game-lines.ts";
import type { Violation } from "./order.ts";

/** A request for a link of one browser, and what became of it. Times in milliseconds since the run began. */
export interface LinkStory {
  /** first characters of the session, as the form shows them */
  browser: string;
  askedAt: number;
  answeredAt: number;
  /** of the answer; undefined: the connection ended without one */
  status: number | undefined;
  /** what the player pressed, the same whenever asked; undefined: nothing */
  pressed: "accepted" | "declined" | undefined;
  /** how the answer of the player went to the sidecar */
  passages: readonly Passage[];
  /** status of the answer to `POST /unlink-player`, `lost`: none came; undefined: not asked for */
  unlinked: number | "lost" | undefined;
  /** what the service says at the end */
  final: string;
}

/** What the service may say in the end, when the player had so long to answer. */
function possible(story: LinkStory, verificationMs: number): string[] {
  const { status, unlinked } = story;
  if (status !== undefined && status !== 202) return ["not_linked"];
  if (unlinked === 200) return ["not_linked"];
  const answered = afterAnswer(story, verificationMs);
  return status === undefined || unlinked === "lost" ? [...answered, "not_linked"] : answered;
}

/** FORM-5, FORM-6: an answer counts when the sidecar has it in time. The time began between the request and its answer. */
function afterAnswer(
  { askedAt, answeredAt, passages, pressed }: LinkStory,
  verificationMs: number,
): string[] {
  if (pressed !== "accepted") return ["declined"];
  const handed = Math.min(...passages.map(({ handedAt }) => handedAt));
  const acked = Math.min(...passages.map(({ ackedAt }) => ackedAt ?? Number.POSITIVE_INFINITY));
  if (acked < askedAt + verificationMs) return ["accepted"];
  return handed > answeredAt + verificationMs ? ["declined"] : ["accepted", "declined"];
}

/** Links are exactly as the players answered. */
export function judgeLinks(stories: readonly LinkStory[], verificationMs: number): Violation[] {
  return stories.flatMap(story => {
    const { answeredAt, browser, final, pressed = "nothing", status = "nothing", unlinked } = story;
    const expected = possible(story, verificationMs);
    const told = `browser ${browser}: answered ${status}, the player pressed ${pressed}`;
    const refused: Violation[] =
      unlinked === 400
        ? [{ at: answeredAt, what: `${told}: could not be unlinked though it was accepted` }]
        : [];
    if (expected.includes(final)) return refused;
    return [...refused, { at: answeredAt, what: `${told}: ${final}, expected ${expected.join(" or ")}` }];
  });
}
