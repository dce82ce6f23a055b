import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "@jest/globals";
import { type Finding, isProblem } from "../../owner/doctor/finding.ts";
import { standing } from "./fixture.ts";

const fixture = standing();

const first = async (env = {}): Promise<Finding | undefined> =>
  (await fixture.doctor({ env })).find(isProblem);

it("tells to start a sidecar, and to start it again, as it is run", async () => {
  const note = join(dirname(fixture.tokenFile), "run-by");
  writeFileSync(note, "systemd:web-bridge\n");
  fixture.edit(fixture.config, text => `${text}server:\n  process: "1"\n`);
  expect(await first()).toMatchObject({ id: "running-settings", mend: "systemctl restart web-bridge" });
  fixture.edit(fixture.config, text => text.replace('server:\n  process: "1"\n', ""));
  await fixture.stopSidecar();
  expect(await first()).toMatchObject({ id: "sidecar-running", mend: "systemctl start web-bridge" });
  expect(await first({ WEB_BRIDGE_RUN_BY: "compose" })).toMatchObject({
    mend: expect.stringMatching(/ up -d web-bridge$/),
  });
  rmSync(note);
  expect(await first()).toMatchObject({ mend: expect.stringMatching(/^npm start -- --config /) });
});
