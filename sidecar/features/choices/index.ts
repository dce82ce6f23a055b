import { mayBeOf } from "../../kernel/bridge/actions.ts";
import type { FactHandlers } from "../../kernel/bridge/facts.ts";
import type { ServiceContext } from "../context.ts";
import type { LinkStorage } from "../linking/storage.ts";
import type { ServiceFeature } from "../servers/game-server.ts";
import { type ChoiceServer, type ChoiceSync, createChoiceSync } from "./choices.ts";
import type { ChoiceStore } from "./records.ts";

const choiceFacts = (choices: ChoiceSync, server: ChoiceServer): FactHandlers => ({
  async joined(fact, { lease }) {
    const [row = fact.row] = await choices.withChoices(server, [fact.row], lease);
    return { ...fact, row };
  },
  async left(fact, { lease }) {
    if (fact.row === undefined) return undefined;
    const [row = fact.row] = await choices.withChoices(server, [fact.row], lease);
    return { ...fact, row };
  },
  chose: (fact, { lease }) => choices.onChose(server, fact, lease),
  listed: async (report, { lease }) => ({
    ...report,
    rows: await choices.withChoices(server, report.rows, lease),
  }),
  outcome: async (outcome, { lease }) =>
    mayBeOf(outcome, "link-open") ? choices.onOutcome(server, outcome, lease) : undefined,
});

/** Player settings that are chosen on one game server count on all of them. */
export function createChoicesFeature(
  { ownerLog, servers: { first, isOne } }: ServiceContext,
  { runOrRetry, store }: Pick<LinkStorage, "runOrRetry"> & { store: ChoiceStore },
): ServiceFeature & { choices: ChoiceSync } {
  const choices = createChoiceSync({ store, runOrRetry, log: ownerLog, uuidOf: first.uuidOf });
  return { choices, ...(!isOne && { facts: server => choiceFacts(choices, server) }) };
}
