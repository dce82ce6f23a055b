import { expect, it } from "@jest/globals";
import { ClientClosedError, ClientOfflineError, DisconnectsClientError } from "@redis/client";
import { describeFault } from "./faults.ts";

const errno = (code: string): Error => Object.assign(new Error(`read ${code}`), { code });

it.each(["ECONNRESET", "EPIPE"])("%s is reported like any lost connection", code => {
  expect(describeFault(errno(code))).toBe("the connection was lost");
});

it.each([DisconnectsClientError, ClientClosedError, ClientOfflineError])(
  "a connection dropped before an answer is reported the same way: %p",
  Lost => {
    expect(describeFault(new Lost())).toBe("the connection was lost");
  },
);
