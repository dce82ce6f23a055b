import type { Adapter, AdapterPayload, errors } from "oidc-provider";
import { check, checkJson, object, text } from "../../../../shared/guard.ts";
import type { SignInClient } from "../../../config/sign-in.ts";
import type { SignInStore } from "../records.ts";
import { isListed } from "./settings.ts";

/** Models that are kept. Of a session of the provider nothing is: who somebody is the link of the browser says. */
const KEPT = ["Interaction", "AuthorizationCode", "AccessToken", "Grant"];

const ID = /^[\w-]{1,128}$/;
/** Of an address to which a browser may come back. */
const LONGEST = 2_048;
const anyObject = object({});
/** What a sign-in under way is for. */
const begun = object({ params: object({ client_id: text(LONGEST), redirect_uri: text(LONGEST) }) });

/**
 * Where the provider has what it keeps. How long that lasts only the store decides, by the one clock that all sidecars go by: what
 * is found says of no time at which it ends.
 */
export function createAdapters(
  store: SignInStore,
  clients: readonly SignInClient[],
  { InvalidGrant }: Pick<typeof errors, "InvalidGrant">,
): (model: string) => Adapter {
  async function find(key: string): Promise<AdapterPayload | undefined> {
    const row = await store.get(key);
    const held = row && checkJson(anyObject, row.text);
    if (held === undefined || "fault" in held) return undefined;
    const payload: AdapterPayload = { ...held.value, ...(row?.isUsed && { consumed: true }) };
    delete payload.exp;
    delete payload.iat;
    return payload;
  }

  /** The owner may have taken out site or address since. The library asks for that at the beginning alone. */
  function mayGoOn(interaction: AdapterPayload): boolean {
    const found = check(begun, interaction);
    if ("fault" in found) return false;
    const { client_id, redirect_uri } = found.value.params;
    return clients.some(({ id, redirectUris }) => id === client_id && isListed(redirectUris, redirect_uri));
  }

  return model => {
    const keyOf = (id: string): string => `${model}:${id}`;
    const isKept = (id: string): boolean => KEPT.includes(model) && ID.test(id);
    return {
      async upsert(id, payload, expiresIn = Number.NaN) {
        if (!isKept(id)) return;
        // Something that is changed lasts no longer for it.
        const forMs = Number.isFinite(expiresIn) ? expiresIn * 1_000 : (await store.get(keyOf(id)))?.leftMs;
        if (forMs !== undefined && forMs > 0) await store.put(keyOf(id), JSON.stringify(payload), forMs);
      },
      async find(id) {
        const found = isKept(id) ? await find(keyOf(id)) : undefined;
        return found && (model !== "Interaction" || mayGoOn(found)) ? found : undefined;
      },
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      async consume(id) {
        if (await store.use(keyOf(id))) return;
        // Of two who have one code at once neither is known to be the right one.
        const { grantId } = (await find(keyOf(id))) ?? {};
        if (grantId !== undefined) await store.drop(`Grant:${grantId}`);
        throw new InvalidGrant("the code was used already");
      },
      async destroy(id) {
        if (isKept(id)) await store.drop(keyOf(id));
      },
      // The grant goes with them, and nothing counts without it.
      revokeByGrantId: async () => undefined,
    };
  };
}
