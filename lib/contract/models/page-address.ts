import * as z from 'zod/mini'
import { text255 } from './fields.ts'

/**
 * Returns the URL of a page from its path, or from its http(s) URL. Browsers read `//`, `/\` and a tab within either as the
 * start of another host, so these are no paths. A `blob:` URL has the origin of the page that created it, but is no page.
 */
export const parsePageAddress = (text: string, publicUrl: string): URL | undefined => {
  if (/[\s\p{C}\\]/u.test(text) || text.startsWith('//')) return undefined
  // With a base, `https:evil.example` would be a path.
  const url = text.startsWith('/') ? URL.parse(text, publicUrl) : URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
}

/** The start page of a user. Products lead there, so it is never a script. */
export const startPage = text255.check(
  z.refine(
    (text) => text === '' || parsePageAddress(text, 'http://localhost') !== undefined,
    'must be a path that starts with /, or a URL with https or http',
  ),
)
