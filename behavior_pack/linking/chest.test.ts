import { describe, expect, it } from "@jest/globals";
import { type CompiledPack, startCompiledPack } from "../testing/compiled.ts";
import { linkOpen } from "../testing/harness.ts";
import { ACCEPT_SLOT, BROWSER_SLOT, CHEST_FLAG, CHEST_SLOTS, DECLINE_SLOT } from "./chest-form.ts";

/** A player with a link form of the look that the sidecar wants. */
async function withForm(linkForm: "buttons" | "chest") {
  const made = await startCompiledPack();
  made.sidecar.linkForm = linkForm;
  const steve = await made.join("Steve");
  made.sidecar.act(linkOpen("r1"));
  await made.sim.until(() => steve.form !== undefined);
  return { startCompiledPack: made, steve };
}

const answers = ({ sidecar }: CompiledPack): boolean[] =>
  sidecar.of("answered").map(({ accepted }) => accepted);

describe("the link form as a chest", () => {
  it("has 27 slots, with a paper and two kinds of wool", async () => {
    const { steve } = await withForm("chest");
    const { form } = steve;
    expect(form?.title).toBe(`${CHEST_FLAG}Link`);
    // A label would count as a slot, and not as a button.
    expect(form?.labels).toEqual([]);
    expect(form?.body).toBe("Browser 0123abcd?\nGreen yes, red no");
    const full = [...(form?.buttons ?? []).entries()].filter(
      ([slot, text]) => text !== "" || form?.icons[slot],
    );
    expect(form?.buttons).toHaveLength(CHEST_SLOTS);
    expect(form?.icons).toHaveLength(CHEST_SLOTS);
    expect(full).toEqual([
      [BROWSER_SLOT, "browser 0123abcd"],
      [ACCEPT_SLOT, "Yes"],
      [DECLINE_SLOT, "No"],
    ]);
    expect(full.map(([slot]) => form?.icons[slot])).toEqual([
      "textures/items/paper",
      "textures/blocks/wool_colored_green",
      "textures/blocks/wool_colored_red",
    ]);
    expect([BROWSER_SLOT, ACCEPT_SLOT, DECLINE_SLOT, CHEST_SLOTS]).toEqual([4, 11, 15, 27]);
  });

  it.each([
    [11, true],
    [15, false],
  ])("takes slot %i as the answer", async (slot, accepted) => {
    const { startCompiledPack: at, steve } = await withForm("chest");
    steve.answer(slot);
    await at.sim.until(() => answers(at).length > 0);
    expect(answers(at)).toEqual([accepted]);
    await at.sim.tick(60);
    expect(steve.formsShown).toBe(1);
  });

  it("takes every other slot as no answer, and opens again", async () => {
    const { startCompiledPack: at, steve } = await withForm("chest");
    const others = Array.from({ length: CHEST_SLOTS }, (_, slot) => slot).filter(
      slot => slot !== 11 && slot !== 15,
    );
    let shows = 1;
    for (const slot of others) {
      steve.answer(slot);
      shows++;
      await at.sim.until(() => steve.formsShown === shows);
    }
    expect(answers(at)).toEqual([]);
    steve.answer(11);
    await at.sim.until(() => answers(at).length > 0);
  });
});

describe("the link form with buttons", () => {
  it("has two buttons with green and red wool, no flag and no mention of colours", async () => {
    const { steve } = await withForm("buttons");
    expect(steve.form).toMatchObject({ title: "Link", body: "Browser 0123abcd?", buttons: ["Yes", "No"] });
    expect(steve.form?.icons).toEqual([
      "textures/blocks/wool_colored_lime",
      "textures/blocks/wool_colored_red",
    ]);
  });
});
