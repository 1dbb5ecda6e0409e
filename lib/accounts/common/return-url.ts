import { invalidRequest } from '../../errors/errors.ts'
import type { Config } from '../../settings/config.ts'
import { resolveDestination } from './destinations.ts'

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
