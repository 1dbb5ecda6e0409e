import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { UseCase, UseCaseRequest } from '../../http/use-case.ts'
import type { ThingKind } from '../../kernel/contract/managed-kinds.ts'
import type { Operation } from '../../kernel/contract/operation.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import type { Weaker } from './weaker.ts'

/** The fields of a thing or of settings, by their names on the wire. */
export type Values = Readonly<Record<string, unknown>>

/** What the service chose for a thing, and products or identity providers need. */
export type Outputs = Readonly<Record<string, string | number>>

/** Runs use cases as the administrator that a document is. */
export interface Runner {
  readonly services: Services
  readonly context: RequestContext
  readonly run: <Op extends Operation>(
    useCase: UseCase<Op>,
    input: Partial<Pick<UseCaseRequest<Op>, 'params' | 'query' | 'body'>>,
  ) => ReturnType<UseCase<Op>>
  /** Runs them as a user instead. */
  readonly runAs: (principal: Principal) => Runner['run']
}

interface Kind {
  /** The fields that a document sets. */
  readonly fields: readonly string[]
  /** The values of the fields that an entry leaves out. */
  readonly defaults: Values
  /** The fields that have IDs of things, with their kind. A document has their keys. */
  readonly references: Readonly<Record<string, ThingKind>>
  /** The fields that name things in another way than by ID, with their kind. */
  readonly alsoNames?: Readonly<Record<string, ThingKind>>
}

export interface Thing {
  readonly id: number
  readonly name: string
  readonly values: Values
  readonly outputs: Outputs
}

export interface Created {
  readonly id: number
  /** Those of the thing, and secrets, which are shown once. */
  readonly outputs: Outputs
}

export interface KindOfThing extends Kind {
  /** The fields that give rights: more of them lets somebody or something do more. */
  readonly rights: readonly string[]
  /** The fields that never change. */
  readonly fixed?: readonly string[]
  /** What no two things of the kind share. */
  readonly identity: string
  /** The field with a reference to a secret, which is sent and never read. */
  readonly secret?: string
  /** The things of these IDs, in their order. Missing ones are undefined. */
  readonly read: (services: Services, ids: readonly number[]) => Promise<readonly (Thing | undefined)[]>
  /** The ID of the thing with the identity of an entry. */
  readonly find: (services: Services, entry: Values) => Promise<number | undefined>
  /** All things of the kind, in order of ID. */
  readonly list: (services: Services) => AsyncIterable<Thing>
  readonly create: (runner: Runner, values: Values, key: string) => Promise<Created>
  readonly update: (runner: Runner, id: number, values: Values) => Promise<unknown>
  /** Makes what a thing needs after each of these. Returns new secrets, which are shown once. */
  readonly complete?: (runner: Runner, id: number, values: Values) => Promise<Outputs>
  readonly remove: (runner: Runner, id: number) => Promise<unknown>
}

export interface KindOfSettings extends Kind {
  /** Which change of a field makes the settings weaker. Each field has one. */
  readonly weaker: Readonly<Record<string, Weaker>>
  /** What a service has before anybody sets it. A document takes it over without being asked to. */
  readonly initial: readonly Values[]
  /** The key is the kind, or the name of a product. */
  readonly read: (runner: Runner, key: string) => Promise<Values>
  readonly update: (runner: Runner, values: Values, key: string) => Promise<unknown>
  /** The keys of all of them in a service. Missing for what a service has once. */
  readonly listKeys?: (services: Services) => readonly string[]
  /** What is wrong with an entry before it is compared. The fields are relative to it. */
  readonly check?: (services: Services, values: Values, key: string) => readonly FieldError[]
  /** The values of an entry in the form of `read`, which has no bytes of images. */
  readonly summarize?: (values: Values) => Values
  /** The values of `read` as a document has them. */
  readonly toEntry?: (services: Services, values: Values) => Promise<Values>
}

/** The fields of an entry, without what only says how it is applied. */
export const listFields = (shape: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(shape).filter((name) => name !== 'adopt')

/** A body that was validated as an entry, which has the fields of the operation. */
export const asBody = (values: Values) => values as never
