import * as z from 'zod/mini'
import { exampleIds } from '../../accounts/example-values.models.ts'
import { flag } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { SessionProvider } from './sessions.models.ts'

/** The kinds of ways to sign in. */
export const signInWayKinds = ['passkey', 'password', 'email_code', 'public_provider', 'company'] as const
export type SignInWayKind = (typeof signInWayKinds)[number]

/** Why a way that a user has does not open a session now. */
export const signInObstacles = [
  'passkey_required',
  'second_factor_required',
  'sso_required',
  'not_proven',
  'not_set_up',
  'organization_only',
  'rights_refused',
] as const

/** What a user can add to sign in with. */
export const signInWaysToAdd = ['passkey', 'password', 'account', 'authenticator_app'] as const
export type SignInWayToAdd = (typeof signInWaysToAdd)[number]

const exampleWay = docs && {
  kind: 'public_provider' as const,
  provider: { id: exampleIds.samlProvider, name: 'Google' },
  obstacle: 'second_factor_required' as const,
}

/** A way to sign in that a user has. */
export const SignInWay = model(
  {
    kind: field(
      z.enum(signInWayKinds),
      docs && 'What signs the user in. `company` is a connection to the identity provider of a company.',
    ),
    provider: field(
      z.nullable(SessionProvider),
      docs && 'The connection of a `public_provider` or a `company`. Null for other kinds.',
    ),
    obstacle: field(
      z.nullable(z.enum(signInObstacles)),
      docs &&
        'Why the way opens no session now. `passkey_required`: the policy accepts nothing but passkeys. `second_factor_required`: a public provider is one factor, and the rights of the user or the policy need two. `sso_required`: the company of the user requires its own sign-in. `not_proven`: no passkey has verified the user yet. `not_set_up`: the connection is not complete. `organization_only`: the connection belongs to an organization, and its sessions count there alone. `rights_refused`: the customer chose the identity provider by a set-up link, and the user decides about others. Null for a way that works.',
    ),
  },
  docs && { description: 'A way to sign in that a user has.', example: exampleWay },
)
export type SignInWay = z.output<typeof SignInWay>

/** The ways of a user to sign in, as they are or would be. */
export const UserSignInWays = model(
  {
    ways: field(z.array(SignInWay), docs && 'All ways that the user has, or would have after the removal.'),
    is_locked_out: field(flag, docs && 'Whether none of them works.'),
    can_be_invited: field(flag, docs && 'Whether `invite_user` would then be accepted.'),
    can_reset_password: field(
      flag,
      docs && 'Whether `send_password_reset` would then lead to a new password.',
    ),
  },
  docs && {
    description: 'The ways of a user to sign in.',
    example: { ways: [exampleWay], is_locked_out: true, can_be_invited: true, can_reset_password: true },
  },
)
export type UserSignInWays = z.output<typeof UserSignInWays>
