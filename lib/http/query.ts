import { type FieldError, invalidRequest } from '../errors/errors.ts'
import { decodeFormPart } from '../util/decode-form-part.ts'

/**
 * Parses the raw query string. The parsed query of API Gateway joins repeated parameters, which hides them.
 *
 * @throws AppError `invalid_request` that names each parameter that is repeated or cannot be decoded.
 */
export const readQuery = (rawQueryString: string): Record<string, string> => {
  const errors: FieldError[] = []
  const query: Record<string, string> = Object.create(null)
  for (const pair of rawQueryString.split('&').filter((text) => text !== '')) {
    const [name = ''] = pair.split('=', 1)
    const field = decodeFormPart(name)
    const value = decodeFormPart(pair.slice(name.length + 1))
    if (field === undefined || value === undefined)
      errors.push({ field: field ?? 'query', message: 'is not percent-encoded UTF-8' })
    else if (Object.hasOwn(query, field)) errors.push({ field, message: 'must not be repeated' })
    else query[field] = value
  }
  if (errors.length > 0) throw invalidRequest(errors)
  return query
}
