/**
 * Variables of the caller that would change what is installed, built or tested. Registry, proxy and certificate
 * settings stay, since an installation may need them.
 */
const LEAKS = [
  /^NODE_(ENV|OPTIONS|PATH|NO_WARNINGS|PENDING_DEPRECATION|V8_COVERAGE)$/i,
  /^(WEB_BRIDGE|JEST|BIOME|ESBUILD|TS_NODE)_/i,
  /^(DEBUG|TEST|MODE|DEV|PROD)$/i,
  /^npm_(package|lifecycle|command)/i,
];

/** Settings of npm, without `npm_config_`, that may be passed on. */
const NPM_SETTINGS =
  /^(.*[/:].*|registry|https?_proxy|proxy|noproxy|no_proxy|ca|cafile|cache|strict_ssl|userconfig|globalconfig)$/i;

/** @typedef {Record<string, string | undefined>} Environment */

/**
 * The caller's environment without what may not leak into a task.
 * @param {Environment} env
 * @returns {Environment}
 */
export function cleanEnvironment(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !leaks(name)));
}

/** @param {string} name */
function leaks(name) {
  const setting = /^npm_config_(.*)$/i.exec(name)?.[1];
  if (setting !== undefined) return !NPM_SETTINGS.test(setting);
  return LEAKS.some(pattern => pattern.test(name));
}
