import type { Adapter, AdapterPayload, errors } from "oidc-provider";
import { check, checkJson, object, text } from "../../../../shared/guard.ts";
import type { SignInClient } from "../../../config/sign-in.ts";
import type { SignInStore } from "../records.ts";
import { isListed } from "./settings.ts";

/** Models that are stored. Sessions of the library are not: the link of the browser stands in for them. */
const STORED_MODELS = ["Interaction", "AuthorizationCode", "AccessToken", "Grant"];

const ID = /^[\w-]{1,128}$/;
/** Most characters of a redirect URI. */
const LONGEST = 2_048;
const anyObject = object({});
const begun = object({ params: object({ client_id: text(LONGEST), redirect_uri: text(LONGEST) }) });

/**
 * The provider's storage. Only the store decides when an entry expires, by the clock that all sidecars share: entries come back
 * without an expiry time.
 */
export function createAdapters(
  store: SignInStore,
  clients: readonly SignInClient[],
  { InvalidGrant }: Pick<typeof errors, "InvalidGrant">,
): (model: string) => Adapter {
  async function find(key: string): Promise<AdapterPayload | undefined> {
    const row = await store.get(key);
    const stored = row && checkJson(anyObject, row.text);
    if (stored === undefined || "fault" in stored) return undefined;
    const payload: AdapterPayload = { ...stored.value, ...(row?.isUsed && { consumed: true }) };
    delete payload.exp;
    delete payload.iat;
    return payload;
  }

  /** Whether site and address are still configured. The library checks that only at the start. */
  function isConfigured(interaction: AdapterPayload): boolean {
    const found = check(begun, interaction);
    if ("fault" in found) return false;
    const { client_id, redirect_uri } = found.value.params;
    return clients.some(({ id, redirectUris }) => id === client_id && isListed(redirectUris, redirect_uri));
  }

  return model => {
    const keyOf = (id: string): string => `${model}:${id}`;
    const isStored = (id: string): boolean => STORED_MODELS.includes(model) && ID.test(id);
    return {
      async upsert(id, payload, expiresIn = Number.NaN) {
        if (!isStored(id)) return;
        // A change does not extend the life.
        const forMs = Number.isFinite(expiresIn) ? expiresIn * 1_000 : (await store.get(keyOf(id)))?.leftMs;
        if (forMs !== undefined && forMs > 0) await store.put(keyOf(id), JSON.stringify(payload), forMs);
      },
      async find(id) {
        const found = isStored(id) ? await find(keyOf(id)) : undefined;
        return found && (model !== "Interaction" || isConfigured(found)) ? found : undefined;
      },
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      async consume(id) {
        if (await store.use(keyOf(id))) return;
        // A code that is used twice may be stolen: neither use counts.
        const { grantId } = (await find(keyOf(id))) ?? {};
        if (grantId !== undefined) await store.drop(`Grant:${grantId}`);
        throw new InvalidGrant("the code was used already");
      },
      async destroy(id) {
        if (isStored(id)) await store.drop(keyOf(id));
      },
      // Dropping the grant is enough: without it, codes and tokens are invalid.
      revokeByGrantId: async () => undefined,
    };
  };
}
