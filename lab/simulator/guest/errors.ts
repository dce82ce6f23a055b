/** Error classes of the script API. Each is a real Error whose `name` is the class name. */

class NamedError extends Error {
  constructor(message: string, fields: object = {}) {
    super(message);
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true, writable: true });
    Object.assign(this, fields);
  }
}

export class InvalidEntityError extends NamedError {
  constructor(id = "", type = "") {
    super("Failed to call function due to Entity being invalid (has the Entity been removed?).", {
      id,
      type,
    });
  }
}

export class RawMessageError extends NamedError {}
export class CommandError extends NamedError {}
export class EngineError extends NamedError {}
export class LocationInUnloadedChunkError extends NamedError {}

export class InvalidArgumentError extends NamedError {
  constructor(message: string, index = 0) {
    super(message, { index, type: "Unspecified" });
  }
}

export class ArgumentOutOfBoundsError extends NamedError {
  constructor(index: number, value: number, minValue: number, maxValue: number) {
    super(
      `Unsupported or out of bounds value passed to function argument [${index}]. Value: ${value}, ` +
        `argument bounds: [${minValue}, ${maxValue}]`,
      { index, value, minValue, maxValue },
    );
  }
}

export class NamespaceNameError extends NamedError {}

export class CustomCommandError extends NamedError {
  constructor(message: string, reason = "") {
    super(message, { reason });
  }
}

export class FormRejectError extends NamedError {
  constructor(reason: string) {
    super(`Form was rejected: ${reason}`, { reason });
  }
}

export class HttpRequestLimitExceededError extends NamedError {}
export class InternalHttpRequestError extends NamedError {}
export class MalformedUriError extends NamedError {}
export class RequestBodyTooLargeError extends NamedError {}
export class TLSOnlyError extends NamedError {}
export class UriNotAllowedError extends NamedError {}
export class AllowListModificationError extends NamedError {}
export class AllowListFileReloadError extends NamedError {}
export class CannotKickPlayerError extends NamedError {}

export class DisconnectedError extends NamedError {
  constructor(id = "") {
    super("The player is not waiting to join any more.", { id });
  }
}

const fromHost = {
  HttpRequestLimitExceededError,
  MalformedUriError,
  RequestBodyTooLargeError,
  TLSOnlyError,
  UriNotAllowedError,
  AllowListModificationError,
} as const;

/** Creates the error that the host described as JSON {name, message, ...fields}. */
export function errorFromHost(json: string): Error {
  const { name, message, ...fields }: { name: keyof typeof fromHost; message: string } = JSON.parse(json);
  return fromHost[name] ? new fromHost[name](message, fields) : Object.assign(new Error(message), fields);
}
