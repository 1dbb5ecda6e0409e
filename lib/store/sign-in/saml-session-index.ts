import { createHash } from 'node:crypto'
import { isAbsent, isPresent } from '../engine/expressions.ts'
import { type Key, samlProviderKey, samlSessionKey, samlSignOutKey } from '../engine/keys.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import type { SamlMarker } from '../records/saml-session-marker.ts'
import type { SamlSubject, SessionRecord } from '../records/session-record.ts'

/*
 * Sessions that an identity provider made, found by what it calls their user: each has a marker, which is put, and goes,
 * in the same transaction. A session that merely expires leaves its marker to expire along with it.
 */

export const hashOfName = (name: string): string => createHash('sha256').update(name).digest('base64url')

/** Stands for every index of a provider's own sessions; no hash looks like it. */
const everyIndex = 'all'

/**
 * The steps that go along where a session is made: that its provider is there, its marker, and that the provider hasn't
 * signed its user out since it issued the assertion, which then counts no more (SAML Core 3.7.3.2). None for a session
 * that no provider made. `orElse` creates the errors for a deleted provider and for a user who was signed out.
 */
export const buildSamlSessionSteps = (
  session: SessionRecord,
  assertionIssuedAtMs: number,
  orElse: { readonly providerDeleted?: OrElse; readonly signedOut?: OrElse } = {},
): readonly Step[] => {
  const { saml } = session
  if (!saml) return []
  const [marker] = getSamlMarkerKeys(session)
  const indexes = [everyIndex, ...(saml.sessionIndex === null ? [] : [hashOfName(saml.sessionIndex)])]
  return [
    { check: samlProviderKey(saml.providerId), condition: isPresent, orElse: orElse.providerDeleted },
    ...(marker ? [{ put: { ...marker, ...markerOf(session, saml) } }] : []),
    ...indexes.map(
      (index): Step => ({
        check: samlSignOutKey(saml.providerId, hashOfName(saml.nameId), index),
        condition: (x) => `${isAbsent(x)} OR ${x.path('issuedAt')} < ${x.value(assertionIssuedAtMs)}`,
        orElse: orElse.signedOut,
      }),
    ),
  ]
}

/** Where it is kept that the provider signed a user out: of these sessions of its own, or of all where it names none. */
export const getSamlSignOutKeys = (
  providerId: number,
  nameId: string,
  sessionIndexes: readonly string[],
): readonly Key[] =>
  (sessionIndexes.length === 0 ? [everyIndex] : sessionIndexes.map(hashOfName)).map((index) =>
    samlSignOutKey(providerId, hashOfName(nameId), index),
  )

/** The key of a session's marker; none for a session that no provider made. */
export const getSamlMarkerKeys = ({ saml, userId, hash }: SessionRecord): readonly Key[] =>
  saml ? [samlSessionKey(saml.providerId, hashOfName(saml.nameId), userId, hash)] : []
const markerOf = ({ userId, hash, expiresAt }: SessionRecord, saml: SamlSubject) => ({
  ...({
    userId,
    hash,
    nameIdFormat: saml.nameIdFormat,
    sessionIndex: saml.sessionIndex,
  } satisfies SamlMarker),
  expires_at: Math.ceil(expiresAt / 1000),
})
