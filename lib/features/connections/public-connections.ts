import type { FirstSignIn } from './public-providers.models.ts'
import type { Connection } from './records.ts'

/*
 * Connections to providers at which everybody can have an account, such as Google. Nobody here decides about the people there. So an
 * answer of such a provider proves an identity, and nothing else:
 *
 * - An account here is found by the identity, never by its address.
 * - What the provider says about factors has no effect. The sign-in is one factor.
 * - An address counts as confirmed only where the provider is the one that delivers its email, or knows its owner: see `oidc/providers/authority.ts`.
 * - A company that requires its own sign-in keeps its people: see `required-sign-in.ts`.
 */

/** Whether everybody can have an account at the provider of a connection. */
export const isPublic = ({ public_provider: provider }: Pick<Connection, 'public_provider'>): boolean =>
  provider != null

/** What happens at the first sign-in of an account at a public provider. Null for a company. */
export const getFirstSignIn = (
  connection: Pick<Connection, 'public_provider' | 'first_sign_in'>,
): FirstSignIn | null => (isPublic(connection) ? (connection.first_sign_in ?? 'ask') : null)

/** Whether the first sign-in of an unknown account creates a user. */
export const createsUsers = (connection: Connection): boolean =>
  isPublic(connection) ? getFirstSignIn(connection) === 'create' : connection.auto_create_users
