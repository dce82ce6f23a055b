import type { Request, RequestHandler, Response } from "express";
import { check, type Guard, type Infer } from "../../../shared/guard.ts";
import type { SCHEMAS, SchemaName } from "../../../shared/public/schemas.ts";
import type { Scope, ServiceErrorCode } from "../../../shared/public/words.ts";
import type { Result } from "../../../shared/result.ts";
import type { CachedAnswer } from "./answer.ts";
import { type Answer, type EmptyAnswer, type JsonAnswer, sendAnswer } from "./answer.ts";
import type { AnswerDescription, ApiSettings, Parameter, PerSettings, TagName } from "./description.ts";
import { bodyDetail, type ErrorAnswer, errorWith, type FieldError, type FieldErrorAnswer } from "./errors.ts";

export type Method = "GET" | "POST" | "DELETE";

/** Names of the required credentials in the documents. */
export type Scheme = "session" | "maybeSession" | "adminKey" | "moderator";

/** Who may make a call. `T`: what the handler gets of the caller, `D`: what `admit` needs. */
export interface Auth<T extends object, D> {
  scheme(api: ApiSettings): Scheme | undefined;
  /** the required scope, if the scheme is `adminKey` */
  readonly scope?: Scope;
  /** Admits a request, or gives its refusal; `servers`: the game servers that it is about. */
  readonly admit: (
    deps: D,
    servers: readonly string[],
  ) => (req: Request, res: Response) => Result<T, Answer> | Promise<Result<T, Answer>>;
  /** whether it is checked again once the body was read */
  isCheckedAgain?: true;
}

export const anybody: Auth<object, unknown> = {
  scheme: () => undefined,
  admit: () => () => ({ value: {} }),
};

/** Declaration of a route, for the router and for the documents. */
export interface Declaration {
  /** It exists below `/servers/<name>` for each game server; without a name it is about the first one or all. */
  perServer?: "first" | "all";
  summary: string;
  description: PerSettings<string>;
  /** its rate, if not the usual one; blank: as in the description */
  rate?: PerSettings<string>;
  auth: Auth<object, never>;
  parameters?: readonly Parameter[];
  /** the body as described, and the guard for the handler, which may check more */
  body?: readonly [schema: SchemaName, guard: Guard<unknown>];
  /** answers that are no errors, by status */
  answers: Readonly<Record<number, AnswerDescription>>;
  /** for caches: adds ETag, 304 and Cache-Control */
  cached?: true;
  /** errors besides those that every call may answer, and those of `auth` and `body` */
  errors?: readonly ServiceErrorCode[];
  /** for pages of every origin, whichever are allowed */
  isForEveryOrigin?: true;
  /** an error of all calls that this one never returns */
  never?: ServiceErrorCode;
  /** errors about fields of the body, which may have another status than theirs */
  fieldErrors?: readonly FieldError[];
  /** not counted for a trusted proxy */
  isFreeForProxies?: true;
  /** whether it is described; by default always */
  isThere?(api: ApiSettings): boolean;
}

/** A declaration with the name of its operation, and the section of the documents that it is in. */
export interface NamedDeclaration extends Declaration {
  id: string;
  tag: TagName;
}

type BodyType<N extends SchemaName> = Infer<(typeof SCHEMAS)[N]>;
type BodyOf<A> = A extends { body: infer N extends SchemaName }
  ? BodyType<N> | (A extends { otherBody: infer O extends SchemaName } ? BodyType<O> : never)
  : unknown;
type AnswersOf<A> = {
  [S in keyof A & number]: A[S] extends { body: SchemaName } ? JsonAnswer<S, BodyOf<A[S]>> : EmptyAnswer<S>;
}[keyof A & number];
type ItemOf<R, K extends string> = R extends Readonly<Record<K, readonly (infer C)[]>> ? C : never;

/** The answers that the declaration of a route allows. */
type RouteAnswer<R extends Declaration> =
  | (R extends { cached: true } ? CachedAnswer<BodyOf<R["answers"][200]>> : AnswersOf<R["answers"]>)
  | ErrorAnswer<
      | (ItemOf<R, "errors"> & ServiceErrorCode)
      | "rate_limited"
      | (R extends { body: unknown } ? "invalid_body" : never)
    >
  | FieldErrorAnswer<ItemOf<R, "fieldErrors"> & FieldError>;

/** An admitted request with its body. */
type HandlerInput<T extends object, B> = T & { req: Request; res: Response; body: B };

/** Handles a route; undefined: it has written the answer itself. */
export type Handler<T extends object, B, A> = (
  input: HandlerInput<T, B>,
) => A | undefined | Promise<A | undefined>;

export interface RouteTarget<W> {
  server: W;
  /** whether the path names the game server */
  isNamed: boolean;
  /** names of those that it is about */
  servers: readonly string[];
  readBody(req: Request, res: Response): Promise<Result<object>>;
}

/** Handlers of a path that is not described. */
export interface Handlers {
  get?: RequestHandler;
  post?: RequestHandler;
  delete?: RequestHandler;
  /** answers a preflight itself */
  options?: RequestHandler;
}

/** A declared route; `D`: its dependencies, `W`: what it needs of a game server. */
export interface Route<D, W, A = NamedDeclaration> {
  readonly method: Method;
  /** with parameters in braces */
  readonly path: string;
  readonly about: A;
  /** Its handler for a target; undefined: the settings turn it off. */
  readonly bind: (deps: D, place: RouteTarget<W>) => RequestHandler | undefined;
}

/**
 * Declares a route of the public service. The caller is checked before the body is read.
 * @param make makes the handler, for a game server where `perServer` is declared; undefined: the settings turn the route off
 */
export function route<const R extends Declaration, D, W, T extends object, A, B = undefined>(
  at: `${Method} /${string}`,
  about: R & { auth: Auth<T, A>; body?: readonly [SchemaName, Guard<B>] },
  make: (deps: D, server: W, isNamed: boolean) => Handler<T, B, RouteAnswer<R>> | undefined,
): Route<D & A, W, Declaration> {
  const [method, path] = at.split(" ") as [Method, string];
  const { admit, isCheckedAgain }: Auth<T, A> = about.auth;
  const guard: Guard<B> | undefined = about.body?.[1];
  return {
    method,
    path,
    about,
    bind(deps, { server, isNamed, servers, readBody }) {
      const handler = make(deps, server, isNamed);
      if (handler === undefined) return undefined;
      const admitted = admit(deps, servers);
      const send = (res: Response, answer: Answer | undefined): void =>
        answer === undefined ? undefined : sendAnswer(res, answer);

      async function withBody(req: Request, res: Response, first: T, guard: Guard<B>): Promise<void> {
        const read = await readBody(req, res);
        if ("fault" in read) return send(res, errorWith("invalid_body", { message: read.fault }));
        const body = check(guard, read.value);
        if ("fault" in body) return send(res, errorWith("invalid_body", bodyDetail(body.fault)));
        const again = isCheckedAgain ? await admitted(req, res) : { value: first };
        if ("fault" in again) return send(res, again.fault);
        send(res, await handler?.({ ...again.value, req, res, body: body.value }));
      }

      function go(req: Request, res: Response, result: Result<T, Answer>): void | Promise<void> {
        if ("fault" in result) return send(res, result.fault);
        if (guard) return withBody(req, res, result.value, guard);
        // Without a guard there is no body, and its type is undefined.
        const answer = handler?.({ ...result.value, req, res, body: undefined as B });
        // A handler without a promise is answered immediately.
        return answer instanceof Promise ? answer.then(one => send(res, one)) : send(res, answer);
      }

      return (req, res) => {
        const result = admitted(req, res);
        return result instanceof Promise ? result.then(one => go(req, res, one)) : go(req, res, result);
      };
    },
  };
}

/** A route with its dependencies. */
export interface BoundRoute<W> extends Pick<Route<never, never>, "method" | "path" | "about"> {
  handler(target: RouteTarget<W>): RequestHandler | undefined;
}

export const bound = <D, W>(routes: readonly Route<D, W>[], deps: D): BoundRoute<W>[] =>
  routes.map(({ method, path, about, bind }) => ({ method, path, about, handler: at => bind(deps, at) }));

/** Names the operations of routes, in a section of the documents. */
export const routes = <D, W>(
  tag: TagName,
  all: Readonly<Record<string, Route<D, W, Declaration>>>,
): Route<D, W>[] =>
  Object.entries(all).map(([id, route]) => ({ ...route, about: { ...route.about, id, tag } }));
