import { ScimError } from './scim-error.ts'

export const listUrn = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** A response of the protocol. */
export interface ScimReply {
  readonly status: number
  /** Missing for a response without a body. */
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** The response of an error (RFC 7644 3.12). */
export const toErrorReply = ({ status, scimType, message }: ScimError): ScimReply => ({
  status,
  body: {
    schemas: [errorUrn],
    ...(scimType && { scimType }),
    detail: message,
    status: String(status),
  },
})

export const notFound = (): ScimError => new ScimError(404, undefined, 'The resource does not exist.')

/** The entity tag of a version of a resource (RFC 7644 3.14). */
export const toEntityTag = (version: number): string => `W/"${version}"`

/** Whether a header lists an entity tag, or any. Tags are compared weakly. */
export const listsTag = (header: string, version: number): boolean =>
  header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`)

/** @throws ScimError 412 if the resource has another version than the request names */
export const requireMatch = (ifMatch: string | undefined, version: number): void => {
  if (ifMatch !== undefined && !listsTag(ifMatch, version))
    throw new ScimError(412, undefined, 'The resource has changed. Read it again.')
}
