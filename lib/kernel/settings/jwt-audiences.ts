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

const reserved = 'urn:latchkey:'
const audienceForm = `at most ${maxLength} printable ASCII characters without spaces and asterisks, and not begin with ${reserved}`

/** The rule that an audience breaks, or undefined if it is valid. */
export const findAudienceError = (audience: string): string | undefined => {
  // A wildcard would stand for itself, and not for many audiences.
  const hasForm = audience.length <= maxLength && /^[!-)+-~]+$/.test(audience)
  return hasForm && !audience.startsWith(reserved) ? undefined : `must have ${audienceForm}`
}

/** The `client_id` of JWTs of `create_jwt`: callers get them with a credential of this service, without an OAuth client. */
export const ownClientId = 'latchkey'

/**
 * The audience of access tokens of clients that are for no API. It is not the URL of the service, which APIs may accept for
 * JWTs of `create_jwt`: API Gateway only checks issuer and audience, so it could not distinguish these two.
 */
export const getUserinfoAudience = (publicUrl: string): string => `${publicUrl}/oauth2/userinfo`

/** The address that the directory of a connection sends its requests to, and the audience of access tokens for it. */
export const buildScimAudience = (publicUrl: string, connectionId: number): string =>
  `${publicUrl}/scim/v2/${connectionId}`

/** The one scope of such a token. */
export const scimScope = 'scim'

/** The ID of the connection that an audience names, or undefined for any other audience. */
export const readScimAudience = (publicUrl: string, audience: string): number | undefined => {
  const id = Number(audience.slice(audience.lastIndexOf('/') + 1))
  return Number.isSafeInteger(id) && id > 0 && audience === buildScimAudience(publicUrl, id) ? id : undefined
}

/** Whether an audience is the service itself. No client can have it as an API. */
export const isOwnAudience = (publicUrl: string, audience: string): boolean =>
  [publicUrl, `${publicUrl}/`, getUserinfoAudience(publicUrl)].includes(audience) ||
  audience.startsWith(`${publicUrl}/scim/`)

/**
 * The audience of JWTs of guests, who came by an access link. APIs that verify JWTs with any library or by API Gateway
 * refuse guests, unless they accept this audience as well.
 */
export const toGuestAudience = (audience: string): string => `${reserved}guests:${audience}`
