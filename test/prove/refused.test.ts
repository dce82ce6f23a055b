import { expect, it } from "@jest/globals";
import { REFUSED } from "../../owner/prove/runs.ts";

it.each([
  [
    "[Scripting] Plugin [Web Bridge - 0.1.0] - requesting dependency on beta APIs [@minecraft/server-admin - 1.0.0-beta], but the Beta APIs experiment is not enabled.",
    true,
  ],
  [
    "[Scripting] Plugin [Web Bridge] - promoted [@minecraft/server] from [2.0.0] to [2.12.0-beta] requested by [Web Bridge - 0.1.0]",
    false,
  ],
  [
    "[Scripting] Plugin Discovered [Web Bridge v0.1.0] PackId [0612fdb1-6896-42b9-b127-8e35632f6398_0.1.0] ModuleId [d09dd5f3-f8bd-4efc-8114-e391c22053b3]",
    false,
  ],
])("that %s means that the script does not run: %s", (line, isRefused) => {
  expect(REFUSED.test(line)).toBe(isRefused);
});
