import * as z from 'zod/mini'
import { id, nonEmptyText, nullableDateTime } from './fields.ts'
import { SessionProvider } from './sessions.ts'

/** An account at an identity provider that signs a user in. */
export const SAMLAccount = z.strictObject({
  id,
  provider: SessionProvider,
  /** What people recognize the account by, such as an email address. */
  name: nonEmptyText,
  /** Null for the account that created the user. */
  linked_at: nullableDateTime,
  last_used_at: nullableDateTime,
})
export type SAMLAccount = z.output<typeof SAMLAccount>
