// Sends as much as the loopback takes on so many connections at once until it is ended, and opens a new one for each that is
// closed. Says on its output that one was opened.
// arguments: port, connections, where they come from, what to send first and then over and over, both in base64
import { connect } from "node:net";

const [port, connections, localAddress, begin = "", repeat = ""] = process.argv.slice(2);
const [first, each] = [Buffer.from(begin, "base64"), Buffer.from(repeat, "base64")];
const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / each.length) }, () => each));

function flood() {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress });
  const pour = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on("error", () => undefined);
  socket.on("drain", pour);
  socket.once("connect", () => {
    console.log("connected");
    if (first.length === 0) return pour();
    // What comes next is in another protocol, once that is agreed on.
    socket.once("data", pour);
    socket.write(first);
  });
  socket.once("close", flood);
  socket.resume();
}
for (let i = 0; i < Number(connections); i++) flood();
