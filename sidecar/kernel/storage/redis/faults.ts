import {
  ClientClosedError,
  ClientOfflineError,
  DisconnectsClientError,
  SocketClosedUnexpectedlyError,
} from "@redis/client";
import { codeOf, isErrno, messageOf } from "../../../../cli/errno.ts";
import { StorageAway, type StorageFault, StorageFull } from "../ports.ts";

/** What a refusal is about. */
type RefusalOf =
  | "password"
  | "rights"
  | "certificate"
  | "client-certificate"
  | "protocol"
  | "version"
  | "sentinel"
  | "prefix";

/** What is wrong with Redis in a way that trying again does not mend; the message names the setting to change. */
export class RedisRefusal extends Error {
  override readonly name = "RedisRefusal";
  readonly about: RefusalOf;

  constructor(about: RefusalOf, message: string) {
    super(message);
    this.about = about;
  }
}

/** What the codes of TLS errors mean: the first that fits counts. `{code}` stands for the code. */
const OF_TLS: readonly [pattern: RegExp, about: RefusalOf, words: string][] = [
  [
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
    "client-certificate",
    "storage.client-cert: Redis asks for a client certificate ({code}): name the files of one and of its key in storage.client-cert and storage.client-key",
  ],
  [
    /_ALERT_/,
    "client-certificate",
    "storage.client-cert: Redis rejected the client certificate ({code}): expected one that an authority in its tls-ca-cert-file has signed",
  ],
  [
    /KEY_VALUES_MISMATCH/,
    "client-certificate",
    "storage.client-key: the key does not belong to the certificate in storage.client-cert ({code}): name the files of a pair",
  ],
  [
    /^ERR_OSSL/,
    "client-certificate",
    "storage.client-cert, storage.client-key: one of the files cannot be used ({code}): expected a certificate and its key without a passphrase, in PEM",
  ],
  [
    /ALTNAME_INVALID/,
    "certificate",
    "storage.url: the certificate of Redis is for another name ({code}): expected the host in storage.url, or the one that Sentinel or the cluster announces",
  ],
  [
    /EXPIRED|NOT_YET_VALID/,
    "certificate",
    "storage.url: the certificate of Redis has expired or is not valid yet ({code}): renew it, or correct the clocks",
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_|ISSUER/,
    "certificate",
    "storage.url: the certificate of Redis is not trusted ({code}): name the file of its authority in storage.ca",
  ],
];

/** What Redis answers where another of its servers is to be asked, or this one takes no changes for now. */
const ELSEWHERE = /^(READONLY|MOVED|CLUSTERDOWN|MASTERDOWN|LOADING|NOAUTH|WRONGPASS|MISCONF|NOREPLICAS)\b/;

/** Whether it was a replica that has answered, which takes no changes. */
export const isOfReplica = (error: unknown): boolean => /^READONLY\b/.test(messageOf(error));

/** Whether the connection that an answer came on should be given up, and its server be looked for again. */
export const isElsewhere = (error: unknown): boolean => ELSEWHERE.test(messageOf(error));

/** The fault that users of the ports know, for whatever a command has failed with. */
export function faultOf(error: unknown): StorageFault {
  const message = messageOf(error);
  if (/^OOM\b/.test(message)) return new StorageFull(`storage.url: Redis is full (maxmemory): ${message}`);
  return new StorageAway(`storage.url: ${inWords(error)}`);
}

/** A refusal for what cannot be mended by trying again, and undefined for everything else. */
export function refusalOf(error: unknown): RedisRefusal | undefined {
  if (error instanceof RedisRefusal) return error;
  const message = messageOf(error);
  if (/^(WRONGPASS|NOAUTH)\b|without any password configured/.test(message))
    return new RedisRefusal("password", `storage.url: Redis refuses user and password (${message})`);
  if (/^NOPERM\b|ACL failure|user executing the script can't/.test(message))
    return new RedisRefusal(
      "rights",
      `storage.url: the user may not do what is needed (${message}): see docs/scaling.md`,
    );
  const code = codeOf(error) ?? "";
  const found = OF_TLS.find(([pattern]) => pattern.test(code));
  return found && new RedisRefusal(found[1], found[2].replace("{code}", code));
}

/** What commands fail with whose connection has ended, or was given up before they were answered or even sent. */
const LOST = [SocketClosedUnexpectedlyError, DisconnectsClientError, ClientClosedError, ClientOfflineError];

/** What is wrong, without any secret. */
export function inWords(error: unknown): string {
  const message = messageOf(error);
  if (LOST.some(lost => error instanceof lost) || isErrno(error, "ECONNRESET", "EPIPE"))
    return "the connection was lost";
  if (isErrno(error, "ECONNREFUSED")) return "nobody answers there (ECONNREFUSED)";
  if (isErrno(error, "ENOTFOUND", "EAI_AGAIN")) return `its name is not known (${codeOf(error)})`;
  if (isOfReplica(error)) return "Redis is a read-only replica: expected the address of its master";
  if (/^MISCONF\b/.test(message)) return "Redis cannot write to its disk and takes no changes (MISCONF)";
  if (/^NOREPLICAS\b/.test(message)) return "Redis has too few replicas to take changes (NOREPLICAS)";
  if (/^(ASK|TRYAGAIN|MOVED)\b/.test(message))
    return "the cluster moves what is stored to another of its servers";
  if (/^UNBLOCKED\b/.test(message)) return "Redis has changed its role";
  if (/^LOADING\b/.test(message)) return "Redis is still reading its data from the disk";
  return message === "" ? codeOf(error) || "the connection was lost" : message;
}
