import * as z from 'zod/mini'

/** Products have their own permissions, so only the form can be validated. */
const givenPermission = z
  .string()
  .check(
    z.regex(/^[a-z][a-z0-9_-]{0,63}(:[a-z0-9_-]{1,64}){1,2}$/, 'must be a permission such as users:view'),
  )

/** The permissions in a request. */
export const givenPermissions = z
  .array(givenPermission)
  // Every request of a user reads their permissions.
  .check(z.maxLength(500))

/** The permissions that a client may ask for. They have to fit into its tokens. */
export const clientPermissions = z.array(givenPermission).check(z.maxLength(100))
