import { describe, expect, it } from "@jest/globals";
import { type Stage, stage } from "../testing/compiled.ts";
import { linkOpen } from "../testing/harness.ts";
import { ACCEPT_SLOT, BROWSER_SLOT, CHEST_FLAG, CHEST_SLOTS, DECLINE_SLOT } from "./chest-form.ts";

/** A player who has been asked, in the form that the sidecar wants. */
async function asked(linkForm: "buttons" | "chest") {
  const made = await stage();
  made.sidecar.linkForm = linkForm;
  const steve = await made.join("Steve");
  made.sidecar.act(linkOpen("r1"));
  await made.sim.until(() => steve.form !== undefined);
  return { stage: made, steve };
}

const answers = ({ sidecar }: Stage): boolean[] => sidecar.of("answered").map(({ accepted }) => accepted);

describe("the link form as a chest", () => {
  it("has 27 slots, of which a paper and two kinds of wool are not empty", async () => {
    const { steve } = await asked("chest");
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
  ])("takes slot %i for the answer", async (slot, accepted) => {
    const { stage: at, steve } = await asked("chest");
    steve.answer(slot);
    await at.sim.until(() => answers(at).length > 0);
    expect(answers(at)).toEqual([accepted]);
    await at.sim.tick(60);
    expect(steve.formsShown).toBe(1);
  });

  it("takes every other slot for none and comes back", async () => {
    const { stage: at, steve } = await asked("chest");
    const others = Array.from({ length: CHEST_SLOTS }, (_, slot) => slot).filter(
      slot => slot !== 11 && slot !== 15,
    );
    let shown = 1;
    for (const slot of others) {
      steve.answer(slot);
      shown++;
      await at.sim.until(() => steve.formsShown === shown);
    }
    expect(answers(at)).toEqual([]);
    steve.answer(11);
    await at.sim.until(() => answers(at).length > 0);
  });
});

describe("the link form with buttons", () => {
  it("has two of them, with green and red wool, no flag and no word of colours", async () => {
    const { steve } = await asked("buttons");
    expect(steve.form).toMatchObject({ title: "Link", body: "Browser 0123abcd?", buttons: ["Yes", "No"] });
    expect(steve.form?.icons).toEqual([
      "textures/blocks/wool_colored_lime",
      "textures/blocks/wool_colored_red",
    ]);
  });
});
