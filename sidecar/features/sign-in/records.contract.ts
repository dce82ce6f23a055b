import { beforeEach, describe, expect, it } from "@jest/globals";
import { ManualClock } from "../../../test/helpers/clock.ts";
import type { SecretStore, SignInStore } from "./records.ts";

/** Contract of every store of sign-ins; `make` gets its clock. */
export function describeSignIn(
  name: string,
  make: (clock: ManualClock) => Promise<SignInStore & SecretStore>,
): void {
  describe(name, () => {
    let clock: ManualClock;
    let store: SignInStore & SecretStore;
    beforeEach(async () => {
      clock = new ManualClock();
      store = await make(clock);
    });

    it("stores a text until it expires", async () => {
      expect(await store.get("code:a")).toBeUndefined();
      await store.put("code:a", "one\ntwo §", 60_000);
      expect(await store.get("code:a")).toMatchObject({ text: "one\ntwo §", isUsed: false });
      expect((await store.get("code:a"))?.leftMs).toBeLessThanOrEqual(60_000);
      clock.advance(59_000);
      expect((await store.get("code:a"))?.leftMs).toBeLessThanOrEqual(1_000);
      clock.advance(1_000);
      expect(await store.get("code:a")).toBeUndefined();
    });

    it("replaces a text, with its own expiry", async () => {
      await store.put("a", "one", 60_000);
      await store.use("a");
      await store.put("a", "two", 120_000);
      clock.advance(60_000);
      expect(await store.get("a")).toMatchObject({ text: "two", isUsed: false });
    });

    it("is used once, however many try at the same time", async () => {
      await store.put("a", "one", 60_000);
      const tries = await Promise.all(Array.from({ length: 20 }, () => store.use("a")));
      expect(tries.filter(Boolean)).toHaveLength(1);
      expect(await store.get("a")).toMatchObject({ text: "one", isUsed: true });
      expect(await store.use("a")).toBe(false);
    });

    it("cannot be used if it is missing or expired", async () => {
      expect(await store.use("a")).toBe(false);
      await store.put("a", "one", 1_000);
      clock.advance(1_000);
      expect(await store.use("a")).toBe(false);
    });

    it("drops a text", async () => {
      await store.put("a", "one", 60_000);
      await store.put("b", "two", 60_000);
      await store.drop("a");
      await store.drop("never");
      expect(await store.get("a")).toBeUndefined();
      expect(await store.get("b")).toMatchObject({ text: "two" });
    });

    it("keeps the secrets that were stored first, until they are replaced", async () => {
      expect(await store.secrets()).toBe("");
      const made = await Promise.all(["x", "y", "z"].map(each => store.replaceSecrets("", each)));
      expect(made.filter(Boolean)).toHaveLength(1);
      const first = await store.secrets();
      expect(first).toBe(["x", "y", "z"][made.indexOf(true)]);
      expect(await store.replaceSecrets("other", "w")).toBe(false);
      expect(await store.replaceSecrets(first, "w")).toBe(true);
      clock.advance(60 * 60_000);
      expect(await store.secrets()).toBe("w");
    });
  });
}
