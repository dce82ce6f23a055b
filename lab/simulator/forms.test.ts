import { expect, it } from "@jest/globals";
import { answerForm } from "./cast.ts";
import type { Simulator } from "./simulator.ts";
import { errors, game, printed } from "./testing/helpers.ts";

const pack = `
  import { world, system } from "@minecraft/server";
  import { ActionFormData, MessageFormData, FormRejectError, uiManager } from "@minecraft/server-ui";
  const say = (what, promise) => promise.then(
    r => console.log(what, r.canceled, r.cancelationReason, r.selection),
    e => console.log(what, e.name, e.reason, e instanceof FormRejectError));
  world.afterEvents.chatSend.subscribe(({ message, sender }) => {
    if (message === "close") uiManager.closeAllForms(sender);
    else if (message === "message") say(message, new MessageFormData().title("t").body("b").button1("1").button2("2").show(sender));
    else say(message, new ActionFormData().title({ translate: "title" }).body("body").label("note")
      .button("Accept", "textures/ui/check").button({ text: "Decline" }).show(sender));
  });
`;

async function withSteve(): Promise<{ simulator: Simulator; open: (text: string) => Promise<void> }> {
  const simulator = await game(pack);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  return {
    simulator,
    async open(text) {
      steve.say(text);
      await simulator.tick(2);
    },
  };
}

it("answers UserBusy after the player's ping, and closes another pack's form with its own", async () => {
  const { simulator, open } = await withSteve();
  const steve = simulator.world.player("Steve");
  steve.showOther("Shop");
  expect(() => steve.showOther("Bank")).toThrow("Steve is busy");
  steve.ping = 300;
  await open("late");
  expect(printed(simulator)).toEqual([]);
  await simulator.tick(5);
  expect(printed(simulator)).toEqual(["late true UserBusy undefined"]);
  expect(steve.form?.title).toBe("Shop");
  await open("close");
  expect(steve.form).toBeUndefined();
});

it("is answered by the accept or decline button, and not by a button whose text only ends with such a word", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    import { ActionFormData } from "@minecraft/server-ui";
    world.afterEvents.chatSend.subscribe(({ sender }) => {
      const form = new ActionFormData().title("title").body("body");
      for (const text of ["Casino", "Eyes", "No", "Yes"]) form.button(text);
      form.show(sender);
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  for (const [answer, button] of [
    ["decline", "No"],
    ["accept", "Yes"],
  ] as const) {
    steve.say("again");
    await simulator.tick(2);
    expect(answerForm(steve, answer)).toBe(button);
    await simulator.tick();
  }
});

it("shows a client's own text for %key in a plain text", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    world.afterEvents.chatSend.subscribe(({ message }) => world.sendMessage(message));
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  steve.say("%gui.accept %§rgui.accept 5%gui", { targets: [] });
  await simulator.tick(2);
  expect(steve.chat).toEqual(["<Steve> %gui.accept %§rgui.accept 5%gui", "Accept %§rgui.accept 5%gui"]);
});

it("rejects the form of a player who leaves, and every form at shutdown", async () => {
  const { simulator, open } = await withSteve();
  await open("one");
  simulator.world.player("Steve").leave();
  await simulator.tick();
  const alex = simulator.world.join("Alex");
  alex.say("two");
  await simulator.tick(2);
  await simulator.stop();
  expect(errors(simulator)).toEqual([]);
  expect(printed(simulator)).toEqual([
    "one FormRejectError PlayerQuit true",
    "two FormRejectError ServerShutdown true",
  ]);
});

it("passes what a player typed into a modal form to the script, and the reason for which a form was closed", async () => {
  const simulator = await game(`
    import { world } from "@minecraft/server";
    import { ModalFormData } from "@minecraft/server-ui";
    world.afterEvents.chatSend.subscribe(({ sender }) => {
      new ModalFormData().title("Chat").textField("Text", "Hello", { defaultValue: "hi" }).submitButton("Send").show(sender)
        .then(r => console.log(r.canceled, r.cancelationReason, JSON.stringify(r.formValues)));
    });
  `);
  const steve = simulator.world.join("Steve");
  await simulator.tick();
  const open = async (): Promise<void> => {
    steve.say("again");
    await simulator.tick(2);
  };
  await open();
  expect(steve.form).toMatchObject({
    kind: "modal",
    title: "Chat",
    buttons: ["Send"],
    fields: [{ label: "Text", placeholder: "Hello", value: "hi" }],
  });
  expect(() => steve.fill("one", "two")).toThrow("the form has 1 fields");
  steve.fill("how are you");
  await open();
  answerForm(steve, "accept");
  await open();
  steve.closeForm();
  await simulator.tick();
  expect(printed(simulator)).toEqual([
    'false undefined ["how are you"]',
    'false undefined ["hi"]',
    "true UserClosed undefined",
  ]);
});
