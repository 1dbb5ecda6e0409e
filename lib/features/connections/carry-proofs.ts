import type { SessionOrigin } from '../../accounts/sessions/session-rules.ts'
import type {
  CarriedSubject,
  OrganizationProof,
  SessionAuthentication,
  SessionRecord,
} from '../../accounts/sessions/stored-session.records.ts'
import { buildPresentSessionStep } from '../../accounts/sessions/write-sessions.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import type { MadeInOrganization } from '../organizations/memberships.records.ts'
import { authenticateStored } from '../sign-in/authentication.ts'
import type { SignInFlow } from './flows.records.ts'
import { isPublic } from './public-connections.ts'
import type { Connection } from './records.ts'

/*
 * Someone who is signed in and signs in for an organization keeps what they proved before: the new session counts wherever the former
 * one did, and in the organization. It ends with the first of its proofs, and each of their providers can end it. The former session
 * stays for the tokens that name it.
 */

/** No membership has it. The member was removed while they signed in. */
const endedJoining = ''

/** The organizations that a session can have proofs for. The oldest proof gives way. */
const mostProofs = 5

/** The session of the browser that started the sign-in ended, or one of its providers signed the user out. */
export class CarriedProofEnded extends ConflictError {
  constructor() {
    super('record_changed', 'the former session has ended')
    this.name = 'CarriedProofEnded'
  }
}

/** What a session has from the sign-in that opens it, and from the former session. */
export type ConnectionSessionOrigin = Pick<
  SessionOrigin,
  | 'methods'
  | 'isFactorRemembered'
  | 'connection'
  | 'isPublicProvider'
  | 'isFromSetUp'
  | 'isTimeUnknown'
  | 'factorRule'
  | 'authenticatedAt'
  | 'limitedTo'
  | 'organizationProofs'
  | 'carriedSubjects'
  | 'secondFactorRequiredFrom'
  | 'expiresAt'
>

/** Finds the session whose proofs stay: that of the same user, in the browser that started the sign-in. */
export const findFormerSession = async (
  services: Services,
  { keeps }: Pick<SignInFlow, 'keeps'>,
  userId: number,
): Promise<SessionRecord | undefined> => {
  if (keeps?.userId !== userId) return undefined
  const found = await authenticateStored(services, { kind: 'session', userId, hash: keeps.session })
  const { session, actor } = found ?? {}
  const counts =
    (session?.limitedTo === undefined || session.limitedTo === 'organizations') && !session?.accessLink
  return session && !actor && counts ? session : undefined
}

/** Describes the session of a sign-in through a connection. What a connection of an organization proves counts only there. */
export const describeSessionOrigin = (
  provider: Pick<Connection, 'id' | 'organization_id' | 'public_provider' | 'setup'> & MadeInOrganization,
  signIn: SessionAuthentication,
  expiresAt: number | null,
  former: SessionRecord | undefined,
): ConnectionSessionOrigin => {
  const { id: connection, organization_id: organization } = provider
  const own = {
    ...toOrigin(signIn),
    expiresAt,
    connection,
    ...(isPublic(provider) ? { isPublicProvider: true as const } : {}),
    ...(provider.setup === undefined ? {} : { isFromSetUp: true as const }),
  }
  if (organization === null) return own
  const proof: OrganizationProof = {
    organization,
    joining: provider.joining ?? endedJoining,
    connection,
    ...signIn,
  }
  if (!former) return { ...own, limitedTo: 'organizations', organizationProofs: [proof] }
  const others = former.organizationProofs?.filter((one) => one.organization !== organization) ?? []
  const dropped = others.slice(mostProofs - 1)
  const isKept = ({ providerId }: CarriedSubject): boolean =>
    providerId !== connection && !dropped.some((one) => one.connection === providerId)
  return {
    ...(former.limitedTo === 'organizations'
      ? { ...own, limitedTo: 'organizations' as const }
      : {
          ...toOrigin(former.authentication),
          ...omitUndefined({
            secondFactorRequiredFrom: former.secondFactorRequiredFrom,
            factorRule: former.factorRule,
          }),
        }),
    organizationProofs: [proof, ...others.slice(0, mostProofs - 1)],
    carriedSubjects: listSubjects(former).filter(isKept),
    expiresAt: Math.min(expiresAt ?? Number.POSITIVE_INFINITY, former.expiresAt),
  }
}

/** What a proof lacks goes with it into a session. */
const toOrigin = ({ at: authenticatedAt, ...proof }: SessionAuthentication) => ({ authenticatedAt, ...proof })

const listSubjects = ({
  providerSubject,
  carriedSubjects = [],
  createdAt,
}: SessionRecord): readonly CarriedSubject[] => [
  ...(providerSubject ? [{ ...providerSubject, issuedAt: createdAt }] : []),
  ...carriedSubjects,
]

/** Builds the step that fails with `CarriedProofEnded` if the former session has ended. */
export const buildFormerSessionSteps = (former: SessionRecord | undefined): readonly Step[] =>
  former ? [buildPresentSessionStep(former, () => new CarriedProofEnded())] : []
