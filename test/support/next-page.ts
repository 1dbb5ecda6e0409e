/** Returns the URL of the next page from the `Link` header; `undefined` on the last page. */
export const findNextUrl = (headers: Headers): string | undefined => {
  const link = headers.get('link')
  const [, url, relation] = /^<([^>]+)>; rel="(\w+)"$/.exec(link ?? '') ?? []
  if (link !== null && relation !== 'next') throw new Error(`unexpected Link header: ${link}`)
  return url
}

/**
 * Returns the path and query of the next page; `undefined` on the last page. A link is resolved as clients do: it can be relative, and its
 * origin is the public one, which is not always the address that a test sends to.
 */
export const findNextPath = (headers: Headers): string | undefined => {
  const url = findNextUrl(headers)
  if (url === undefined) return undefined
  const { pathname, search } = new URL(url, 'http://service.invalid')
  return pathname + search
}
