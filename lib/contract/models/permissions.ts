import * as z from 'zod/mini'

/** The permissions in a request. Products have their own permissions, so only the form can be validated. */
export const givenPermissions = z
  .array(
    z
      .string()
      .check(
        z.regex(/^[a-z][a-z0-9_-]{0,63}(:[a-z0-9_-]{1,64}){1,2}$/, 'must be a permission such as users:view'),
      ),
  )
  // Every request of a user reads their permissions.
  .check(z.maxLength(500))
