import { describe, expect, it } from "@jest/globals";
import { referencePage } from "../../lab/reference/page.ts";
import { asyncApi } from "../../sidecar/features/docs/asyncapi.ts";
import { callId } from "../../sidecar/features/docs/page/calls.ts";
import { callsOf } from "../../sidecar/features/docs/words.ts";
import { openApi } from "../../sidecar/routes.ts";
import { testConfig } from "../helpers/sidecar.ts";

const { api } = testConfig().modules;
const page = referencePage(openApi(api), asyncApi(api), "p{}", "export {};");

describe("the API page in an archive", () => {
  it("has every call, and links only to its own anchors", () => {
    const rest = openApi(api);
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    for (const call of callsOf(rest)) expect(ids).toContain(callId(call));
    for (const [, target = ""] of page.matchAll(/ href="([^"]*)"/g)) {
      expect(target).toMatch(/^#/);
      expect(ids).toContain(target.slice(1));
    }
  });

  it("needs no other file, except the badge that a service draws", () => {
    expect([...page.matchAll(/ src="([^"]*)"/g)].map(([, file]) => file)).toEqual(["badge.svg"]);
    expect(page).toContain("<style>p{}</style>");
  });

  it("names a header only at the errors that carry it", () => {
    const rows = (code: string): string[] =>
      [...page.matchAll(/<dt>503 <code>(\w+)<\/code><\/dt><dd>(.*?)<\/dd>/gs)].flatMap(
        ([, named, said = ""]) => (named === code ? said : []),
      );
    expect(rows("admin_api_disabled").length * rows("server_unavailable").length).toBeGreaterThan(0);
    for (const row of rows("admin_api_disabled")) expect(row).not.toContain("Retry-After");
    for (const row of rows("server_unavailable")) expect(row).toContain("With <code>Retry-After</code>.");
  });
});
