/**
 * The part of `@minecraft/server-net` (1.0.0-beta, game 1.26.40 and later) that this pack uses. The game may leave
 * out any export of a beta module, so every value may be undefined.
 */
declare module "@minecraft/server-net" {
  import type { SecretString } from "@minecraft/server-admin";

  export interface HttpRequest {
    addHeader(key: string, value: string | SecretString): HttpRequest;
    setBody(body: string): HttpRequest;
    setMethod(method: "Post"): HttpRequest;
    /** seconds */
    setTimeout(timeout: number): HttpRequest;
  }

  export interface HttpResponse {
    readonly status: number;
    readonly body: string;
  }

  export interface HttpClient {
    request(config: HttpRequest): Promise<HttpResponse>;
    cancelAll(reason: string): void;
  }

  export const http: HttpClient | undefined;
  /** Not to be called in early execution. */
  export const HttpRequest: (new (uri: string) => HttpRequest) | undefined;
  export const HttpRequestMethod: { readonly Post: "Post" } | undefined;
}
