/** Error classes of the script API. Each is a real Error whose `name` is the class name. */

class NamedError extends Error {
  constructor(message: string) {
    super(message);
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true, writable: true });
  }
}

export class InvalidEntityError extends NamedError {
  readonly id: string;
  readonly type: string;
  constructor(id = "", type = "") {
    super("Failed to call function due to Entity being invalid (has the Entity been removed?).");
    this.id = id;
    this.type = type;
  }
}

export class RawMessageError extends NamedError {}
export class CommandError extends NamedError {}
export class LocationInUnloadedChunkError extends NamedError {}
export class EngineError extends NamedError {}
export class PropertyOutOfBoundsError extends NamedError {}

export class InvalidArgumentError extends NamedError {
  readonly index: number;
  readonly type = "Unspecified";
  constructor(message: string, index = 0) {
    super(message);
    this.index = index;
  }
}

export class ArgumentOutOfBoundsError extends NamedError {
  readonly index: number;
  readonly value: number;
  readonly minValue: number;
  readonly maxValue: number;
  constructor(index: number, value: number, minValue: number, maxValue: number) {
    super(
      `Unsupported or out of bounds value passed to function argument [${index}]. Value: ${value}, ` +
        `argument bounds: [${minValue}, ${maxValue}]`,
    );
    this.index = index;
    this.value = value;
    this.minValue = minValue;
    this.maxValue = maxValue;
  }
}

export class NamespaceNameError extends NamedError {}

export class CustomCommandError extends NamedError {
  readonly reason: string;
  constructor(message: string, reason = "") {
    super(message);
    this.reason = reason;
  }
}

export class FormRejectError extends NamedError {
  readonly reason: string;
  constructor(reason: string) {
    super(`Form was rejected: ${reason}`);
    this.reason = reason;
  }
}

export class HttpRequestLimitExceededError extends NamedError {
  inFlightRequests = 0;
  maxConcurrentRequests = 0;
}
export class InternalHttpRequestError extends NamedError {
  errorCode = 0;
  errorMessage = "";
}
export class MalformedUriError extends NamedError {}
export class RequestBodyTooLargeError extends NamedError {
  providedBytes = 0;
  maxBytes = 0;
}
export class TLSOnlyError extends NamedError {
  uri = "";
}
export class UriNotAllowedError extends NamedError {
  uri = "";
}

export class AllowListModificationError extends NamedError {}
export class AllowListFileReloadError extends NamedError {}

const fromHost = {
  HttpRequestLimitExceededError,
  InternalHttpRequestError,
  MalformedUriError,
  RequestBodyTooLargeError,
  TLSOnlyError,
  UriNotAllowedError,
  AllowListModificationError,
} as const;

/** Makes the error that the host described as JSON {name, message, ...fields}. */
export function errorFromHost(json: string): Error {
  const { name, message, ...fields }: { name: keyof typeof fromHost; message: string } = JSON.parse(json);
  const made = fromHost[name] ? new fromHost[name](message) : new Error(message);
  return Object.assign(made, fields);
}
