import { afterEach, expect, it, jest } from "@jest/globals";
import { SimulatedHttp } from "./http.ts";
import { Sender } from "./send.ts";

afterEach(() => void jest.restoreAllMocks());

it("sends a duplicate, even long after the first response", () => {
  const sent: string[] = [];
  jest.spyOn(Sender.prototype, "send").mockImplementation(({ url }, arrived) => {
    sent.push(url.pathname);
    arrived({ status: 200, headers: [], body: "" });
    return () => undefined;
  });
  const http = new SimulatedHttp({}, () => 0, []);
  http.setFaults(() => ({ kind: "duplicate", afterTicks: 30 }));
  const request = { id: 1, uri: "http://localhost/twice", method: "Get", headers: [], timeout: 0 };
  expect(http.request(JSON.stringify(request), "")).toBe("");
  const answered = Array.from({ length: 30 }, () => http.advance()).flat();
  expect([sent, answered.length]).toEqual([["/twice"], 1]);
  http.advance();
  expect(sent).toEqual(["/twice", "/twice"]);
  expect(http.recent).toMatchObject([{ path: "/twice", fault: "duplicate" }]);
});
