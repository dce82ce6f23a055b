import { render } from "preact";
import { App } from "./app.tsx";
import { consoleData } from "./service.ts";

const place = document.getElementById("app");
if (place) {
  const data = await consoleData();
  render(<App data={data} />, place);
}
