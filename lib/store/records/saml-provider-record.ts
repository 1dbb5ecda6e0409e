import { createCodec } from '../engine/codec.ts'
import { samlProviderKey } from '../engine/keys.ts'

/** A SAML identity provider as stored. */
export interface SamlProviderRecord {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  readonly disabledInClient: boolean
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | null
  /** Where its metadata says that answers to its own logout messages go, if not there; as long as `sloUrl` is what it says. */
  readonly sloResponseUrl: string | null
  /** One or several, as they were given: what it signs with. */
  readonly certificate: string
  /** The same of ours; the first that fits the key is the one in use. */
  readonly spCertificate: string | null
  readonly spCertificateKey: StoredKey | null
  /** The pair that is published already and will be used once it is switched to. */
  readonly nextSpPair: StoredPair | null
  /** The pair that was in use before: partners may encrypt for it for a while. */
  readonly previousSpPair: StoredPair | null
  readonly nameidFormat: string
  /** The attribute that says who a user is where the name ID is transient. */
  readonly nameidAttribute: string | null
  readonly autoCreateUsers: boolean
  readonly autoCreateGroups: boolean
  readonly autoSyncGroups: boolean
  readonly userTemplate: number | null
  /** Where its metadata is read again every day. */
  readonly metadataUrlSource: string | null
  /** Whether its metadata was signed by a certificate that was known; from then on it must be. */
  readonly isMetadataSigned: boolean
  /** Days before its end that a certificate was warned of at last, by fingerprint. */
  readonly warnedOf: Readonly<Record<string, number>>
  /** Goes up by one with each edit; an edit of an older version is refused. */
  readonly version: number
}

/** A private key, encrypted for its provider, and the fingerprint of its public key. */
export interface StoredKey {
  readonly cipher: string
  readonly fingerprint: string
}

export interface StoredPair {
  readonly certificate: string
  readonly key: StoredKey
}

export type SamlProviderFields = Omit<SamlProviderRecord, 'id' | 'version' | 'warnedOf'>

export const samlProviderKind = {
  keyOf: samlProviderKey,
  codec: createCodec<SamlProviderRecord>('SAML provider', {
    id: 'number',
    name: 'string',
    normalizedName: 'string',
    entityId: 'string',
    certificate: 'string',
    autoCreateUsers: 'boolean',
    autoSyncGroups: 'boolean',
    warnedOf: 'map',
    version: 'number',
  }),
}
