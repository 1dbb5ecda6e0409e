import type { Config } from '../../core/config.ts'

/** Completes "The field …" for a text that `resolveDestination` rejects. */
export const destinationRule =
  'must be a path of this service that starts with /, or a page of an allowed origin'

/**
 * Returns the URL if browsers may be sent to it: a path of this service, or a page of an allowed origin. Browsers read
 * `//`, `/\` and a tab within either as the start of another host, so these are rejected in any form.
 */
export const resolveDestination = (
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  text: string,
): URL | undefined => {
  if (/[\s\p{C}\\]/u.test(text) || text.startsWith('//')) return undefined
  const url = text.startsWith('/') ? URL.parse(text, publicUrl) : URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  // A `blob:` URL has the origin of the page that created it, but is not a page of that origin.
  const isPage = url.protocol === 'https:' || url.protocol === 'http:'
  return isPage && [publicUrl, ...allowedOrigins].includes(url.origin) ? url : undefined
}
