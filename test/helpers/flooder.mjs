import { connect } from "node:net";

// Floods `/chat` of a port with so many sockets at once, each as fast as it is read, and opens a new one for each that is
// closed. Says on its output how many have been closed.
const [port, sockets, text = ""] = process.argv.slice(2);

const HANDSHAKE = [
  "GET /chat HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "",
  "",
].join("\r\n");

/**
 * A frame as clients send it, under a mask of zeros.
 * @param {string} payload
 */
function frame(payload) {
  const opcode = payload === "ping" ? 0x89 : 0x81;
  const bytes = payload === "ping" ? Buffer.alloc(0) : Buffer.from(payload);
  return Buffer.concat([Buffer.from([opcode, 0x80 | bytes.length, 0, 0, 0, 0]), bytes]);
}
const one = frame(text);
const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / one.length) }, () => one));

function flood() {
  const socket = connect(Number(port), "127.0.0.1");
  const pour = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on("error", () => undefined);
  socket.on("drain", pour);
  socket.once("data", pour);
  socket.resume();
  socket.once("connect", () => socket.write(HANDSHAKE));
  socket.once("close", () => {
    console.log("closed");
    flood();
  });
}
for (let i = 0; i < Number(sockets); i++) flood();
