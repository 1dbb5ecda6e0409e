import { type FieldError, invalidRequest } from '../core/errors.ts'

/**
 * Reads the raw query string, where a repeated parameter can still be seen; API Gateway's parsed one joins them.
 *
 * @throws AppError `invalid_request` naming each parameter that is there twice or can't be decoded.
 */
export const readQuery = (rawQueryString: string): Record<string, string> => {
  const faults: FieldError[] = []
  const found: Record<string, string> = Object.create(null)
  for (const pair of rawQueryString.split('&').filter((text) => text !== '')) {
    const [name, value] = [
      pair.split('=', 1)[0] ?? '',
      pair.includes('=') ? pair.slice(pair.indexOf('=') + 1) : '',
    ]
    const [field, text] = [decoded(name), decoded(value)]
    if (field === undefined || text === undefined)
      faults.push({ field: field ?? 'query', message: 'is not percent-encoded UTF-8' })
    else if (field in found) faults.push({ field, message: 'is there more than once' })
    else found[field] = text
  }
  if (faults.length > 0) throw invalidRequest(faults)
  return found
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
