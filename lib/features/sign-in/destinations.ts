import { parsePageAddress } from '../../kernel/contract/text-rules.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Config } from '../../kernel/settings/config.ts'

/** Completes "The field …" for a text that `resolveDestination` rejects. */
export const destinationRule =
  'must be a path of this service that starts with /, or a page of an allowed origin'

/** Returns the URL if browsers may be sent to it: a path of this service, or a page of an allowed origin. */
export const resolveDestination = (
  { publicUrl, allowedOrigins }: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  text: string,
): URL | undefined => {
  const url = parsePageAddress(text, publicUrl)
  return url && [publicUrl, ...allowedOrigins].includes(url.origin) ? url : undefined
}

/**
 * Returns what is wrong with a start page that changes. A page of an origin that is no longer allowed stays, so that clients
 * can send back what they read.
 */
export const validateStartPage = (
  config: Pick<Config, 'publicUrl' | 'allowedOrigins'>,
  page: string | undefined,
  before?: string,
): readonly FieldError[] =>
  page === undefined || page === before || resolveDestination(config, page)
    ? []
    : [{ field: 'default_page', message: destinationRule }]

/** Completes "The field …" for an address that `requireReturnUrl` rejects. */
const returnUrlRule =
  'must be a page of this service as a path that starts with /, or a page of an allowed origin'

/**
 * Returns the URL that the sign-in page may lead to: a page of this service or of an allowed origin. The page navigates
 * there, so browsers count the request as one of this service. An operation could then end the session, or connect an
 * account, for an attacker who chose the address. So operations are no such pages.
 *
 * @throws AppError `invalid_request`
 */
export const requireReturnUrl = (config: Config, returnTo: string): URL => {
  const url = resolveDestination(config, returnTo)
  if (!url || (url.origin === config.publicUrl && !isPagePath(url.pathname)))
    throw invalidRequest([{ field: 'return_to', message: returnUrlRule }])
  return url
}

/** Servers decode paths in different ways, so a path with more than one reading is not accepted. */
const isPagePath = (pathname: string): boolean => {
  const path = decodePath(pathname)
  if (path === undefined || /[\p{C}\\%]|\/\/|\/\.{1,2}(\/|$)/u.test(path)) return false
  return !/^\/api(?![\w-])/i.test(path)
}

const decodePath = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return undefined
  }
}
