const maxLength = 255
/** Lambda allows 4 KB for all settings of a function. */
const maxTotalLength = 1000

/**
 * Reads the audiences that JWTs may be for, separated by commas. Returns what is wrong if the list is invalid. Audiences
 * are compared as they are (RFC 7519 4.1.3), so none is converted.
 */
export const readJwtAudiences = (text: string): readonly string[] | string => {
  const audiences = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  if (text.length > maxTotalLength) return `must have at most ${maxTotalLength} characters`
  // A wildcard would stand for itself, and not for many audiences.
  if (audiences.some((audience) => audience.length > maxLength || !/^[!-)+-~]+$/.test(audience)))
    return `must contain only texts of at most ${maxLength} printable ASCII characters without spaces and asterisks`
  return audiences
}
