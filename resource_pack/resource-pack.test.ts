import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { CHEST_FLAG, CHEST_SLOTS } from "../behavior_pack/linking/chest-form.ts";
import { VANILLA } from "./testing/vanilla.ts";

const root = new URL("../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Control = { [key: string]: Json };
const json = <T = Control>(path: string): T => JSON.parse(read(path)) as T;

const files = readdirSync(new URL("resource_pack/ui/", root)).filter(name => name !== "_ui_defs.json");
const own = new Map(files.map(name => [name, json<Control>(`resource_pack/ui/${name}`)] as const));

/** Every key and every string below a value. */
function words(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(words);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => [key, ...words(held)]);
}

/** The control of a name, with or without what it is derived from. */
function control(file: string, name: string): Control {
  const found = Object.entries(own.get(file) ?? {}).find(([key]) => key.split("@")[0] === name);
  return (found?.[1] ?? {}) as Control;
}

const all = [...own.values()].flatMap(words);
const found = (pattern: RegExp): string[] =>
  [...new Set(all.flatMap(word => [...word.matchAll(pattern)].map(([whole]) => whole)))].sort();

describe("the files of the interface", () => {
  it("are all listed, except the game's own file", () => {
    const { ui_defs } = json<{ ui_defs: string[] }>("resource_pack/ui/_ui_defs.json");
    expect([...ui_defs, "ui/server_form.json"].sort()).toEqual(files.map(name => `ui/${name}`).sort());
  });

  it("refer only to existing controls of the pack or the game", () => {
    const mine = [...own.values()].flatMap(file =>
      Object.keys(file).map(key => `${file.namespace}.${key.split("@")[0]}`),
    );
    const named = all.flatMap(word => [
      ...word.split("@").slice(1),
      ...(/^(common|common_\w+|server_form|web_bridge_form)\.\w+$/.test(word) ? [word] : []),
    ]);
    expect(named.length).toBeGreaterThan(10);
    const foreign = [...new Set(named)].filter(name => !mine.includes(name)).sort();
    expect(foreign).toEqual(VANILLA.controls);
  });

  it.each([
    ["variables", /(?<!\w)\$(?!web_bridge_)\w+/g, VANILLA.variables],
    ["bindings", /#\w+/g, VANILLA.bindings],
    ["buttons", /^button\.\w+$/g, VANILLA.buttons],
    ["textures", /^textures\/.*/g, VANILLA.textures],
    ["renderers", /^\w+_renderer$/g, VANILLA.renderers],
  ])("use only the %s of the game that are listed, and all of them", (_what, pattern, listed) => {
    expect(found(pattern)).toEqual(listed);
  });

  it("use exactly the listed properties of controls", () => {
    const properties = (one: Control): string[] => [
      ...Object.keys(one).filter(key => !key.startsWith("$")),
      ...((one.controls ?? []) as Record<string, Control>[]).flatMap(part =>
        Object.values(part).flatMap(properties),
      ),
    ];
    const used = [...own.values()].flatMap(({ namespace: _name, ...controls }) =>
      Object.values(controls).flatMap(one => properties(one as Control)),
    );
    expect([...new Set(used)].sort()).toEqual(VANILLA.properties);
  });
});

describe("the expressions of bindings", () => {
  /** Every binding below a value. */
  function bindings(value: Json): Control[] {
    if (Array.isArray(value)) return value.flatMap(bindings);
    if (typeof value !== "object" || value === null) return [];
    const own = Array.isArray(value.bindings) ? (value.bindings as Control[]) : [];
    return [...own, ...Object.values(value).flatMap(bindings)];
  }
  const views = [...own.values()].flatMap(bindings).filter(one => one.binding_type === "view");
  const expressions = views.map(view => String(view.source_property_name));

  it.each(expressions)("hold nothing but what clients are known to evaluate: %s", expression => {
    // Texts, properties, and their difference and sameness. A wrong one is an error on the client since 1.26.60.
    const text = "'[^'%]*'";
    const property = "#\\w+";
    const term = `(?:${text}|${property}|\\(${property} - ${text}\\))`;
    const same = `\\(${term} = ${term}\\)`;
    const either = `(?:${same}|\\(${same} or ${same}\\))`;
    expect(expression).toMatch(new RegExp(`^(?:${either}|\\(not ${either}\\))$`));
  });
});

describe("the form for every title", () => {
  const branches = (control("server_form.json", "long_form").controls as Control[]).map(
    branch => Object.entries(branch)[0] as [string, Control],
  );
  const visibleWhen = ([, branch]: [string, Control]): Json =>
    (branch.bindings as Control[]).find(binding => binding.target_property_name === "#visible")
      ?.source_property_name ?? null;

  it("is the game's own without the flag, and the chest with it", () => {
    expect(branches.map(([name]) => name)).toEqual([
      "every_other_form@common_dialogs.main_panel_no_buttons",
      "web_bridge_form@web_bridge_form.chest",
    ]);
    const [other, chest] = branches.map(visibleWhen);
    expect(other).toBe(`((#title_text - '${CHEST_FLAG}') = #title_text)`);
    expect(chest).toBe(`(not ${other})`);
    expect(branches[0]?.[1].$child_control).toBe("server_form.long_form_panel");
  });

  it("has the script's flag before the title, which is invisible and does not change the title", () => {
    expect(CHEST_FLAG).toMatch(/^(§[0-9a-gr])+$/);
    expect(CHEST_FLAG.endsWith("§r")).toBe(true);
    expect(CHEST_FLAG.length).toBeGreaterThanOrEqual(8);
  });
});

describe("the chest", () => {
  const slots = control("web_bridge_form.json", "slots");

  it("has nine columns and three rows, one for each button of the form", () => {
    expect(slots).toMatchObject({ type: "grid", grid_dimensions: [9, 3], size: [9 * 18, 3 * 18] });
    expect(9 * 3).toBe(CHEST_SLOTS);
    expect(slots.collection_name).toBe(VANILLA.collections[0]);
  });

  it("binds icon, name and press of each slot to the form's buttons", () => {
    const collections = found(/^form_buttons$/g);
    expect(collections).toEqual(VANILLA.collections);
    const slot = JSON.stringify(control("web_bridge_form.json", "slot"));
    expect(slot).toContain('"binding_type":"collection_details"');
    expect(slot).toContain('"#form_button_texture"');
    expect(JSON.stringify(control("web_bridge_form.json", "touched"))).toContain('"#form_button_text"');
  });

  it("reads each slot's name aloud, and disables slots without a name", () => {
    const parts = control("web_bridge_form.json", "slot").controls as Record<string, Control>[];
    const press = parts.find(part => "press@common.button" in part)?.["press@common.button"];
    const bindings = press?.bindings as Control[];
    // The text that the game's own button uses as its name is read aloud; it is in the slot's own bindings.
    expect(press?.$button_tts_header).toBe("#form_button_text");
    expect(bindings).toContainEqual({
      binding_type: "collection",
      binding_collection_name: VANILLA.collections[0],
      binding_name: "#form_button_text",
    });
    for (const target of ["#enabled", "#focus_enabled"])
      expect(bindings).toContainEqual({
        binding_type: "view",
        source_property_name: "(not (#form_button_text = ''))",
        target_property_name: target,
      });
  });

  it("shows icons of the game", () => {
    const script = read("behavior_pack/game/forms.ts");
    expect([...script.matchAll(/textures\/\w+\/\w+/g)].map(([icon]) => icon).sort()).toEqual(VANILLA.icons);
  });
});

describe("the pack", () => {
  interface Manifest {
    header: { uuid: string; name: string; description: string; min_engine_version: number[] };
    modules: { type: string; uuid: string }[];
    dependencies?: { uuid?: string }[];
  }
  const resources = json<Manifest>("resource_pack/manifest.json");
  const behavior = json<Manifest>("manifest.json");

  it("has ids that no other pack or module of the product has", () => {
    const ids = [resources, behavior]
      .flatMap(({ header, modules }) => [header, ...modules])
      .map(one => one.uuid);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("is one of resources, for the same game as the behavior pack, named in the player's language", () => {
    expect(resources.modules.map(({ type }) => type)).toEqual(["resources"]);
    expect(resources.header.min_engine_version).toEqual(behavior.header.min_engine_version);
    expect(resources.header).toMatchObject({ name: "pack.name", description: "pack.description" });
  });

  it("is built with a text file for each language", () => {
    const languages = json<string[]>("dist/resource_pack/texts/languages.json");
    expect(languages).toEqual(
      readdirSync(new URL("languages/", root)).map(name => name.replace(".json", "")),
    );
    for (const locale of languages) {
      const { pack } = json<{ pack: Record<string, string> }>(`languages/${locale}.json`);
      expect(read(`dist/resource_pack/texts/${locale}.lang`)).toBe(
        `pack.name=${pack.name}\npack.description=${pack.description}\n`,
      );
    }
    expect(json<Manifest>("dist/resource_pack/manifest.json").header.uuid).toBe(resources.header.uuid);
    expect(read("dist/resource_pack/ui/server_form.json")).toBe(read("resource_pack/ui/server_form.json"));
  });
});
