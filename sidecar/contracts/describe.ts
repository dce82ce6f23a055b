import type { Config } from "../config/settings.ts";
import type { Descriptions } from "../http/routes/deps.ts";
import { asyncApi } from "./asyncapi.ts";
import { docsPage } from "./docs/page.ts";
import { openApi } from "./openapi.ts";

/** Describes the public service with these settings, for programs and for people. */
export const describe = (api: Config["modules"]["api"]): Descriptions => ({
  openApi: () => openApi(api),
  asyncApi: () => asyncApi(api),
  page: look => docsPage(openApi(api), asyncApi(api), look).text,
});
