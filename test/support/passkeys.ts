import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type CborValue, encodeCbor } from './cbor.ts'
import type { JsonValue } from './client.ts'
import type { SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384'

/** What an attacker or an unusual authenticator does differently. */
export interface Deviation {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly rpId?: string
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  readonly isBackupEligible?: boolean
  readonly isBackedUp?: boolean
  readonly counter?: number
  /** Undefined sends the stored one. */
  readonly userHandle?: string | null
  readonly format?: string
  readonly statement?: Map<string, CborValue>
  /** Signs with the key of another passkey. */
  readonly key?: KeyObject
}

interface NewOptions {
  readonly algorithm?: Algorithm
  readonly isBackupEligible?: boolean
  /** The counter of the next use. 0 never counts. */
  readonly counter?: number
  readonly credentialId?: Buffer
}

const keyPairs = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const hash = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const decode = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')

/** A passkey in software, with the browser in front of it. It does what it is asked to, also if that is wrong. */
export class SoftwarePasskey {
  readonly id: Buffer
  readonly key: KeyObject
  readonly #algorithm: Algorithm
  readonly #publicKey: KeyObject
  readonly #isBackupEligible: boolean
  #userHandle = randomBytes(32).toString('base64url')
  counter: number

  constructor({ algorithm = 'ES256', isBackupEligible = true, counter = 0, credentialId }: NewOptions = {}) {
    const { privateKey, publicKey } = keyPairs[algorithm]()
    this.id = credentialId ?? randomBytes(32)
    this.key = privateKey
    this.#publicKey = publicKey
    this.#algorithm = algorithm
    this.#isBackupEligible = isBackupEligible
    this.counter = counter
  }

  get userHandle(): string {
    return this.#userHandle
  }

  /** The public key as another system stores it: COSE, as bytes. */
  get publicKey(): Buffer {
    return encodeCbor(this.#coseKey())
  }

  /** The credential that a browser sends after `navigator.credentials.create()`. */
  create(options: JsonValue, deviation: Deviation = {}): JsonValue {
    this.#userHandle = options.user.id
    const { format = 'none', statement = new Map() } = deviation
    const attested = Buffer.concat([Buffer.alloc(16), this.#idLength(), this.id, encodeCbor(this.#coseKey())])
    const authData = this.#authenticatorData(options.rp.id, deviation, attested)
    const attestationObject = encodeCbor(
      new Map<string, CborValue>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authData],
      ]),
    )
    const clientDataJSON = this.#clientData('webauthn.create', options, deviation)
    return this.#toJson({
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  /** The credential that a browser sends after `navigator.credentials.get()`. */
  get(options: JsonValue, deviation: Deviation = {}): JsonValue {
    if (this.counter > 0) this.counter++
    const authenticatorData = this.#authenticatorData(options.rpId, deviation)
    const clientDataJSON = this.#clientData('webauthn.get', options, deviation)
    const data = Buffer.concat([authenticatorData, hash(clientDataJSON)])
    const digest = { ES256: 'sha256', ES384: 'sha384', RS256: 'sha256', EdDSA: null }[this.#algorithm]
    const signature = sign(digest, data, deviation.key ?? this.key)
    const { userHandle = this.#userHandle } = deviation
    return this.#toJson({
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle,
    })
  }

  #toJson(response: object): JsonValue {
    const id = this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response,
    }
  }

  #clientData(type: string, { challenge }: JsonValue, deviation: Deviation): Buffer {
    const { origin = process.env['PUBLIC_URL'], crossOrigin = false, topOrigin } = deviation
    const given = { type: deviation.type ?? type, challenge: deviation.challenge ?? challenge }
    return Buffer.from(JSON.stringify({ ...given, origin, crossOrigin, topOrigin }))
  }

  #authenticatorData(rpId: string, deviation: Deviation, attested = Buffer.alloc(0)): Buffer {
    const { isPresent = true, isVerified = true, isBackedUp = false, counter = this.counter } = deviation
    const { isBackupEligible = this.#isBackupEligible } = deviation
    const flags =
      (isPresent ? 0x01 : 0) |
      (isVerified ? 0x04 : 0) |
      (isBackupEligible ? 0x08 : 0) |
      (isBackedUp ? 0x10 : 0) |
      (attested.length > 0 ? 0x40 : 0)
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(counter, 1)
    return Buffer.concat([hash(deviation.rpId ?? rpId), tail, attested])
  }

  #idLength(): Buffer {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    return length
  }

  /** The public key as COSE (RFC 9053). */
  #coseKey(): Map<number, CborValue> {
    const jwk = this.#publicKey.export({ format: 'jwk' })
    const entries: Record<Algorithm, [number, CborValue][]> = {
      ES256: [
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, decode(jwk.x)],
        [-3, decode(jwk.y)],
      ],
      ES384: [
        [1, 2],
        [3, -35],
        [-1, 2],
        [-2, decode(jwk.x)],
        [-3, decode(jwk.y)],
      ],
      EdDSA: [
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, decode(jwk.x)],
      ],
      RS256: [
        [1, 3],
        [3, -257],
        [-1, decode(jwk.n)],
        [-2, decode(jwk.e)],
      ],
    }
    return new Map(entries[this.#algorithm])
  }
}

/** The options to add a passkey to the account of a person. */
export const startRegistration = async (
  { client }: TestService,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
): Promise<JsonValue> => {
  const answer = await client('POST', '/api/2/users/me/passkeys/options', { bearer })
  if (answer.status !== 200) throw new Error(`no options: ${answer.text}`)
  return answer.body
}

/** Adds a passkey to the account of a person over HTTP. */
export const addPasskey = async (
  service: TestService,
  person: Pick<SignedInPerson, 'bearer'>,
  passkey = new SoftwarePasskey(),
): Promise<{ readonly passkey: SoftwarePasskey; readonly id: number }> => {
  const credential = passkey.create(await startRegistration(service, person))
  const { bearer } = person
  const answer = await service.client('POST', '/api/2/users/me/passkeys', { bearer, body: { credential } })
  if (answer.status !== 201) throw new Error(`the passkey was not added: ${answer.text}`)
  return { passkey, id: answer.body.id }
}

/** The options to sign in with a passkey. */
export const startPasskeySignIn = async (
  { client }: TestService,
  secondFactorToken?: string,
): Promise<JsonValue> => {
  const body = secondFactorToken === undefined ? {} : { second_factor_token: secondFactorToken }
  const answer = await client('POST', '/api/2/auth/passkeys/options', { body })
  if (answer.status !== 200) throw new Error(`no options: ${answer.text}`)
  return answer.body
}

/** Confirms the identity in a session with a passkey over HTTP, and returns the answer. */
export const confirmWithPasskey = async (
  { client }: Pick<TestService, 'client'>,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  passkey: SoftwarePasskey,
) => {
  const path = '/api/2/auth/passkeys/reauthenticate'
  const { body: options } = await client('POST', `${path}/options`, { bearer })
  return client('POST', path, { bearer, body: { credential: passkey.get(options) } })
}

/** Signs in with a passkey over HTTP and returns the answer. */
export const signInWithPasskey = async (
  service: TestService,
  passkey: SoftwarePasskey,
  deviation: Deviation = {},
) => {
  const credential = passkey.get(await startPasskeySignIn(service), deviation)
  return service.client('POST', '/api/2/auth/passkeys/login', { body: { credential } })
}

/** What a password manager answers when it adds a passkey without a question. */
export const silentAnswer: Deviation = { isPresent: false, isVerified: false }

/** Adds a passkey as browsers do right after a sign-in with a password, without a question. */
export const addUnaskedPasskey = async (
  { client }: TestService,
  { bearer }: Pick<SignedInPerson, 'bearer'>,
  passkey = new SoftwarePasskey(),
): Promise<{ readonly passkey: SoftwarePasskey; readonly id: number }> => {
  const path = '/api/2/users/me/passkeys'
  const { body: options } = await client('POST', `${path}/options`, {
    bearer,
    body: { is_conditional: true },
  })
  const credential = passkey.create(options, silentAnswer)
  const answer = await client('POST', path, { bearer, body: { credential } })
  if (answer.status !== 201) throw new Error(`the passkey was not added: ${answer.text}`)
  return { passkey, id: answer.body.id }
}
