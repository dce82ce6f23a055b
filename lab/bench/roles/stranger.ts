import { attack, filesOf } from "../strangers/attack.ts";
import { ATTACKS, type AttackName } from "../strangers/attacks.ts";
import { serve } from "../worker.ts";

const handlers = {
  /** Begins with all of these, and goes on until the process ends. */
  async begin({ base, names }: { base: string; names: readonly AttackName[] }): Promise<void> {
    const files = await filesOf(base);
    for (const name of names) attack(base, files, ATTACKS[name], ATTACKS[name].connections);
  },
};
export type Stranger = typeof handlers;

/** Somebody who means no good. */
export const playStranger = (): void => serve(handlers);
