import type { EncryptionContext } from '../../kernel/secrets/vault.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { AccountName } from './accounts.records.ts'
import type { Connection, ConnectionKind } from './records.ts'

/**
 * What a protocol decides about its connections. Everything else is the same for all of them. Methods get the record as it is
 * stored, with the fields of the protocol.
 */
export interface Protocol<Record extends Connection = Connection> {
  readonly stored: ConnectionKind<Record>
  /** The paths of its operations in the browser of a person. */
  getPaths(id: number): ConnectionPaths
  /** How the events of the audit trail about its connections begin. */
  readonly eventPrefix: 'saml_provider' | 'oidc_connection'
  /** The name of an account, from the text that an administrator knows it by. */
  nameAccount(connection: Record, text: string): AccountName
  /**
   * Whether its identities have attributes with the usual names, because the mapping of the connection was applied to the answer
   * before.
   */
  readonly isMapped: boolean
  /** The qualifiers of names that say nothing. */
  listImpliedQualifiers(config: Config, connection: Record): readonly string[]
  /** Replaces each text that the vault encrypted. */
  mapSecrets(connection: Record, map: MapSecret): Promise<Record>
  /** Whose answers count, and which name in them is that of a user. */
  listTrusted(connection: Record): readonly unknown[]
}

/** Encrypts the text of a ciphertext anew, or returns the ciphertext. */
export type MapSecret = (cipher: string, context: EncryptionContext) => Promise<string>

export interface ConnectionPaths {
  /** Starts a sign-in. */
  readonly start: string
  /** Where the identity provider sends the browser with its answer. */
  readonly answer: string
  /** Where a sign-in ends. */
  readonly end: string
  /** Where a sign-out starts. What follows it begins with the same text. Missing if people sign out only here. */
  readonly signOut?: string
}
