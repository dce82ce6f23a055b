import { beforeEach, expect, it } from "@jest/globals";
import { errors } from "oidc-provider";
import { createAdapters } from "../../sidecar/features/sign-in/provider/adapter.ts";
import { createMemorySignIn } from "../helpers/memory-store.ts";

const CODE = { grantId: "grant" };
let codes: ReturnType<ReturnType<typeof createAdapters>>;
let grants: typeof codes;
beforeEach(async () => {
  const adapterOf = createAdapters(
    createMemorySignIn(() => 0),
    [],
    errors,
  );
  [codes, grants] = [adapterOf("AuthorizationCode"), adapterOf("Grant")];
  await codes.upsert("code", CODE, 60);
  await grants.upsert("grant", {}, 60);
});

it("a code is used once, and what it gave is good", async () => {
  await codes.consume("code");
  expect(await codes.find("code")).toEqual({ ...CODE, consumed: true });
  expect(await grants.find("grant")).toEqual({});
});

it("a code that two use at once gives nothing to either: nobody knows which of them is the thief", async () => {
  const both = await Promise.allSettled([codes.consume("code"), codes.consume("code")]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(await grants.find("grant")).toBeUndefined();
});
