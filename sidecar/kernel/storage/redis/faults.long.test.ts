import { expect, it } from "@jest/globals";
import { ClientClosedError, ClientOfflineError, DisconnectsClientError } from "@redis/client";
import { inWords } from "./faults.ts";

const errno = (code: string): Error => Object.assign(new Error(`read ${code}`), { code });

it.each(["ECONNRESET", "EPIPE"])(
  "a connection that ends with %s was lost, as any other one: it is told once",
  code => {
    expect(inWords(errno(code))).toBe("the connection was lost");
  },
);

it.each([DisconnectsClientError, ClientClosedError, ClientOfflineError])(
  "so was one that was given up before an answer came: %p",
  Lost => {
    expect(inWords(new Lost())).toBe("the connection was lost");
  },
);
