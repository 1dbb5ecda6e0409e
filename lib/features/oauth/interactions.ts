import { createHash, hkdfSync, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { oauthInteractionMs, oauthInteractionsPerBrowser } from '../../kernel/limits/limits.ts'
import { decryptText, encryptText } from '../../kernel/secrets/jwe.ts'
import type { EncryptionContext } from '../../kernel/secrets/vault.ts'
import type { Services } from '../../services.ts'
import { isClassEnough } from '../sign-in/authentication-class.ts'
import { isNewProof } from '../sign-in/proof-time.ts'
import type { OrganizationNeed } from './choose-organization.ts'
import { formatInteractionUid } from './interaction-uid.ts'
import { getKeys, readKeys } from './signing-keys/key-set.ts'
import { getPrivateKey } from './signing-keys/signing-key.ts'

/**
 * An authorization that waits for its user to sign in. The browser keeps it encrypted, so that no one fills the table
 * without signing in. When it is completed, all parameters are checked again.
 */
export interface Interaction {
  /** Random. By it the table knows that an interaction was completed. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** What the client asked for, without `id_token_hint`. */
  readonly parameters: Readonly<Record<string, string>>
  /** Whether the user must prove their identity again after `createdAt`, also if they are signed in. */
  readonly needsNewProof: boolean
  /** Whether the present sign-in would do if it were stronger, so that the user need not prove everything again. */
  readonly lacksStrength?: boolean
  /** The user whom the client means, as the client knows them. No other user may complete the interaction. */
  readonly subject?: string | undefined
  /** Whether the user has to choose an organization if they are in several. */
  readonly organizationNeed?: OrganizationNeed
  /** How often the browser was sent back to the sign-in page. */
  readonly returns: number
}

/** Which interaction of which browser it is. */
export interface InteractionPlace {
  /** The value of the cookie by which the browser proves that it started the interaction. */
  readonly browser: string
  /** The last part of the address of the interaction. */
  readonly uid: string
}

export const createInteractionId = (): string => randomBytes(18).toString('base64url')

/**
 * Chooses the address of a new interaction. The number of addresses is fixed: a page that starts many authorizations
 * cannot push other cookies out of the browser. They cannot be guessed, so that no other page leads to one.
 */
export const chooseInteractionUid = (browser: string, needsNewProof: boolean): string => {
  const hash = createHash('sha256').update(
    `interaction ${randomInt(oauthInteractionsPerBrowser / 2)} ${browser}`,
  )
  return formatInteractionUid(hash.digest('base64url'), needsNewProof)
}

/** When an interaction ends, in epoch milliseconds. */
export const getInteractionEnd = ({ createdAt }: Pick<Interaction, 'createdAt'>): number =>
  createdAt + oauthInteractionMs

const buildContext = ({ browser, uid }: InteractionPlace) => ({
  purpose: 'oidc-interaction',
  browser: createHash('sha256').update(browser).digest('base64url'),
  uid,
})

export const sealInteraction = (
  services: Services,
  interaction: Interaction,
  place: InteractionPlace,
): Promise<string> => sealText(services, JSON.stringify(interaction), buildContext(place))

/** Returns undefined for a text that this service did not seal for this place, and for an interaction that has ended. */
export const openInteraction = async (
  services: Services,
  sealed: string,
  place: InteractionPlace,
): Promise<Interaction | undefined> => {
  const text = await openText(services, sealed, buildContext(place))
  if (text === undefined) return undefined
  const interaction: Interaction = JSON.parse(text)
  return services.now() < getInteractionEnd(interaction) ? interaction : undefined
}

/*
 * What a browser keeps for the service, so that the table does not have to. Each signing key has a key for it, so nothing
 * else has to be stored and rotated. The newest signing key exists long before it signs, so a text can still be opened
 * after the keys change.
 */

/** Encrypts a text for the service itself. It can be opened with the same context only, and not be changed. */
const sealText = async (services: Services, text: string, context: EncryptionContext): Promise<string> => {
  for (const list of [getKeys, readKeys]) {
    const keys = await list(services)
    const newest = keys.at(-1)
    const privateKey = newest && (await getPrivateKey(services, keys, newest))
    if (privateKey) return `${newest.kid}.${await encryptText(deriveKey(privateKey), text, context)}`
  }
  throw new Error('There is no key to encrypt with. Run the function signing-keys.')
}

/** Opens a sealed text. Returns undefined if it was changed, belongs to another context, or its key was withdrawn. */
const openText = async (
  services: Services,
  sealed: string,
  context: EncryptionContext,
): Promise<string | undefined> => {
  const [kid = ''] = sealed.split('.', 1)
  // The cached list can be older than the newest key.
  for (const list of [getKeys, readKeys]) {
    const keys = await list(services)
    const record = keys.find((key) => key.kid === kid)
    const privateKey = record && (await getPrivateKey(services, keys, record))
    if (privateKey)
      return decryptText(deriveKey(privateKey), sealed.slice(kid.length + 1), context).catch(() => undefined)
  }
  return undefined
}

/** Derives a key for this purpose alone (RFC 5869), so that it says nothing about the signing key. */
const deriveKey = (privateKey: KeyObject): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', privateKey.export({ format: 'der', type: 'pkcs8' }), '', 'latchkey sealed text', 32),
  )

type Wanted = Pick<Interaction, 'needsNewProof' | 'createdAt' | 'lacksStrength' | 'parameters'>

/** Whether a session proves what an authorization asks for. */
export const isProofEnough = (
  { needsNewProof, createdAt, lacksStrength = false, parameters }: Wanted,
  principal: SessionPrincipal,
): boolean => {
  const { authentication } = principal.session
  return (
    !needsNewProof ||
    (authentication.at >= createdAt && isNewProof(principal, authentication)) ||
    (lacksStrength && isClassEnough(parameters['acr_values'] ?? '', authentication.methods))
  )
}
