import type { Principal } from '../../accounts/callers/principal.ts'
import type { SessionAuthentication } from '../../accounts/sessions/stored-session.records.ts'
import { second } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { authenticationClasses, nameAuthenticationClass } from '../sign-in/authentication-class.ts'
import { isLimitedToOrganizations, listOrganizationProofs } from '../sign-in/organization-sessions.ts'
import { isNewProof, lacksOwnProof } from '../sign-in/proof-time.ts'
import type { Membership } from './memberships.records.ts'
import type { OrganizationRecord } from './records.ts'

/*
 * An organization decides how its members sign in. This counts when they get its tokens or manage it, and not before: the same person
 * can be in other organizations, and the service has rules of its own. All of it has to hold for one sign-in.
 */

type SignInRules = Pick<
  OrganizationRecord,
  'required_connection' | 'requires_second_factor' | 'sign_in_max_age'
>

/** The rules of an organization, and the membership for which a sign-in meets them. */
interface MemberOf {
  readonly organization: SignInRules
  readonly membership: Membership
}

/** What a sign-in lacks: it is through another connection, has one factor only, or is too old. */
export type LackingSignIn =
  | { readonly lacks: 'connection'; readonly connection: number }
  | { readonly lacks: 'second_factor' | 'age'; readonly connection: number | null }

/**
 * Returns what the present sign-in lacks for an organization, or undefined if it is enough. An API token proves no sign-in.
 *
 * @example
 * findLackingSignIn(principal, found, now()) // { lacks: 'connection', connection: 12 }
 */
export const findLackingSignIn = (
  caller: Pick<Principal, 'user' | 'session' | 'actor'>,
  { organization, membership }: MemberOf,
  nowMs: number,
): LackingSignIn | undefined => {
  const {
    required_connection: connection = null,
    requires_second_factor,
    sign_in_max_age = null,
  } = organization
  if (connection === null && !requires_second_factor && sign_in_max_age === null) return undefined
  const counting = listSignIns(caller, membership, connection)
  if (connection !== null && counting.length === 0) return { lacks: 'connection', connection }
  const strong = requires_second_factor ? counting.filter(isMultiFactor) : counting
  if (strong.length === 0) return { lacks: requires_second_factor ? 'second_factor' : 'age', connection }
  const isFresh = (proof: SessionAuthentication) =>
    sign_in_max_age === null || (nowMs - proof.at <= sign_in_max_age * second && isNewProof(caller, proof))
  return strong.some(isFresh) ? undefined : { lacks: 'age', connection }
}

/** The sign-ins that count in an organization: those by its own connections, and one for the whole service. */
const listSignIns = (
  caller: Pick<Principal, 'session' | 'actor'>,
  membership: Membership,
  connection: number | null,
): readonly SessionAuthentication[] => {
  const own = listOrganizationProofs(caller, membership)
  if (connection !== null) return own.filter((proof) => proof.connection === connection)
  const { session } = caller
  return session && !isLimitedToOrganizations(caller) ? [session.authentication, ...own] : own
}

const isMultiFactor = ({ methods }: SessionAuthentication): boolean =>
  nameAuthenticationClass(methods) === authenticationClasses.multiFactor

/** The address of the sign-in page for what the present sign-in lacks. Null if it is enough. */
export const findSignInUrl = (
  { config, now }: Services,
  principal: Pick<Principal, 'user' | 'session' | 'actor'>,
  member: MemberOf,
): string | null => {
  const lacking = findLackingSignIn(principal, member, now())
  if (!lacking) return null
  const url = new URL(config.signInUrl)
  url.searchParams.set('prompt', 'login')
  for (const [name, value] of Object.entries(listSignInHints(lacking))) url.searchParams.set(name, value)
  const { session } = principal
  if (session && lacksOwnProof(principal, session.authentication)) url.searchParams.set('lacks', 'proof')
  return url.href
}

/** What the address of the sign-in page says about what is lacking. */
export const listSignInHints = ({ lacks, connection }: LackingSignIn): Readonly<Record<string, string>> => ({
  ...(connection !== null && { connection: String(connection) }),
  ...(lacks === 'second_factor' && { factors: '2' }),
})

const texts = {
  connection: 'sign in with its company sign-in',
  second_factor: 'sign in with a second factor',
  age: 'sign in again, because your sign-in is too old',
} as const satisfies Record<LackingSignIn['lacks'], string>

/** What a member has to do first, as the end of a sentence. */
export const describeLacking = ({ lacks }: LackingSignIn): string => texts[lacks]
