import type { CreateAccessTokenRequest } from '../../lib/contract/models/access-token-requests.ts'
import type { FieldError } from '../../lib/errors/errors.ts'
import { linkPasswordMinLength } from '../../lib/limits/limits.ts'
import type { SharedObject } from '../../lib/store/records/access-token-record.ts'

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
  ...validatePassword(body.password),
  ...validatePaths('bundles', body.bundles),
  ...validatePaths('directories', body.directories),
]

/** Existing links with a shorter password stay usable, because only new passwords are checked. */
const validatePassword = (password: string | null | undefined): readonly FieldError[] =>
  password != null && [...password.normalize('NFC')].length < linkPasswordMinLength
    ? [{ field: 'password', message: `must have at least ${linkPasswordMinLength} characters` }]
    : []

/** A product that resolves `..` would open content outside of the shared object. */
const validatePaths = (field: string, objects: readonly SharedObject[]): readonly FieldError[] =>
  objects.flatMap(({ path = '' }, at) =>
    /\p{Cc}/u.test(path) || path.split('/').some((part) => part === '.' || part === '..')
      ? [
          {
            field: `${field}.${at}.path`,
            message: 'must not contain control characters or the segments `.` and `..`',
          },
        ]
      : [],
  )
