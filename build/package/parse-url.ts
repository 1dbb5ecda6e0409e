/** `URL.parse`, which Node.js 20 does not have. The build of the package calls it instead. */
export const parseUrl = (text: string, base?: string): URL | null =>
  URL.canParse(text, base) ? new URL(text, base) : null
