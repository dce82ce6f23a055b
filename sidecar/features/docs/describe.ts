import type { Config } from "../../config/settings.ts";
import type { Descriptions } from "../../kernel/http/deps.ts";
import { asyncApi } from "./asyncapi.ts";
import { openApi } from "./openapi.ts";
import { docsPage } from "./page/page.ts";

/** Describes the public service with these settings, for programs and for people. */
export const describe = (api: Config["modules"]["api"]): Descriptions => ({
  openApi: () => openApi(api),
  asyncApi: () => asyncApi(api),
  page: look => docsPage(openApi(api), asyncApi(api), look).text,
});
