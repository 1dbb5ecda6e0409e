import type { FieldError } from '../../core/errors.ts'
import { findTrustedCertificates, readCertificates } from '../../saml/certificates.ts'
import { isMatchingPair, type PrivateKey, readPrivateKey } from '../../saml/key-pair.ts'
import type { SamlProviderRecord, StoredKey } from '../../store/records/saml-provider-record.ts'
import { maskedKey } from './provider-body.ts'

/** What becomes of our pair by a body. A key that was given is not encrypted yet. */
export interface KeyPairPlan {
  /** Both are left out where there was none: one is to be made. */
  readonly isToBeMade: boolean
  readonly certificate: string | null
  readonly key: PrivateKey | StoredKey | null
}

interface GivenPair {
  readonly sp_certificate?: string | null | undefined
  readonly sp_certificate_key?: string | null | undefined
}
type PairBefore = Pick<SamlProviderRecord, 'spCertificate' | 'spCertificateKey'>

/**
 * Reads our pair from a body: asterisks, or leaving it out, keeps the stored key, null takes it away. A key must fit one
 * of the certificates. Tells everything that is wrong, and nothing of a key.
 */
export const planKeyPair = (
  body: GivenPair,
  before: PairBefore | undefined,
): { readonly plan: KeyPairPlan; readonly faults: readonly FieldError[] } => {
  const given = body.sp_certificate_key
  const keeps = given === undefined || given === maskedKey
  const certificate =
    body.sp_certificate === undefined ? (before?.spCertificate ?? null) : body.sp_certificate
  const isToBeMade = !before && keeps && body.sp_certificate === undefined
  const read = typeof given === 'string' && !keeps ? readPrivateKey(given) : null
  const key = keeps ? (before?.spCertificateKey ?? null) : typeof read === 'string' ? null : read
  const certificateFaults =
    typeof body.sp_certificate === 'string' ? readCertificates(body.sp_certificate).faults : []
  const faults: FieldError[] = [
    ...certificateFaults.map((message) => ({ field: 'sp_certificate', message })),
    ...(typeof read === 'string' ? [{ field: 'sp_certificate_key', message: read }] : []),
  ]
  const plan = { isToBeMade, certificate, key }
  if (faults.length > 0) return { plan, faults }
  return { plan, faults: [...unpaired(plan, !before && keeps), ...unfitting(plan)] }
}

const unpaired = (
  { isToBeMade, certificate, key }: KeyPairPlan,
  lacksKey: boolean,
): readonly FieldError[] => {
  if (key && certificate === null)
    return [
      {
        field: 'sp_certificate',
        message: 'is required along with sp_certificate_key: send null for both, or both',
      },
    ]
  if (certificate !== null && lacksKey && !isToBeMade)
    return [
      {
        field: 'sp_certificate_key',
        message: 'is required along with sp_certificate: leave both out to have a pair made',
      },
    ]
  return []
}

const unfitting = ({ certificate, key }: KeyPairPlan): readonly FieldError[] => {
  if (!key || certificate === null) return []
  const fits = findTrustedCertificates(certificate).some((one) =>
    'cipher' in key ? one.keyFingerprint === key.fingerprint : isMatchingPair(key, one),
  )
  return fits ? [] : [{ field: 'sp_certificate_key', message: 'must be the private key of sp_certificate' }]
}
