import { createHash } from 'node:crypto'
import { createCodec } from '../engine/codec.ts'
import { isAbsent } from '../engine/expressions.ts'
import { samlAccountKey, samlAccountPlaceKey } from '../engine/keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { findWithUser } from '../records/find-with-user.ts'
import { userMarkerCodec } from '../records/markers.ts'
import type { UserRecord } from '../records/user-record.ts'

/*
 * Who a user is at an identity provider. The account is found by provider and name, and by nothing else: what a provider
 * says of e-mail addresses and usernames never leads to somebody's account. The user's side keeps which memberships came
 * from there, so that only those are ever taken away again.
 */

/** A user as a provider names it: by a name ID, or by the value of an attribute where that is another one each time. */
export type SamlName = { readonly providerId: number } & (NameId | AttributeValue)

interface NameId {
  readonly nameId: string
  /** Whose name it is, where that isn't the provider itself, nor made for us alone. */
  readonly qualifiers: readonly string[]
}

interface AttributeValue {
  readonly attribute: string
  readonly value: string
}

export interface SamlAccount {
  readonly providerId: number
  readonly hash: string
  readonly user: UserRecord
  /** Groups that the user is in because the provider said so. */
  readonly groups: readonly number[]
}

/**
 * Stands for a name: it may be of any length, and needn't be read again. A list is never an object, so that no name ID
 * stands for the value of an attribute, nor that for the one of another attribute.
 */
export const hashOfSamlName = (name: SamlName): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        'attribute' in name
          ? { attribute: name.attribute, value: name.value }
          : [name.nameId, ...name.qualifiers],
      ),
    )
    .digest('base64url')

/** What the table has of a name: `deletedUserId` had it, and was deleted. */
export interface SamlAccountState {
  readonly account: SamlAccount | undefined
  readonly deletedUserId: number | undefined
}

/** The account of a name, in two calls to the table. */
export const findSamlAccount = async (table: Table, name: SamlName): Promise<SamlAccountState> => {
  const { providerId } = name
  const hash = hashOfSamlName(name)
  const marker = await findRecord(table, userMarkerCodec, samlAccountKey(providerId, hash))
  if (!marker) return { account: undefined, deletedUserId: undefined }
  const { userId } = marker
  const placeKey = samlAccountPlaceKey(userId, providerId, hash)
  const [memberships, user] = await findWithUser(table, samlMembershipsCodec, placeKey, userId)
  if (!user) return { account: undefined, deletedUserId: userId }
  const { groups } = memberships ?? { groups: [] }
  return { account: { providerId, hash, user, groups }, deletedUserId: undefined }
}

const samlMembershipsCodec = createCodec<Pick<SamlAccount, 'groups'>>('SAML account', { groups: 'list' })

/**
 * Builds the steps that give a name to a user, together with the memberships that come with it. They fail if another
 * user has the name. `deletedUserId` had it and was deleted, so the name is free again.
 */
export const buildSamlAccountSteps = (
  name: SamlName,
  userId: number,
  groups: readonly number[],
  deletedUserId: number | undefined,
  orElse?: OrElse,
): readonly Step[] => {
  const hash = hashOfSamlName(name)
  return [
    {
      put: { ...samlAccountKey(name.providerId, hash), userId },
      condition: (x) =>
        [
          isAbsent(x),
          ...(deletedUserId === undefined ? [] : [`${x.path('userId')} = ${x.value(deletedUserId)}`]),
        ].join(' OR '),
      orElse,
    },
    { put: { ...samlAccountPlaceKey(userId, name.providerId, hash), groups } },
  ]
}

/** The step that remembers which memberships came by an account; goes along with the change of the user's groups. */
export const buildSamlGroupsStep = (
  { providerId, hash, user }: SamlAccount,
  groups: readonly number[],
): Step => ({
  put: { ...samlAccountPlaceKey(user.id, providerId, hash), groups },
})
