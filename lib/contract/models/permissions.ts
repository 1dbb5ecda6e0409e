import * as z from 'zod/mini'

/**
 * The permissions in a body that is sent. Host products bring permissions of their own, so the form is all
 * that can be checked.
 */
export const givenPermissions = z
  .array(
    z
      .string()
      .check(
        z.regex(/^[a-z][a-z0-9_-]{0,63}(:[a-z0-9_-]{1,64}){1,2}$/, 'must be a permission such as users:view'),
      ),
  )
  // They are read with every request of whoever has them.
  .check(z.maxLength(500))
