import type { FieldError } from '../../../kernel/errors/errors.ts'
import { maskedSecret } from '../connection-fields.ts'
import { parseStoredCertificates, readCertificates } from './certificates.ts'
import { isMatchingPair, type PrivateKey, readPrivateKey } from './key-pair.ts'
import type { SamlConnection, StoredKey } from './records.ts'

/** The service's key pair after a change. A key from the body is not encrypted yet. */
export interface KeyPairPlan {
  /** Whether a new pair must be generated: there is none, and the body has none. */
  readonly mustGenerate: boolean
  readonly certificate: string | null
  readonly key: PrivateKey | StoredKey | null
}

interface GivenPair {
  readonly sp_certificate?: string | null | undefined
  readonly sp_certificate_key?: string | null | undefined
}
type PairBefore = Pick<SamlConnection, 'sp_certificate' | 'spCertificateKey'>

/**
 * Reads the service's key pair from a body. A masked or omitted key keeps the stored one, and null removes it. Clients with
 * forms send an empty text for null. A key must match one of the certificates. The errors list all that is wrong and
 * contain nothing of a key.
 */
export const planKeyPair = (
  body: GivenPair,
  before: PairBefore | undefined,
): { readonly plan: KeyPairPlan; readonly errors: readonly FieldError[] } => {
  const given = emptyToNull(body.sp_certificate_key)
  const givenCertificate = emptyToNull(body.sp_certificate)
  const keepsKey = given === undefined || given === maskedSecret
  const certificate = givenCertificate === undefined ? (before?.sp_certificate ?? null) : givenCertificate
  const mustGenerate = !before && keepsKey && givenCertificate === undefined
  const read = typeof given === 'string' && !keepsKey ? readPrivateKey(given) : null
  const key = keepsKey ? (before?.spCertificateKey ?? null) : typeof read === 'string' ? null : read
  const certificateErrors =
    typeof givenCertificate === 'string' ? readCertificates(givenCertificate).errors : []
  const errors: FieldError[] = [
    ...certificateErrors.map((message) => ({ field: 'sp_certificate', message })),
    ...(typeof read === 'string' ? [{ field: 'sp_certificate_key', message: read }] : []),
  ]
  const plan = { mustGenerate, certificate, key }
  if (errors.length > 0) return { plan, errors }
  return {
    plan,
    errors: [...validateBothGiven(plan, { lacksKey: !before && keepsKey }), ...validateMatch(plan)],
  }
}

const emptyToNull = (text: string | null | undefined): string | null | undefined =>
  text === '' ? null : text

const validateBothGiven = (
  { mustGenerate, certificate, key }: KeyPairPlan,
  { lacksKey }: { readonly lacksKey: boolean },
): readonly FieldError[] => {
  if (key && certificate === null)
    return [
      {
        field: 'sp_certificate',
        message: 'is required with `sp_certificate_key`. Send both, or null for both.',
      },
    ]
  if (certificate !== null && lacksKey && !mustGenerate)
    return [
      {
        field: 'sp_certificate_key',
        message: 'is required with `sp_certificate`. Omit both to generate a pair.',
      },
    ]
  return []
}

const validateMatch = ({ certificate, key }: KeyPairPlan): readonly FieldError[] => {
  if (!key || certificate === null) return []
  const fits = parseStoredCertificates(certificate).some((one) =>
    'cipher' in key ? one.keyFingerprint === key.fingerprint : isMatchingPair(key, one),
  )
  return fits ? [] : [{ field: 'sp_certificate_key', message: 'must be the private key of `sp_certificate`' }]
}
