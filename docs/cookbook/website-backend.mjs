// Lets visitors link their players if the service is on another domain: pages call this program, the website's own server, and
// it calls the service for each of them. Needs Node 22.18 or later and Express 5: `npm install express`.
import express from "express";

const { SERVICE = "http://localhost:8080", PORT = "3000" } = process.env;
/** Calls that pages may make. */
const CALLS = ["GET /initialize", "GET /session", "POST /link-player", "POST /unlink-player"];
/** The session that this website keeps for a visitor; the name is `modules.api.session-cookie.name`. */
const SESSION = /(?:^|;\s*)(website_user_uuid=[^;]*)/g;
/** Headers of a response that a page gets. */
const PASSED_ON = ["cache-control", "content-type", "retry-after", "set-cookie"];

/** Calls the service for a visitor: with their session, and their address for the limits. */
function askAs(visitor, path, method = "GET", body = undefined) {
  const sessions = Array.from((visitor.get("Cookie") ?? "").matchAll(SESSION), ([, session]) => session);
  const headers = {
    Cookie: sessions.join("; "),
    "X-Forwarded-For": visitor.ip,
    "X-Forwarded-Host": visitor.host,
    "X-Forwarded-Proto": visitor.protocol,
    ...(visitor.get("Origin") && { Origin: visitor.get("Origin") }),
    ...(body && { "Content-Type": "application/json" }),
  };
  return fetch(SERVICE + path, { method, headers, body, signal: AbortSignal.timeout(15_000) });
}

const app = express();
// Your proxies in front of this program, whose X-Forwarded-For is trusted; none: false.
app.set("trust proxy", process.env.PROXIES ?? false);

app.use("/bridge", express.text({ type: "application/json" }), async (req, res) => {
  if (!CALLS.includes(`${req.method} ${req.path}`)) return res.status(404).json({ error: "not_found" });
  const answer = await askAs(req, req.path, req.method, req.body).catch(() => undefined);
  if (!answer) return res.status(502).json({ error: "unreachable" });
  for (const [name, value] of answer.headers) if (PASSED_ON.includes(name)) res.append(name, value);
  res.status(answer.status).send(Buffer.from(await answer.arrayBuffer()));
});

// How this server finds out who a visitor is. Never trust what a page says about itself.
app.get("/hello", async (req, res) => {
  const answer = await askAs(req, "/session").catch(() => undefined);
  const { player } = answer?.ok ? await answer.json() : {};
  res.type("text").send(`Hello ${player?.name ?? "guest"}!\n`);
});

app.use(express.static("public"));
app.listen(Number(PORT), function () {
  console.log(`http://localhost:${this.address().port}`);
});
