import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { setUpProperties } from "../../owner/prove/world.ts";

const changed = (before: string, values: Record<string, string | undefined>): string => {
  const folder = mkdtempSync(join(tmpdir(), "prove "));
  const path = join(folder, "server.properties");
  writeFileSync(path, before);
  setUpProperties(folder, values);
  return readFileSync(path, "utf8");
};

it("the UDP ports of the copy stand in server.properties once, however often its owner has them", () => {
  const before = "server-udp-ports=1\r\nserver-name=x\r\nserver-udp-ports=2-5\r\n";
  expect(changed(before, { "server-udp-ports": "20000-20009", "server-name": "trial" })).toBe(
    "server-name=trial\r\nserver-udp-ports=20000-20009\r\n",
  );
  expect(changed(before, { "online-mode": "true" })).toBe(`${before}online-mode=true\r\n`);
});
