import { expect } from "@jest/globals";

// Own connections: a browser sends its cookies where they belong, which no other client of the tests does.

interface Cookie {
  value: string;
  path: string;
}

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  /** where a redirect that leads to another origin goes */
  location: string | undefined;
}

/** The part of a browser that signing in depends on: cookies by their paths, none of which come along from another site. */
export class SignInBrowser {
  readonly #jar = new Map<string, Cookie>();
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  /** Every cookie that it has, by name. */
  get cookies(): string[] {
    return [...this.#jar.keys()].map(key => key.split("|")[0] ?? "");
  }

  /** What the service has signed of them. */
  get signatures(): string[] {
    return [...this.#jar].flatMap(([key, { value }]) => (key.includes(".sig|") ? [value] : []));
  }

  async #fetch(url: URL, init: RequestInit, isOwn: boolean): Promise<Response> {
    const sent = [...this.#jar].filter(
      ([, { path }]) =>
        isOwn && (path === "/" || url.pathname === path || url.pathname.startsWith(`${path}/`)),
    );
    const headers = new Headers(init.headers);
    if (sent.length > 0)
      headers.set("Cookie", sent.map(([key, { value }]) => `${key.split("|")[0]}=${value}`).join("; "));
    const answer = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(/; */);
    const [name = ""] = pair.split("=");
    const path = attributes.find(each => /^path=/i.test(each))?.slice(5) ?? "/";
    expect(line).toMatch(/; httponly/i);
    expect(line).toMatch(/; samesite=strict/i);
    const isOver = /expires=Thu, 01 Jan 1970/i.test(line);
    if (isOver) this.#jar.delete(`${name}|${path}`);
    else this.#jar.set(`${name}|${path}`, { value: pair.slice(name.length + 1), path });
  }

  /** Goes to an address, and on as long as it is sent to one of the service. `from`: whose page has sent it there. */
  async go(address: string, from: "elsewhere" | "own" = "elsewhere", init: RequestInit = {}): Promise<Page> {
    let url = new URL(address);
    let answer = await this.#fetch(url, init, from === "own");
    for (let hops = 0; hops < 5; hops++) {
      const to = answer.headers.get("location");
      if (to === null) break;
      const next = new URL(to, url);
      if (next.origin !== new URL(this.#base).origin)
        return { status: answer.status, headers: answer.headers, text: "", location: next.href };
      url = next;
      answer = await this.#fetch(url, {}, from === "own");
    }
    this.at = url;
    return { status: answer.status, headers: answer.headers, text: await answer.text(), location: undefined };
  }
  at = new URL("about:blank");

  async delete(path: string): Promise<[number, unknown]> {
    const init = { method: "DELETE", headers: { Origin: this.#base } };
    const answer = await this.#fetch(new URL(path, this.#base), init, true);
    return [answer.status, await answer.json()];
  }

  /** A call of the page that it is at, or of any of the service. */
  async call(path: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await this.#fetch(
      new URL(path, this.#base),
      {
        method: body ? "POST" : "GET",
        headers: {
          ...(body && { Origin: this.#base, "Content-Type": "application/json" }),
          "Sec-Fetch-Site": "same-origin",
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      },
      true,
    );
    const text = await answer.text();
    return {
      status: answer.status,
      json: text === "" ? undefined : JSON.parse(text),
      headers: answer.headers,
    };
  }
}
