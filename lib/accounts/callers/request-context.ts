import type { Language } from '../../kernel/i18n/languages.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { CallerKind } from './principal.ts'

/** The cookie by which accounts recognize a browser. */
export interface DeviceCookie {
  /** A secret of the browser. Missing at the end of a SAML sign-in, which knows the hash from its start. */
  readonly value?: string
  readonly hash: string
  /** Whether the browser did not have it yet. */
  readonly isNew?: boolean
}

/** The facts about a request that audit events contain. */
export interface RequestContext {
  /** The address of the connection, or the one that a product named. */
  readonly address: string
  /** The ID of the user of the product that named the address. */
  readonly product?: number
  readonly userAgent: string
  /** The country of the address, if the front door knows it: ISO 3166-1 alpha-2. */
  readonly country?: string
  /** The language that the client asked for. Missing if it asked for none that exists here. */
  readonly language?: Language
  /** The browser that sent the request. Missing unless it comes from a page of this service. */
  readonly device?: DeviceCookie
  readonly requestId: string
  /** The id of the user who really acts, or null when the caller is not signed in. */
  readonly actor: number | null
  /** How the caller is known. Missing when the caller is not signed in. */
  readonly credential?: CallerKind | undefined
  /** The ID of the session or API token of the caller, among those of its kind. Missing for all others. */
  readonly credentialId?: number | undefined
  /**
   * Who called, if no user of the service did: the principal that IAM proved, as its ARN. One that nobody proved begins with
   * `unverified:`.
   */
  readonly actorPrincipal?: string | undefined
  /** The ID of the organization that the request is about. */
  readonly organization?: number | undefined
  /** Whether the actor acts as a member of that organization, and not for the service. */
  readonly byMember?: true | undefined
  /** The values that fields must still have, by their names on the wire: see `require-unchanged.ts`. */
  readonly ifUnchanged?: Readonly<Record<string, unknown>> | undefined
  /** The time of the request in epoch milliseconds. */
  readonly at: number
  /**
   * Builds the steps that go along with the creation or deletion of a thing with this ID: what notes that a document manages it. See
   * `lib/features/configuration`.
   */
  readonly alongside?: (id: number) => readonly Step[]
  /** The ID of a thing that somebody deleted, if a document creates the same one again. */
  readonly restores?: number | undefined
  /** Whether the secret of a new client is made afterwards, where its product reads it. */
  readonly keepsSecretElsewhere?: boolean
  /** The random part of a new secret, which the caller minted and keeps already. A document sends it: see `held-secrets.part.ts`. */
  readonly presetRandom?: string | undefined
}

/** The context of what an operator does on the command line. */
export const buildCommandContext = (at: number, requestId: string): RequestContext => ({
  address: 'command line',
  userAgent: '',
  requestId,
  actor: null,
  at,
})

/** The context of what CloudFormation starts. */
export const buildDeploymentContext = (at: number, requestId: string): RequestContext => ({
  ...buildCommandContext(at, requestId),
  address: 'deployment',
})

/** The context of what a schedule starts. */
export const buildScheduleContext = (at: number, requestId: string): RequestContext => ({
  address: 'schedule',
  userAgent: '',
  requestId,
  actor: null,
  at,
})
