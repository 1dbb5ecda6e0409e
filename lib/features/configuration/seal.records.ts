import type { ManagedKind } from '../../kernel/contract/managed-kinds.ts'
import type { Operation } from '../../kernel/contract/operation.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import {
  brandingKey,
  connectionKey,
  emailTextHistoryPartition,
  groupKey,
  type Key,
  managedIdKey,
  passwordPolicyKey,
  signInPolicyKey,
  signUpPolicyKey,
  userAttributesKey,
  userKey,
  userTemplateKey,
} from '../../kernel/table/keys/keys.ts'
import { agentPolicyKey, clientKey, protectedApiKey } from '../../kernel/table/keys/oauth-keys.ts'
import { organizationPolicyKey, organizationRolesKey } from '../../kernel/table/keys/organization-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, getKey, type Step } from '../../kernel/table/transaction.ts'
import { hashProduct, idOfSettings, readProductOfTexts } from './managed.records.ts'

/*
 * People and API tokens cannot change what a configuration document manages. Operations declare what they change by `seals`.
 * Then each of their transactions that writes such a record also checks that no document manages it. So nothing is read, and a
 * document that begins to manage something at the same time either comes first or waits.
 */

/** The record of each kind. Settings have the ID 0. */
const recordKeys: Readonly<Record<Exclude<ManagedKind, 'email_texts'>, (id: number) => Key>> = {
  api: protectedApiKey,
  group: groupKey,
  user_template: userTemplateKey,
  client: clientKey,
  saml_provider: connectionKey,
  oidc_connection: connectionKey,
  // No operation declares it: people can end the access of a program at once, and the next plan shows what they changed.
  service_account: userKey,
  user_attributes: () => userAttributesKey,
  password_policy: () => passwordPolicyKey,
  sign_in_policy: () => signInPolicyKey,
  sign_up_policy: () => signUpPolicyKey,
  agent_policy: () => agentPolicyKey,
  organization_policy: () => organizationPolicyKey,
  organization_roles: () => organizationRolesKey,
  branding: () => brandingKey,
  // One item has all branding. The path says which product a request is about.
  product_branding: () => brandingKey,
}

/** What a request says about what it changes. */
interface SealedInput {
  readonly body: unknown
  readonly params: unknown
}

/**
 * Returns the services for a request, which are the given ones if it changes nothing that a document can manage. If its operation `seals` something, each transaction that changes something that a document
 * manages throws an AppError `conflict` with the reason `managed`, and writes nothing.
 */
export const sealManaged = <Services extends { readonly table: Table }>(
  services: Services,
  { seals }: Pick<Operation, 'seals'>,
  { body, params }: SealedInput,
): Services => {
  if (!seals || isLeft(seals.leaves, body)) return services
  const { table } = services
  const sealed: Table = {
    ...table,
    transact: async (steps, options) => {
      const checks = steps.flatMap((step) =>
        seals.kinds.flatMap((kind) => {
          const id = findId(kind, getKey(step), params)
          return id === undefined || 'check' in step ? [] : [buildCheck(kind, id)]
        }),
      )
      // They come first, so that this refusal is the one that the caller gets.
      return table.transact([...checks, ...steps], options).catch(async (error: unknown) => {
        throw error instanceof Sealed ? await describeRefusal(table, error) : error
      })
    },
  }
  return { ...services, table: sealed }
}

/** Whether a body sets only fields that no document has. */
const isLeft = (leaves: readonly string[] | undefined, body: unknown): boolean => {
  if (!leaves || typeof body !== 'object' || body === null) return false
  const given = Object.entries(body).filter(([, value]) => value !== undefined)
  return given.length > 0 && given.every(([name]) => leaves.includes(name))
}

/** The ID of the thing whose record has a key. Undefined if it is no record of the kind. */
const findId = (kind: ManagedKind, { pk, sk }: Key, params: unknown): number | undefined => {
  // Each change of words writes their history. No document has those of an organization.
  if (kind === 'email_texts') {
    const owner = readParam(params, 'owner')
    const isOfDocument = owner === 'service' || readProductOfTexts(owner) !== undefined
    return isOfDocument && pk === emailTextHistoryPartition(owner) ? idOfSettings(kind, owner) : undefined
  }
  const number =
    kind === 'product_branding'
      ? hashProduct(readParam(params, 'name'))
      : Number(pk.slice(pk.indexOf('#') + 1))
  const id = Number.isInteger(number) ? number : 0
  const record = recordKeys[kind](id)
  return record.pk === pk && record.sk === sk ? id : undefined
}

/** A name in the path. */
const readParam = (params: unknown, name: 'name' | 'owner'): string =>
  String((params as { readonly name?: unknown; readonly owner?: unknown })[name])

/** A document manages what a transaction would have changed. */
class Sealed extends Error {
  readonly kind: ManagedKind
  readonly id: number

  constructor(kind: ManagedKind, id: number) {
    super(`a document manages this ${kind}`)
    this.name = 'Sealed'
    this.kind = kind
    this.id = id
  }
}

const buildCheck = (kind: ManagedKind, id: number): Step => ({
  check: managedIdKey(kind, id),
  condition: (x) => `${isAbsent(x)} OR attribute_exists(${x.path('unlocked')})`,
  orElse: () => new Sealed(kind, id),
})

const describeRefusal = async (table: Table, { kind, id }: Sealed): Promise<Error> => {
  const item = await table.get(managedIdKey(kind, id))
  // The document let go of it since.
  if (!item) return new EditConflict()
  const { owner, key } = item
  return new AppError('conflict', {
    reason: 'managed',
    detail: `The configuration of ${owner} manages this, under the key ${key}. Change it there, or unlock it with \`unlock_managed\` in an emergency.`,
    members: { managed: { kind, key, owner } },
  })
}
