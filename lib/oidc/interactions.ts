import { createHash, randomBytes, randomInt } from 'node:crypto'
import { oidcInteractionMs, oidcInteractionsPerBrowser } from '../limits/limits.ts'
import type { Services } from '../services.ts'
import { formatInteractionUid } from './interaction-uid.ts'
import { openText, sealText } from './sealed-text.ts'

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
  /** The ID of the user whom the client means. No other user may complete the interaction. */
  readonly subject?: string | undefined
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
    `interaction ${randomInt(oidcInteractionsPerBrowser / 2)} ${browser}`,
  )
  return formatInteractionUid(hash.digest('base64url'), needsNewProof)
}

/** When an interaction ends, in epoch milliseconds. */
export const getInteractionEnd = ({ createdAt }: Pick<Interaction, 'createdAt'>): number =>
  createdAt + oidcInteractionMs

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
