import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "@jest/globals";
import { createTakeOver } from "../../sidecar/http/events/take-over.ts";

// Own connections: makes one up that leads nowhere.

it("a connection that cannot be gone on with where Node does not hand it out ends alone, and the fault is told", () => {
  const later: (() => void)[] = [];
  const faults: unknown[] = [];
  const takeOver = createTakeOver({ soon: callback => void later.push(callback) }, fault =>
    faults.push(fault),
  );
  const socket = new Socket();
  const req = new IncomingMessage(socket);
  const res = new ServerResponse(req);
  res.assignSocket(socket);
  takeOver.begin(req, res, () => {
    throw new Error("broken");
  });
  for (const callback of later) callback();
  expect([faults, socket.destroyed]).toEqual([[new Error("broken")], true]);
});
