import { expect, it } from "@jest/globals";
import { digestOf } from "../../sidecar/config/digest.ts";
import { TOKEN, testConfig } from "../helpers/sidecar.ts";

it("tells settings apart, and lets nobody without the token try out what their secrets may be", () => {
  const [plain, open] = [testConfig({}), testConfig({ yaml: "modules.api.chat.web: off\n" })];
  expect(digestOf(plain, TOKEN)).toBe(digestOf(testConfig({}), TOKEN));
  expect(digestOf(open, TOKEN)).not.toBe(digestOf(plain, TOKEN));
  expect(digestOf(plain, `${TOKEN}x`)).not.toBe(digestOf(plain, TOKEN));
});
