import {
  ClientClosedError,
  ClientOfflineError,
  DisconnectsClientError,
  SocketClosedUnexpectedlyError,
} from "@redis/client";
import { codeOf, isErrno, messageOf } from "../../../../cli/errno.ts";
import { StorageAway, type StorageFault, StorageFull } from "../ports.ts";

/** Subject of a refusal. */
type RefusalOf =
  | "password"
  | "rights"
  | "certificate"
  | "client-certificate"
  | "protocol"
  | "version"
  | "sentinel"
  | "prefix";

/** An error of Redis that retrying cannot fix; the message names the setting to change. */
export class RedisRefusal extends Error {
  override readonly name = "RedisRefusal";
  readonly about: RefusalOf;

  constructor(about: RefusalOf, message: string) {
    super(message);
    this.about = about;
  }
}

/** Messages for TLS error codes: the first match wins. `{code}` is replaced by the code. */
const TLS_ERRORS: readonly [pattern: RegExp, about: RefusalOf, message: string][] = [
  [
    /ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
    "client-certificate",
    "storage.client-cert: Redis requires a client certificate ({code}): set storage.client-cert and storage.client-key to the files of one and its key",
  ],
  [
    /_ALERT_/,
    "client-certificate",
    "storage.client-cert: Redis rejected the client certificate ({code}): expected one signed by an authority in its tls-ca-cert-file",
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

/** Replies of a server that is the wrong one, or accepts no writes at the moment. */
const RECONNECT_ERRORS =
  /^(READONLY|MOVED|CLUSTERDOWN|MASTERDOWN|LOADING|NOAUTH|WRONGPASS|MISCONF|NOREPLICAS)\b/;

/** Whether the answer came from a replica, which accepts no writes. */
export const isReplicaError = (error: unknown): boolean => /^READONLY\b/.test(messageOf(error));

/** Whether to drop the connection of this answer, and look for the right server again. */
export const shouldReconnect = (error: unknown): boolean => RECONNECT_ERRORS.test(messageOf(error));

/** The storage fault for any error of a command. */
export function faultOf(error: unknown): StorageFault {
  const message = messageOf(error);
  if (/^OOM\b/.test(message)) return new StorageFull(`storage.url: Redis is full (maxmemory): ${message}`);
  return new StorageAway(`storage.url: ${describeFault(error)}`);
}

/** A refusal if retrying cannot fix the error, else undefined. */
export function refusalOf(error: unknown): RedisRefusal | undefined {
  if (error instanceof RedisRefusal) return error;
  const message = messageOf(error);
  if (/^(WRONGPASS|NOAUTH)\b|without any password configured/.test(message))
    return new RedisRefusal("password", `storage.url: Redis rejected user and password (${message})`);
  if (/^NOPERM\b|ACL failure|user executing the script can't/.test(message))
    return new RedisRefusal(
      "rights",
      `storage.url: the Redis user lacks permissions (${message}): see docs/scaling.md`,
    );
  const code = codeOf(error) ?? "";
  const found = TLS_ERRORS.find(([pattern]) => pattern.test(code));
  return found && new RedisRefusal(found[1], found[2].replace("{code}", code));
}

/** Errors of commands whose connection ended, or was dropped, before they were answered or sent. */
const LOST_CONNECTION = [
  SocketClosedUnexpectedlyError,
  DisconnectsClientError,
  ClientClosedError,
  ClientOfflineError,
];

/** Describes the error, without secrets. */
export function describeFault(error: unknown): string {
  const message = messageOf(error);
  if (LOST_CONNECTION.some(lost => error instanceof lost) || isErrno(error, "ECONNRESET", "EPIPE"))
    return "the connection was lost";
  if (isErrno(error, "ECONNREFUSED")) return "connection refused (ECONNREFUSED)";
  if (isErrno(error, "ENOTFOUND", "EAI_AGAIN")) return `host name not found (${codeOf(error)})`;
  if (isReplicaError(error)) return "Redis is a read-only replica: expected the address of its master";
  if (/^MISCONF\b/.test(message)) return "Redis cannot write to its disk and rejects changes (MISCONF)";
  if (/^NOREPLICAS\b/.test(message)) return "Redis has too few replicas and rejects changes (NOREPLICAS)";
  if (/^(ASK|TRYAGAIN|MOVED)\b/.test(message)) return "the cluster is moving data to another server";
  if (/^UNBLOCKED\b/.test(message)) return "Redis has changed its role";
  if (/^LOADING\b/.test(message)) return "Redis is still reading its data from the disk";
  return message === "" ? codeOf(error) || "the connection was lost" : message;
}
