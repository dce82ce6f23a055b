import { describe, expect, it } from "@jest/globals";
import { errorBody } from "../../../test/helpers/errors.ts";
import { serving } from "../../../test/helpers/serving.ts";

const side = serving();
const ask = (query = "", headers = {}, method = "GET") => side.ask(`/badge.svg${query}`, { headers, method });
/** The accessible name, and the visible texts. */
async function read(query = ""): Promise<string[]> {
  const { text: svg } = await ask(query);
  const named = /^<svg [^>]*aria-label="([^"]*)"><title>([^<]*)<\/title>/.exec(svg) ?? [];
  expect(named[1]).toBe(named[2]);
  return [named[1] ?? "", ...[...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text ?? "")];
}

describe("the badge", () => {
  it.each([
    [undefined, "", "offline"],
    [[], "", "0 online"],
    [["Steve"], "", "1 online"],
    [["Steve", "Alex"], "server: {info: {max-players: 20}}", "2/20 online"],
  ])("describes %j", async (players, yaml, state) => {
    await side.start(yaml, players);
    expect(await read()).toEqual([`Game server: ${state}`, "Game server", state]);
  });

  it("shows the owner's title or the requested label: 40 characters, however many bytes", async () => {
    await side.start(`modules: {web: {title: 'Oak & "Stone" </text><script>'}}`);
    const title = "Oak &amp; &quot;Stone&quot; &lt;/text&gt;&lt;script&gt;";
    expect(await read()).toEqual([`${title}: offline`, title, "offline"]);
    const trees = "🌳".repeat(40);
    for (const [query, label] of [
      ["%3Cb%3E%20%26amp;", "&lt;b&gt; &amp;amp;"],
      [encodeURIComponent(" 木と石 🌳 "), "木と石 🌳"],
      ["now%20playing&_=2", "now playing"],
      [encodeURIComponent(trees), trees],
    ])
      expect((await read(`?label=${query}`))[1]).toBe(label);
    expect((await ask(`?label=${encodeURIComponent(`${trees}.`)}`)).status).toBe(400);
  });

  it.each([
    "label=",
    "label=%20",
    "label=a&label=b",
    "label=a&v=2",
    "label=a%00b",
    "label=a%0Ab",
    "label=%EF%BF%BF",
  ])("refuses ?%s", async query => {
    await side.start();
    expect(await ask(`?${query}`)).toMatchObject({ status: 400, json: errorBody("invalid_query") });
  });

  it("is available when the web console is turned off, for other sites", async () => {
    await side.start("modules: {web: {enabled: false}}");
    expect((await read())[2]).toBe("offline");
  });
});
