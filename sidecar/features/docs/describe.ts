import type { ApiSettings } from "../../kernel/http/description.ts";
import { asyncApi } from "./asyncapi.ts";
import type { OpenApi } from "./openapi.ts";
import { docsPage } from "./page/page.ts";
import type { Descriptions } from "./routes.ts";

/** Describes the public service with these settings, for programs and for people. */
export const describe = (api: ApiSettings, openApi: () => OpenApi): Descriptions => ({
  openApi,
  asyncApi: () => asyncApi(api),
  page: look => docsPage(openApi(), asyncApi(api), look).text,
});
