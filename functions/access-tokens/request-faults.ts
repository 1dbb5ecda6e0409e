import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import type { FieldError } from '../../lib/core/errors.ts'

/** What can't be asked for though each field by itself is sound. */
export const validateAccessTokenRequest = (
  body: CreateAccessTokenRequest,
  nowMs: number,
): readonly FieldError[] => [
  ...(body.expires != null && Date.parse(body.expires) <= nowMs
    ? [{ field: 'expires', message: 'must lie in the future' }]
    : []),
  ...(body.require_login && body.user == null && body.email == null
    ? [{ field: 'require_login', message: 'goes with a recipient, in user or email: nobody can’t sign in' }]
    : []),
  ...pathFaults('bundles', body.bundles),
  ...pathFaults('directories', body.directories),
]

/** A product that follows `..` would open what lies beside the object. */
const pathFaults = (field: string, objects: readonly { readonly path: string }[]): readonly FieldError[] =>
  objects.flatMap(({ path }, at) =>
    /\p{Cc}/u.test(path) || path.split('/').some((part) => part === '.' || part === '..')
      ? [{ field: `${field}.${at}.path`, message: 'must hold no control characters, and no part . or ..' }]
      : [],
  )
