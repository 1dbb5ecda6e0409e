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
  if (audiences.some((audience) => findAudienceError(audience) !== undefined))
    return `must contain only texts of ${audienceForm}`
  return audiences
}

const audienceForm = `at most ${maxLength} printable ASCII characters without spaces and asterisks`

/** The rule that an audience breaks, or undefined if it is valid. */
export const findAudienceError = (audience: string): string | undefined =>
  // A wildcard would stand for itself, and not for many audiences.
  audience.length <= maxLength && /^[!-)+-~]+$/.test(audience) ? undefined : `must have ${audienceForm}`
