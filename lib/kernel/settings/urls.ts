/** The origin of a URL that has nothing else. Undefined for other texts. */
export const readOrigin = (text: string): string | undefined => {
  const url = readUrl(text)
  return url && url.pathname === '/' && isBare(url) ? url.origin : undefined
}

/** The URL with a slash at the end. Undefined if a path cannot be appended to it. */
export const readEndpoint = (text: string): string | undefined => {
  const url = readUrl(text)
  return url && isBare(url) ? url.href.replace(/\/?$/, '/') : undefined
}

/** The text, if it is an http(s) URL. */
export const readWebUrl = (text: string): string | undefined => (readUrl(text) ? text : undefined)

const readUrl = (text: string): URL | undefined => {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

const isBare = ({ search, hash, username, password }: URL): boolean =>
  `${search}${hash}${username}${password}` === ''
