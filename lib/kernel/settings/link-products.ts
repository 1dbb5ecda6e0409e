/** A product whose page access links lead to. */
export interface LinkProduct {
  /** The name that people see, and that the page of a link contains. */
  readonly name: string
  /** The URL of the page, in which `{id}` stands for the ID of the link. */
  readonly url: string
}

/** Lambda allows 4 KB for all settings of a function. */
const maxTotalLength = 1000

/**
 * Reads the products that access links lead to: one URL, or several as `name=URL`, separated by commas. A URL without a
 * name has that of its host. The URLs must be of these origins. Returns what is wrong if the text is invalid.
 */
export const readLinkProducts = (
  text: string,
  origins: readonly string[],
): readonly LinkProduct[] | string => {
  if (text.length > maxTotalLength) return `must have at most ${maxTotalLength} characters`
  const products = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => readProduct(entry, origins))
  if (products.includes(undefined))
    return 'must contain only URLs whose origins are in allowedOrigins (ALLOWED_ORIGINS in local mode), each alone or as name=URL, separated by commas'
  const found = products.filter((product) => product !== undefined)
  return new Set(found.map(({ name }) => name)).size === found.length
    ? found
    : 'must not contain two URLs for a name'
}

const readProduct = (entry: string, origins: readonly string[]): LinkProduct | undefined => {
  const [, name, url = ''] = /^(?:([^=:/]{1,40})=\s*)?(.+)$/.exec(entry) ?? []
  const parsed = URL.parse(buildProductUrl({ url }, 1))
  if (!parsed || /[\s\p{C}\\]/u.test(url) || parsed.username !== '' || parsed.password !== '')
    return undefined
  const isPage = parsed.protocol === 'https:' || parsed.protocol === 'http:'
  return isPage && origins.includes(parsed.origin) ? { name: name?.trim() || parsed.host, url } : undefined
}

/** The page of the product for the link with this ID. */
export const buildProductUrl = ({ url }: Pick<LinkProduct, 'url'>, linkId: number): string =>
  url.replaceAll('{id}', String(linkId))
