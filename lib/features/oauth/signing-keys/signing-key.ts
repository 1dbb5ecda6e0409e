import { createPrivateKey, type KeyObject } from 'node:crypto'
import { buildMetricFields } from '../../../kernel/log/log.ts'
import type { Services } from '../../../services.ts'
import { findPrivateSigningKey, type SigningKeyRecord } from '../signing-keys.records.ts'
import { findCurrentKey, getKeys, readKeys } from './key-set.ts'

/** A key that can sign now. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** Decrypted keys by services and `kid`. Each process calls KMS once for each key. */
const decrypted = new WeakMap<Services, Map<string, Promise<KeyObject | undefined>>>()

type CreateKeys = (services: Services) => Promise<unknown>

let createKeys: CreateKeys | undefined
let creating: Promise<unknown> | undefined

/**
 * Sets how missing keys are created: a clock can jump past the life of all keys, and the job that creates them can fail for
 * months. Local mode creates them. On AWS, the function that signs may not, and asks the one that may: see `requestKeys`.
 */
export const createMissingKeysWith = (create: CreateKeys): void => {
  createKeys = create
}

/** Reads the keys after the missing one was created, once for all requests that wait for it. */
const readCreatedKeys = async (services: Services) => {
  creating ??= createKeys?.(services).finally(() => {
    creating = undefined
  })
  await creating
  return readKeys(services)
}

/**
 * Returns the key that signs now.
 *
 * @throws Error if there is none. An alarm reports it.
 */
export const getSigningKey = async (services: Services): Promise<SigningKey> => {
  // The cached list can be older than the first key, or than the removal of a withdrawn one.
  for (const list of [getKeys, readKeys, ...(createKeys ? [readCreatedKeys] : [])]) {
    const keys = await list(services)
    const current = findCurrentKey(keys, services.now())
    const privateKey = current && (await getPrivateKey(services, keys, current))
    if (privateKey) return { kid: current.kid, privateKey }
  }
  services.log.error('signing_key.missing', buildMetricFields('SigningKeyMissing', services))
  throw new Error('There is no key to sign with. Run the function signing-keys.')
}

/** Decrypts the private part of a key, at most once in a process. Undefined if it is not stored any more. */
export const getPrivateKey = (
  services: Services,
  keys: readonly SigningKeyRecord[],
  { kid, number }: SigningKeyRecord,
): Promise<KeyObject | undefined> => {
  const known = decrypted.get(services) ?? new Map<string, Promise<KeyObject | undefined>>()
  decrypted.set(services, known)
  for (const other of known.keys()) if (!keys.some((key) => key.kid === other)) known.delete(other)
  const loaded = known.get(kid) ?? loadPrivateKey(services, number, kid)
  known.set(kid, loaded)
  // Neither a failure nor a missing key is cached.
  const forget = () => known.delete(kid)
  loaded.then((key) => key ?? forget(), forget)
  return loaded
}

const loadPrivateKey = async (
  { table, vault }: Services,
  number: number,
  kid: string,
): Promise<KeyObject | undefined> => {
  const stored = await findPrivateSigningKey(table, number)
  if (stored?.kid !== kid) return undefined
  const text = await vault.decrypt(stored.cipher, getSigningKeyContext(kid))
  return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
}

/** The encryption context of a private key. It differs for each key and from that of any other secret. */
export const getSigningKeyContext = (kid: string) => ({ purpose: 'signing-key', kid })
