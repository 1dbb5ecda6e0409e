import { createHash } from 'node:crypto'
import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  connectionClosedKey,
  connectionSessionKey,
  connectionSignOutKey,
} from '../../kernel/table/keys/connection-keys.ts'
import type { Key } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'
import type { ProviderSubject, SessionRecord } from './stored-session.records.ts'

/*
 * Each session from an identity provider has a marker, by which it is found by the provider's name of the user. The
 * marker is created and deleted in the same transaction as the session. If the session expires, the marker expires too. A session that
 * kept the proofs of an earlier one has the markers of their providers as well, so that each of them ends it.
 */

/** Finds a session by the names that an identity provider has for it. */
export interface SessionMarker {
  readonly userId: number
  readonly hash: string
  readonly nameIdFormat: string | null
  readonly sessionIndex: string | null
}

export const sessionMarkerCodec = createCodec<SessionMarker>('session marker', {
  userId: 'number',
  hash: 'string',
})

export const hashName = (name: string): string => createHash('sha256').update(name).digest('base64url')

/** Stands for all session indexes of a provider. No hash equals it. */
const everyIndex = 'all'

/** What the errors of a transaction that creates a session are. */
interface SubjectErrors {
  readonly providerDeleted?: OrElse | undefined
  readonly signedOut?: OrElse | undefined
  /** The same for a provider whose proof the session keeps. */
  readonly carriedEnded?: OrElse | undefined
}

/**
 * Builds the further steps of a transaction that creates a session from a provider: the provider must not be deleted, and must
 * not have signed the user out since it issued the assertion (SAML Core 3.7.3.2). They also create the marker. Returns
 * no steps for a session without a provider. `orElse` creates the errors for a deleted provider and for a sign-out.
 */
export const buildConnectionSessionSteps = (
  session: SessionRecord,
  assertionIssuedAtMs: number,
  orElse: SubjectErrors = {},
): readonly Step[] => {
  const { providerSubject: subject, carriedSubjects = [] } = session
  return [
    ...(subject ? buildSubjectSteps(session, subject, assertionIssuedAtMs, orElse) : []),
    ...carriedSubjects.flatMap((carried) =>
      buildSubjectSteps(session, carried, carried.issuedAt, {
        providerDeleted: orElse.carriedEnded,
        signedOut: orElse.carriedEnded,
      }),
    ),
  ]
}

const buildSubjectSteps = (
  session: SessionRecord,
  subject: ProviderSubject,
  assertionIssuedAtMs: number,
  orElse: Pick<SubjectErrors, 'providerDeleted' | 'signedOut'>,
): readonly Step[] => {
  const indexes = [everyIndex, ...(subject.sessionIndex === null ? [] : [hashName(subject.sessionIndex)])]
  const nameIdHash = hashName(subject.nameId)
  const signOuts = [
    ...indexes.map((index) => ({ name: nameIdHash, index })),
    ...listFurtherNames(subject).map((name) => ({ name: hashName(name), index: everyIndex })),
  ]
  return [
    // The record of the provider would conflict with all other sign-ins of the moment.
    {
      check: connectionClosedKey(subject.providerId, nameIdHash),
      // The table may keep an expired item for days.
      condition: (x) =>
        `${isAbsent(x)} OR ${x.path('expires_at')} < ${x.value(Math.floor(session.createdAt / 1000))}`,
      orElse: orElse.providerDeleted,
    },
    ...getMarkerKeys(session, subject).map((key) => ({ put: { ...key, ...buildMarker(session, subject) } })),
    ...signOuts.map(
      ({ name, index }): Step => ({
        check: connectionSignOutKey(subject.providerId, name, index),
        condition: (x) => `${isAbsent(x)} OR ${x.path('issuedAt')} < ${x.value(assertionIssuedAtMs)}`,
        orElse: orElse.signedOut,
      }),
    ),
  ]
}

/** The keys that store when a provider signed a user out of these sessions, or of all if none are given. */
export const getSignOutKeys = (
  providerId: number,
  nameId: string,
  sessionIndexes: readonly string[],
): readonly Key[] =>
  (sessionIndexes.length === 0 ? [everyIndex] : sessionIndexes.map(hashName)).map((index) =>
    connectionSignOutKey(providerId, hashName(nameId), index),
  )

/** Names a session of an identity provider, which can sign it out without its user. No subject contains the separator. */
export const nameProviderSession = (sid: string): string => `sid\u0000${sid}`

/** The names besides that of the user by which a provider signs out. */
const listFurtherNames = ({ endsBySession, sessionIndex }: ProviderSubject): readonly string[] =>
  endsBySession && sessionIndex !== null ? [nameProviderSession(sessionIndex)] : []

/** The keys of a session's markers, one for each name. Empty for a session without a provider. */
export const getSessionMarkerKeys = (session: SessionRecord): readonly Key[] =>
  [...(session.providerSubject ? [session.providerSubject] : []), ...(session.carriedSubjects ?? [])].flatMap(
    (subject) => getMarkerKeys(session, subject),
  )

const getMarkerKeys = ({ userId, hash }: SessionRecord, subject: ProviderSubject): readonly Key[] => {
  const { providerId, nameId } = subject
  return [nameId, ...listFurtherNames(subject)].map((name) =>
    connectionSessionKey({ providerId, nameIdHash: hashName(name), userId, hash }),
  )
}

const buildMarker = ({ userId, hash, expiresAt }: SessionRecord, subject: ProviderSubject) => ({
  ...({
    userId,
    hash,
    nameIdFormat: subject.nameIdFormat,
    sessionIndex: subject.sessionIndex,
  } satisfies SessionMarker),
  expires_at: Math.ceil(expiresAt / 1000),
})
