import type { Config } from '../../core/config.ts'

/**
 * The place that people may be sent to: a path of ours, or a page of an origin that is configured. Undefined for
 * everything else, in whatever spelling: browsers take `//`, `/\` and a tab within either for another host.
 */
export const resolveDestination = (
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  text: string,
): URL | undefined => {
  if (/[\s\p{C}\\]/u.test(text) || text.startsWith('//')) return undefined
  const url = text.startsWith('/') ? URL.parse(text, publicUrl) : URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  // A `blob:` URL has the origin of the page that made it, and is not a page of it.
  const isPage = url.protocol === 'https:' || url.protocol === 'http:'
  return isPage && [publicUrl, ...allowedOrigins].includes(url.origin) ? url : undefined
}
