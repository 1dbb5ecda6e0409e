import { fileURLToPath } from 'node:url'

/** The environment of a browser that has exactly the fonts of `fonts.conf`, so that pictures match on all machines. */
export const browserEnvironment: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  ),
  FONTCONFIG_FILE: fileURLToPath(new URL('./fonts.conf', import.meta.url)),
}
