import type { TestEnvironment } from "../probe.ts";
import { ask, failureIn, probesAt, textOf } from "../values.ts";

/** Longest text of a dynamic property, in bytes. */
const PROPERTY_BYTES = 32_767;
const NAME = "Prove Name";

const isListed = async (env: TestEnvironment): Promise<boolean> =>
  (await ask(env, "list-contains", { name: NAME })).value === true;
const change = async (env: TestEnvironment, what: "add" | "remove"): Promise<string> =>
  failureIn(await ask(env, `list-${what}`, { name: NAME })) ||
  ((await isListed(env)) ? "listed" : "not listed");

/** Settings, stored data, and the allowlist. */
export const storageProbes = probesAt("script", [
  {
    id: "settings-secret",
    expect: "hidden",
    why: "no script may read the token of the bridge as text",
    async ask(env) {
      const { token, longest } = await ask(env, "settings");
      return token === "object" && longest === 0 ? "hidden" : `a ${textOf(token)} that can be read`;
    },
  },
  {
    id: "store-text",
    expect: "stored",
    why: `the pack keeps bans and figures of players in properties of up to ${PROPERTY_BYTES} bytes`,
    async ask(env) {
      const set = await ask(env, "set-long", { length: PROPERTY_BYTES });
      return failureIn(set) || (set.isSame === true ? "stored" : "changed");
    },
  },
  {
    id: "list-change",
    expect: "listed, then not listed",
    why: "the allowlist is managed from the website, and read back at once; names may have blanks",
    ask: async env => `${await change(env, "add")}, then ${await change(env, "remove")}`,
  },
]);
