import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";
import { until } from "../../test/helpers/eventually.ts";
import { needs } from "../../test/helpers/needs.ts";
import { launch, ownSidecar, zombiesOf } from "./testing/launched.ts";

const NAMESPACE = ["unshare", "--pid", "--fork", "--mount-proc"];
const hasNamespaces = spawnSync(NAMESPACE[0] ?? "", [...NAMESPACE.slice(1), "true"]).status === 0;

/** Runs the words as process 1 of a namespace. */
const inNamespace = (words: readonly string[]): string[] => [...NAMESPACE, ...words];

needs("process namespaces", hasNamespaces).describe("launch as the first process of a container", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "stops the game and the sidecar in order on %s",
    async name => {
      const { args, env } = ownSidecar();
      const launched = launch({ args, env, game: ["say ready"], shell: inNamespace });
      await launched.urls();
      process.kill(await launched.pid("launch"), name);
      expect(await launched.ended).toBe(0);
      expect(String(launched.printed)).toBe("ready\nServer stop requested.\nQuit correctly\n");
      await launched.says('"msg":"Stopped"');
    },
  );

  it("leaves no zombie of a sidecar that was killed, nor of the game", async () => {
    const { args, env } = ownSidecar();
    const launched = launch({ args, env, game: ["say ready", "slow 300"], shell: inNamespace });
    const init = await launched.pid("launch");
    const first = await launched.pid("sidecar");
    process.kill(first, "SIGKILL");
    await launched.says("starting it again in 1 s");
    expect(zombiesOf(init)).toEqual([]);
    await until(() => launched.pids("sidecar").some(pid => pid !== first));
    process.kill(await launched.pid("game"), "SIGKILL");
    await until(() => launched.pids("game").length === 0);
    await until(() => zombiesOf(init).length === 0);
    expect(await launched.ended).toBe(137);
  });
});
