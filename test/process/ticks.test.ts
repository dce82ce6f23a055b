import { executionAsyncResource } from "node:async_hooks";
import { expect, test } from "@jest/globals";

test("Node makes an object of each tick, which the tick itself can get hold of", async () => {
  const callback = (resolve: (resource: object) => void): void => resolve(executionAsyncResource());
  const resource = await new Promise<object>(resolve => process.nextTick(callback, resolve));

  expect(resource).toMatchObject({ callback });
});
