import type { Trial } from "../probe.ts";
import { ask, failureIn, probesAt, textOf } from "../values.ts";

/** Longest text of a dynamic property, in bytes. */
const PROPERTY_BYTES = 32_767;
const NAME = "Prove Name";

const isListed = async (trial: Trial): Promise<boolean> =>
  (await ask(trial, "list-contains", { name: NAME })).value === true;
const change = async (trial: Trial, what: "add" | "remove"): Promise<string> =>
  failureIn(await ask(trial, `list-${what}`, { name: NAME })) ||
  ((await isListed(trial)) ? "listed" : "not listed");

/** Settings, what is stored, and the allowlist. */
export const storeProbes = probesAt("script", [
  {
    id: "settings-secret",
    expect: "hidden",
    why: "no script may read the token of the bridge as text",
    async ask(trial) {
      const { token, longest } = await ask(trial, "settings");
      return token === "object" && longest === 0 ? "hidden" : `a ${textOf(token)} that can be read`;
    },
  },
  {
    id: "store-text",
    expect: "stored",
    why: `the pack keeps bans and figures of players in properties of up to ${PROPERTY_BYTES} bytes`,
    async ask(trial) {
      const set = await ask(trial, "set-long", { length: PROPERTY_BYTES });
      return failureIn(set) || (set.isSame === true ? "stored" : "changed");
    },
  },
  {
    id: "list-change",
    expect: "listed, then not listed",
    why: "the allowlist is managed from the web, and read back at once; names may have blanks",
    ask: async trial => `${await change(trial, "add")}, then ${await change(trial, "remove")}`,
  },
]);
