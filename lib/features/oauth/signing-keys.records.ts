import { isAbsent } from '../../kernel/table/expressions.ts'
import { privateSigningKeyKey, signingKeyKey, signingKeyPrefix } from '../../kernel/table/keys/keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import { createCodec, decodeListed, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'

/** The public parts of all keys that are still stored, oldest first. Retired keys stay until their items expire. */
export const listSigningKeys = async (table: Table): Promise<readonly SigningKeyRecord[]> =>
  decodeListed(table, signingKeyCodec, await table.list(partitions.signingKeys, signingKeyPrefix))

export const findPrivateSigningKey = (
  table: Table,
  number: number,
): Promise<PrivateSigningKeyRecord | undefined> =>
  findRecord(table, privateSigningKeyCodec, privateSigningKeyKey(number))

/**
 * Stores both parts of a new key, and `extraSteps` in the same transaction.
 *
 * @throws ConditionFailed if there is a key with its number already.
 */
export const addSigningKey = (
  table: Table,
  key: SigningKeyRecord,
  cipher: string,
  extraSteps: readonly Step[],
): Promise<void> => {
  const { number, kid } = key
  return table.transact([
    {
      put: {
        ...signingKeyKey(number),
        ...signingKeyCodec.encode(key),
        expires_at: toSeconds(key.publishedUntil),
      },
      condition: isAbsent,
    },
    {
      put: {
        ...privateSigningKeyKey(number),
        ...privateSigningKeyCodec.encode({ number, kid, cipher }),
        expires_at: toSeconds(key.signsUntil),
      },
      condition: isAbsent,
    },
    ...extraSteps,
  ])
}

/** Builds the step that changes the times of a key. It fails if they were changed since the key was read. */
export const buildTimesStep = (
  { number, signsFrom, signsUntil, publishedUntil }: SigningKeyRecord,
  times: Pick<SigningKeyRecord, 'signsFrom' | 'signsUntil' | 'publishedUntil'>,
): Step => ({
  update: signingKeyKey(number),
  changes: (x) => ({
    set: [
      `${x.path('signsFrom')} = ${x.value(times.signsFrom)}`,
      `${x.path('signsUntil')} = ${x.value(times.signsUntil)}`,
      `${x.path('publishedUntil')} = ${x.value(times.publishedUntil)}`,
      `${x.path('expires_at')} = ${x.value(toSeconds(times.publishedUntil))}`,
    ],
    condition: [
      `${x.path('signsFrom')} = ${x.value(signsFrom)}`,
      `${x.path('signsUntil')} = ${x.value(signsUntil)}`,
      `${x.path('publishedUntil')} = ${x.value(publishedUntil)}`,
    ].join(' AND '),
  }),
})

export const buildPrivateKeyRemoval = (number: number): Step => ({ delete: privateSigningKeyKey(number) })

/**
 * The public part of a key that signs JWTs. Its state follows from its times alone, so that no function has to change
 * it: published from `createdAt`, signing from `signsFrom` to `signsUntil`, published until `publishedUntil`.
 */
export interface SigningKeyRecord {
  /** Keys are numbered from 1. The number is part of the key of the item, so that concurrent runs create one key. */
  readonly number: number
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  /** The modulus and the exponent of the RSA key (RFC 7518 6.3.1). */
  readonly modulus: string
  readonly exponent: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly signsFrom: number
  readonly signsUntil: number
  readonly publishedUntil: number
}

/** The private part of a signing key: PKCS #8 as base64, encrypted by the vault. */
export interface PrivateSigningKeyRecord {
  readonly number: number
  readonly kid: string
  readonly cipher: string
}

export const signingKeyCodec = createCodec<SigningKeyRecord>('signing key', {
  number: 'number',
  kid: 'string',
  modulus: 'string',
  exponent: 'string',
  createdAt: 'number',
  signsFrom: 'number',
  signsUntil: 'number',
  publishedUntil: 'number',
})

export const privateSigningKeyCodec = createCodec<PrivateSigningKeyRecord>('private signing key', {
  number: 'number',
  kid: 'string',
  cipher: 'string',
})
