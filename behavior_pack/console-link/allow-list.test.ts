import { describe, expect, it } from "@jest/globals";
import type { Task } from "../../shared/console-link/messages.ts";
import type { Result } from "../../shared/result.ts";
import type { ActionResult, PendingAction } from "../bridge/action-queue.ts";
import { createConsoleKick } from "../game/console-kick.ts";
import { createWhitelist } from "../whitelist/whitelist.ts";
import { createConsoleAllowList } from "./allow-list.ts";

/** A console with an allowlist, which does its tasks in order when `answer` is called. */
function fakeConsole(names: string[] = []) {
  const given: Task[] = [];
  const open: { task: Task; done: (result: Result<unknown>) => void }[] = [];

  function resultOf(task: Task): unknown {
    if (task.do === "allowlist") return [...names];
    if (task.do === "listed") return names.includes(task.name);
    if (task.do === "allowlist-add") names.push(task.name);
    if (task.do === "allowlist-remove") names.splice(names.indexOf(task.name), 1);
    return true;
  }

  return {
    names,
    given,
    run(task: Task, done: (result: Result<unknown>) => void) {
      given.push(task);
      open.push({ task, done });
    },
    /** Answers the oldest open task. */
    answer(result?: Result<unknown>) {
      const next = open.shift();
      next?.done(result ?? { value: resultOf(next.task) });
    },
    isIdle: () => open.length === 0,
  };
}

/** Answers a task in each tick until the action has a result. */
function finish(console: ReturnType<typeof fakeConsole>, action: ActionResult | PendingAction): ActionResult {
  let now = action;
  for (let tick = 0; typeof now === "function" && tick < 300; tick++) {
    console.answer();
    now = now();
  }
  if (typeof now === "function") throw new Error("the action has no result");
  return now;
}

const context = { id: "1", sentAt: 0 };
const add = { do: "allowlist-add", name: "Two Words" } as const;
const remove = { do: "allowlist-remove", name: "Two Words" } as const;

function whitelistOver(console: ReturnType<typeof fakeConsole>) {
  const reported: unknown[] = [];
  const list = createConsoleAllowList(console.run);
  const { actions } = createWhitelist({ report: fact => reported.push(fact) }, () => list);
  return { actions, reported };
}

describe("the allowlist over the game's console", () => {
  it("is reported as the console lists it", () => {
    const console = fakeConsole(["Steve", "Zoë"]);
    const { actions, reported } = whitelistOver(console);
    expect(finish(console, actions["allowlist-read"]({ do: "allowlist-read" }, context)).status).toBe("done");
    expect(reported).toEqual([{ is: "names", id: "1", names: ["Steve", "Zoë"] }]);
  });

  it("has a name added only after it was read back", () => {
    const console = fakeConsole();
    const { actions } = whitelistOver(console);
    expect(finish(console, actions["allowlist-add"](add, context)).status).toBe("done");
    expect(console.given.map(task => task.do)).toEqual(["listed", "allowlist-add", "listed"]);
    expect(finish(console, actions["allowlist-add"](add, context)).status).toBe("done");
    expect(console.names).toEqual(["Two Words"]);
  });

  it("has a name removed only after it was read back, and then has none", () => {
    const console = fakeConsole(["Two Words", "Steve"]);
    const { actions } = whitelistOver(console);
    expect(finish(console, actions["allowlist-remove"](remove, context)).status).toBe("done");
    expect(console.given.map(task => task.do)).toEqual(["listed", "allowlist-remove", "listed"]);
    expect(finish(console, actions["allowlist-remove"](remove, context)).status).toBe("absent");
    expect(console.names).toEqual(["Steve"]);
  });

  it("fails with the reason of launch where the console does not change it", () => {
    const console = fakeConsole();
    const { actions } = whitelistOver(console);
    const answers: Result<unknown>[] = [{ value: false }, { fault: "Timeout" }];
    let now = actions["allowlist-add"](add, context);
    for (let tick = 0; typeof now === "function" && tick < 50; tick++) {
      console.answer(answers.shift() ?? { value: false });
      now = now();
    }
    expect(now).toEqual({ status: "failed", reason: "Timeout" });
  });

  it("fails where the console does not answer", () => {
    const { actions } = whitelistOver(fakeConsole());
    let now = actions["allowlist-read"]({ do: "allowlist-read" }, context);
    for (let tick = 0; typeof now === "function" && tick < 300; tick++) now = now();
    expect(now).toMatchObject({ status: "failed" });
  });

  it("fails when launch answers with something else", () => {
    const console = fakeConsole();
    const names = createConsoleAllowList(console.run).names();
    console.answer({ value: [1] });
    expect(names).toThrow();
  });

  it("has at most four tasks at the console at the same time, and begins them in order", () => {
    const console = fakeConsole();
    const list = createConsoleAllowList(console.run);
    const polls = Array.from({ length: 20 }, (_, i) => list.lists(`Player ${i}`));
    expect(console.given).toHaveLength(4);
    while (!console.isIdle()) {
      expect(console.given.length - polls.filter(poll => poll() !== undefined).length).toBeLessThanOrEqual(4);
      console.answer();
    }
    expect(console.given).toEqual(polls.map((_, i) => ({ do: "listed", name: `Player ${i}` })));
  });
});

describe("a kick over the game's console", () => {
  it("shows the reason literally, and fails with the reason of launch", () => {
    const console = fakeConsole();
    const kick = createConsoleKick(console.run);
    const done = kick({ name: "Steve" }, "%gui.ok");
    const failed = kick({ name: "Alex" }, undefined);
    expect(console.given).toEqual([
      { do: "kick", name: "Steve", reason: "%§rgui.ok" },
      { do: "kick", name: "Alex" },
    ]);
    expect(done()).toBeUndefined();
    console.answer();
    console.answer({ fault: "Timeout" });
    expect(done()).toBe(true);
    expect(failed).toThrow(expect.objectContaining({ name: "Timeout" }));
  });
});
