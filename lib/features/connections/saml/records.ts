import { ConflictError } from '../../../kernel/errors/errors.ts'
import { isAbsent } from '../../../kernel/table/expressions.ts'
import { samlEntityKey } from '../../../kernel/table/keys/keys.ts'
import { createCodec, findRecord, idMarkerCodec } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import {
  type Connection,
  type ConnectionChanges,
  type ConnectionKind,
  connectionShape,
  findConnectionOf,
} from '../records.ts'
import type { StoredSettings } from '../stored-settings.records.ts'
import type { SAMLProviderUpdate } from './models.ts'

/** The fields that requests set, as they are declared. The key is stored encrypted, under a name of its own. */
export type SamlSettings = StoredSettings<Omit<SAMLProviderUpdate, 'sp_certificate_key'>>

/** A connection to an identity provider that speaks SAML, as stored. */
export interface SamlConnection extends Connection, SamlSettings {
  readonly kind: 'saml'
  /** Where responses to its logout requests go if not to `slo_url`. Comes from its metadata together with `slo_url`. */
  readonly sloResponseUrl: string | null
  /** The key of one of the certificates in `sp_certificate`, which is the one in use. */
  readonly spCertificateKey: StoredKey | null
  /** The pair that is published already and will be used after the next rotation. */
  readonly nextSpPair: StoredPair | null
  /** The pair that was in use before. Providers may still encrypt for it. */
  readonly previousSpPair: StoredPair | null
  /** The URL that the holder of a set-up link sent. It is not read again before an administrator chooses it. */
  readonly proposedMetadataUrl: string | null
  /** Whether its metadata was signed by a known certificate. From then on, a signature is required. */
  readonly isMetadataSigned: boolean
  /** How many days before its end the last warning of a certificate was sent, by fingerprint. */
  readonly warnedOf: Readonly<Record<string, number>>
}

/** A private key, encrypted for its connection, and the fingerprint of its public key. */
export interface StoredKey {
  readonly cipher: string
  readonly fingerprint: string
}

export interface StoredPair {
  readonly certificate: string
  readonly key: StoredKey
}

/** Another connection has this entity ID. */
export class EntityIdTaken extends ConflictError {
  constructor() {
    super('entity_id_taken', 'another provider has this entity ID')
    this.name = 'EntityIdTaken'
  }
}

const unknownEntityIdPrefix = 'urn:latchkey:setup:'

/** The entity ID of a provider whose metadata is not known yet. */
export const getUnknownEntityId = (id: number): string => `${unknownEntityIdPrefix}${id}`

/** Whether an entity ID is one that this service gives to providers. No identity provider can have it. */
export const isUnknownEntityId = (entityId: string): boolean => entityId.startsWith(unknownEntityIdPrefix)

/**
 * The entity ID that no other connection can have. During a set-up it is not that of the metadata, which anyone with a link
 * could send: the holder of a link shuts no one out, and the connection that is live first gets it.
 */
const getClaimedEntityId = ({ id, entity_id, setup }: SamlConnection): string =>
  setup ? getUnknownEntityId(id) : entity_id

/** Builds the steps that keep entity IDs unique. They fail with `EntityIdTaken` if another connection was first. */
const buildEntityIdSteps = (
  before: SamlConnection | undefined,
  after: SamlConnection | undefined,
): readonly Step[] => {
  const [old, claimed] = [before && getClaimedEntityId(before), after && getClaimedEntityId(after)]
  if (old === claimed) return []
  return [
    ...(after && claimed !== undefined
      ? [
          {
            put: { ...samlEntityKey(claimed), id: after.id },
            condition: isAbsent,
            orElse: () => new EntityIdTaken(),
          },
        ]
      : []),
    ...(old === undefined ? [] : [{ delete: samlEntityKey(old) }]),
  ]
}

export const samlKind: ConnectionKind<SamlConnection> = {
  kind: 'saml',
  codec: createCodec<SamlConnection>('SAML provider', {
    ...connectionShape,
    entity_id: 'string',
    certificate: 'string',
    warnedOf: 'map',
  }),
  buildUniqueSteps: buildEntityIdSteps,
}

export const findSamlConnection = (table: Table, id: number): Promise<SamlConnection | undefined> =>
  findConnectionOf(table, samlKind, id)

/** The ID of the connection with an entity ID. */
export const findEntityIdOwner = async (table: Table, entityId: string): Promise<number | undefined> =>
  (await findRecord(table, idMarkerCodec, samlEntityKey(entityId)))?.id

export type SamlChanges = ConnectionChanges<SamlConnection>
