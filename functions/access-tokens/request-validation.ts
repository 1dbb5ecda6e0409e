import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import type { FieldError } from '../../lib/core/errors.ts'

/** Returns the errors of a request that depend on more than one field or on the time. */
export const validateAccessTokenRequest = (
  body: CreateAccessTokenRequest,
  nowMs: number,
): readonly FieldError[] => [
  ...(body.expires != null && Date.parse(body.expires) <= nowMs
    ? [{ field: 'expires', message: 'must be in the future' }]
    : []),
  ...(body.require_login && body.user == null && body.email == null
    ? [{ field: 'require_login', message: 'requires a recipient (`user` or `email`)' }]
    : []),
  ...validatePaths('bundles', body.bundles),
  ...validatePaths('directories', body.directories),
]

/** A product that resolves `..` would open content outside of the shared object. */
const validatePaths = (field: string, objects: readonly { readonly path: string }[]): readonly FieldError[] =>
  objects.flatMap(({ path }, at) =>
    /\p{Cc}/u.test(path) || path.split('/').some((part) => part === '.' || part === '..')
      ? [
          {
            field: `${field}.${at}.path`,
            message: 'must not contain control characters or the segments `.` and `..`',
          },
        ]
      : [],
  )
