import { type FactHandlers, mayBeOf } from "../../kernel/bridge/facts.ts";
import type { WorldLinks } from "./link-answers.ts";

/** Takes up what players answer to link requests, and what became of those. */
export const linkFacts = (links: Pick<WorldLinks, "onOutcome" | "onAnswer" | "unlinkAll">): FactHandlers => ({
  outcome: async (outcome, { turn }) =>
    mayBeOf(outcome, "link-open") ? links.onOutcome(outcome, turn) : undefined,
  answered: ({ request, accepted }, { turn }) => links.onAnswer(request, accepted, turn),
  "unlinked-by-player": ({ player }, { turn }) => links.unlinkAll(player, turn),
});
