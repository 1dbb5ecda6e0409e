import type { ThingKind } from '../../kernel/contract/managed-kinds.ts'
import { scopes as builtIn } from '../../kernel/contract/scopes.ts'
import { AppError, type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { Services } from '../../services.ts'
import { isChosenId } from '../oauth/clients.models.ts'
import { type ConfigurationDocument, thingLists } from './document.models.ts'
import { invokedAlias, isProductName, productUrlSuffix, urlAlias } from './door.models.ts'
import { things } from './kinds.part.ts'
import { listManaged } from './managed.records.ts'
import {
  type AdmittedTransfer,
  isStoredOwner,
  productPrefix,
  requireOwners,
  type Transfer,
} from './transfer.part.ts'

/** What those who may invoke a function can configure with it. */
export interface Door {
  /** The owner as it is stored. */
  readonly ownerOf: (owner: string) => string
  /** Returns the document of the owner that is stored. @throws AppError `invalid_request` that lists what this door does not let through */
  readonly admit: (services: Services, document: ConfigurationDocument) => Promise<ConfigurationDocument>
  /** Whether stacks of other accounts come through, so that the name of a stack does not say which one it is. */
  readonly hasOtherAccounts: boolean
  /** @throws AppError `permission_denied` */
  readonly requireExport: () => void
  /** Returns the owners as they are stored, and what the names of all others begin with that this door may see. @throws AppError `invalid_request` */
  readonly admitTransfer: (transfer: Transfer) => AdmittedTransfer
}

export interface DoorServices {
  readonly services: Services
  readonly door: Door
}

/**
 * How a function is called, which an alias says: by CloudFormation about a resource, through a function URL, where IAM proves the caller, or
 * by those who invoke the alias with a request, whom nothing proves.
 */
export interface Entrance {
  readonly door: Door
  readonly takes: readonly ('resources' | 'url' | 'invoked')[]
}

/** Finds the entrance of an alias. Undefined stands for the function without an alias, or for no entrance. */
export type FindEntrance = (alias: string | undefined) => Entrance | undefined

/** The door of administrators. */
export const serviceDoor: Door = {
  ownerOf: (owner) => owner,
  admit: async (_, document) => document,
  hasOtherAccounts: false,
  requireExport: () => undefined,
  admitTransfer: (transfer) => ({ ...requireOwners(transfer, isStoredOwner), prefix: '' }),
}

export const findServiceEntrance: FindEntrance = (alias) => {
  if (alias === undefined) return { door: serviceDoor, takes: ['resources'] }
  if (alias === urlAlias) return { door: serviceDoor, takes: ['url'] }
  return alias === invokedAlias ? { door: serviceDoor, takes: ['invoked'] } : undefined
}

/** Each product has two aliases of the function, so that IAM decides which product somebody deploys. */
export const findProductEntrance: FindEntrance = (alias = '') => {
  const isUrl = alias.endsWith(productUrlSuffix)
  const product = isUrl ? alias.slice(0, -productUrlSuffix.length) : alias
  if (!isProductName(product)) return undefined
  return { door: createProductDoor(product), takes: isUrl ? ['url'] : ['resources', 'invoked'] }
}

/**
 * The door of a product, whose stack is no administrator: its APIs and clients, without anything that gives rights in the service or in
 * the API of another product. Its owners have a prefix that no document can have, so that no door changes what another one manages.
 */
export const createProductDoor = (product: string): Door => {
  const prefix = `${productPrefix}${product}/`
  const ownerOf = (owner: string): string => `${prefix}${owner}`
  return {
    ownerOf,
    admit: async (services, document) => {
      const admitted = { ...document, owner: ownerOf(document.owner) }
      const errors = await listProductErrors(services, admitted, prefix)
      if (errors.length > 0) throw invalidRequest(errors)
      return admitted
    },
    hasOtherAccounts: true,
    requireExport: () => {
      throw new AppError('permission_denied', {
        detail: 'The function of products exports nothing. Use the function `config`.',
      })
    },
    admitTransfer: (transfer) => {
      const { from, to } = requireOwners(transfer, isChosenId)
      return { from: ownerOf(from), to: ownerOf(to), prefix }
    },
  }
}

const productKinds: readonly ThingKind[] = ['api', 'client']

const productFields: readonly string[] = [
  'schema_version',
  'owner',
  ...productKinds.map((kind) => thingLists[kind]),
]

const listProductErrors = async (
  services: Services,
  document: ConfigurationDocument,
  prefix: string,
): Promise<readonly FieldError[]> => {
  const { apis = {}, clients = {} } = document
  const audiences = await listOwnAudiences(services, document, prefix)
  return [
    ...Object.keys(document)
      .filter((name) => !productFields.includes(name))
      .map((field) => ({ field, message: 'is not for products. Use the function `config`' })),
    ...Object.entries(apis).flatMap(([key, { adopt, permissions = [], scopes = [] }]) => [
      ...listAdoptErrors(`apis.${key}`, adopt),
      ...listBuiltIn(
        `apis.${key}.permissions`,
        permissions.map(({ name }) => name),
        '.name',
      ),
      ...listBuiltIn(
        `apis.${key}.scopes`,
        scopes.map(({ name }) => name),
        '.name',
      ),
    ]),
    ...Object.entries(clients).flatMap(([key, client]) => [
      ...listAdoptErrors(`clients.${key}`, client.adopt),
      ...listBuiltIn(`clients.${key}.permissions`, client.permissions ?? []),
      ...listBuiltIn(`clients.${key}.machine_permissions`, client.machine_permissions ?? []),
      ...(client.machine_groups && client.machine_groups.length > 0
        ? [{ field: `clients.${key}.machine_groups`, message: 'must be empty for a product' }]
        : []),
      ...(client.apis ?? []).flatMap(({ audience }, at) =>
        audiences.has(audience)
          ? []
          : [
              {
                field: `clients.${key}.apis.${at}.audience`,
                message: 'must be the audience of an API of this product',
              },
            ],
      ),
    ]),
  ]
}

/** What people made can have any rights. */
const listAdoptErrors = (path: string, adopt: boolean | undefined): readonly FieldError[] =>
  adopt ? [{ field: `${path}.adopt`, message: 'must be false for a product' }] : []

const isBuiltIn = (name: string): boolean => /^(?:system|users):/.test(name) || Object.hasOwn(builtIn, name)

const listBuiltIn = (path: string, names: readonly string[], rest = ''): readonly FieldError[] =>
  names.flatMap((name, at) =>
    isBuiltIn(name)
      ? [{ field: `${path}.${at}${rest}`, message: 'must not be a permission or a scope of the service' }]
      : [],
  )

/** The audiences of the APIs that a product has with any of its owners, or gets by this document. */
const listOwnAudiences = async (
  services: Services,
  { apis = {}, clients = {} }: ConfigurationDocument,
  prefix: string,
): Promise<ReadonlySet<unknown>> => {
  const given = Object.values(apis).map(({ audience }) => audience)
  const namesOthers = Object.values(clients).some((client) =>
    client.apis?.some(({ audience }) => !given.includes(audience)),
  )
  if (!namesOthers) return new Set(given)
  const own = (await listManaged(services.table)).filter(
    (one) => one.kind === 'api' && one.owner.startsWith(prefix) && one.deletedAt === undefined,
  )
  const found = await things.api.read(
    services,
    own.map(({ id }) => id),
  )
  return new Set([...given, ...found.map((api) => api?.values['audience'])])
}
