import { expect, it } from "@jest/globals";
import type { Simulator } from "../../lab/simulator/simulator.ts";
import { errors, game, printed } from "./helpers.ts";

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

it("shows a form with flat texts and hands over the answer on a tick", async () => {
  const { simulator, open } = await withSteve();
  const steve = simulator.world.player("Steve");
  await open("one");
  expect(steve.form).toMatchObject({
    kind: "action",
    title: "title",
    body: "body",
    buttons: ["Accept", "Decline"],
    icons: ["textures/ui/check", null],
    labels: ["note"],
  });
  expect(() => steve.answer(2)).toThrow("no button 2");
  steve.answer(1);
  expect(printed(simulator)).toEqual([]);
  await simulator.tick();
  expect(printed(simulator)).toEqual(["one false undefined 1"]);
  await open("message");
  steve.answer(0);
  await simulator.tick();
  expect(printed(simulator).at(-1)).toBe("message false undefined 0");
});

it("answers UserBusy while another screen or form is open", async () => {
  const { simulator, open } = await withSteve();
  const steve = simulator.world.player("Steve");
  steve.busy = true;
  await open("busy");
  steve.busy = false;
  await open("first");
  await open("second");
  expect(printed(simulator)).toEqual(["busy true UserBusy undefined", "second true UserBusy undefined"]);
  expect(steve.formsShown).toBe(1);
});

it("answers UserBusy as late as the player's ping says, and closes another pack's form with its own", async () => {
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

it("shows what a client makes of %key in a plain text", async () => {
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

it("answers UserClosed when the player or the script closes the form", async () => {
  const { simulator, open } = await withSteve();
  const steve = simulator.world.player("Steve");
  await open("one");
  steve.closeForm();
  await simulator.tick();
  await open("two");
  await open("close");
  await simulator.tick();
  expect(steve.form).toBeUndefined();
  expect(printed(simulator)).toEqual(["one true UserClosed undefined", "two true UserClosed undefined"]);
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
