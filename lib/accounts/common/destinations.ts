import { parsePageAddress } from '../../contract/text-rules.ts'
import type { FieldError } from '../../errors/errors.ts'
import type { Config } from '../../settings/config.ts'

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
