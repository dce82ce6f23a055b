import { expect, it } from "@jest/globals";
import { commonDigest } from "../../sidecar/config/written.ts";
import { TOKEN, testConfig } from "../helpers/sidecar.ts";

it("tells settings apart, and lets nobody without the token try out what their secrets may be", () => {
  const [plain, open] = [testConfig({}), testConfig({ yaml: "modules.api.chat.web: off\n" })];
  expect(commonDigest(plain, TOKEN)).toBe(commonDigest(testConfig({}), TOKEN));
  expect(commonDigest(open, TOKEN)).not.toBe(commonDigest(plain, TOKEN));
  expect(commonDigest(plain, `${TOKEN}x`)).not.toBe(commonDigest(plain, TOKEN));
});
