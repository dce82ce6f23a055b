import { createHook } from "node:async_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "@jest/globals";
import { keepTicksFast } from "./descriptors.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Objects that Node creates for ticks; weak references, which do not keep them alive. */
function ticksOf(begin: () => void): WeakRef<object>[] {
  const ticks: WeakRef<object>[] = [];
  const hook = createHook({
    init: (_id, type, _trigger, resource) =>
      void (type === "TickObject" && ticks.push(new WeakRef(resource))),
  });
  hook.enable();
  begin();
  hook.disable();
  return ticks;
}

test("an object that Node creates for a tick is kept, and those of other ticks are not", async () => {
  const own = ticksOf(keepTicksFast);
  const other = ticksOf(() => process.nextTick(() => undefined));
  await turn();
  collect();
  await turn();

  const areThere = (ticks: WeakRef<object>[]): boolean[] => ticks.map(tick => tick.deref() !== undefined);
  expect(areThere(own)).toEqual([true]);
  expect(areThere(other)).toEqual([false]);
});
