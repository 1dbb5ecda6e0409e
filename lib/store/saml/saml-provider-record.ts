import { createCodec } from '../engine/codec.ts'
import { samlProviderKey } from '../keys/keys.ts'

/** A SAML identity provider as stored. */
export interface SamlProviderRecord {
  readonly id: number
  readonly name: string
  readonly normalizedName: string
  readonly disabledInClient: boolean
  readonly entityId: string
  readonly ssoUrl: string
  readonly sloUrl: string | null
  /** Where responses to its logout requests go if not to `sloUrl`. Comes from its metadata together with `sloUrl`. */
  readonly sloResponseUrl: string | null
  /** The certificates that it signs with: one or several, in PEM. */
  readonly certificate: string
  /** The certificates of this service. The first one that matches the key is in use. */
  readonly spCertificate: string | null
  readonly spCertificateKey: StoredKey | null
  /** The pair that is published already and will be used after the next rotation. */
  readonly nextSpPair: StoredPair | null
  /** The pair that was in use before. Providers may still encrypt for it. */
  readonly previousSpPair: StoredPair | null
  readonly nameidFormat: string
  /** The attribute that identifies a user if the name ID is transient. */
  readonly nameidAttribute: string | null
  readonly autoCreateUsers: boolean
  readonly autoCreateGroups: boolean
  readonly autoSyncGroups: boolean
  /** The domains whose addresses count as confirmed. Missing means none. */
  readonly trustedEmailDomains?: readonly string[]
  /** The groups that the provider may use, by name or prefix. Null means none. */
  readonly allowedGroups: readonly string[] | null
  readonly userTemplate: number | null
  /** The URL from which its metadata is refreshed daily. */
  readonly metadataUrlSource: string | null
  /** Whether its metadata was signed by a known certificate. From then on, a signature is required. */
  readonly isMetadataSigned: boolean
  /** How many days before its end the last warning of a certificate was sent, by fingerprint. */
  readonly warnedOf: Readonly<Record<string, number>>
  /** Increases with each edit. An edit of an older version is rejected. */
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
