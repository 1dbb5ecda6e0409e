const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)

/**
 * Returns the URL that paths are appended to, without a slash at its end.
 *
 * @throws TypeError if the URL is not an origin with an optional path, or would send credentials without encryption
 */
export const readBaseUrl = (text: string, allowsHttp = false): string => {
  if (!URL.canParse(text)) throw new TypeError('baseUrl must be an absolute URL.')
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError('baseUrl must begin with https:.')
  if (protocol === 'http:' && !allowsHttp && !isLoopback(hostname))
    throw new TypeError('baseUrl must begin with https:, or set allowsHttp to send credentials unencrypted.')
  if (username || password) throw new TypeError('baseUrl must not contain credentials. Use credential.')
  if (search || hash) throw new TypeError('baseUrl must not contain a query or a fragment.')
  return origin + pathname.replace(/\/+$/, '')
}
