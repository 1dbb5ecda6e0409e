import { describeForPublishedClients } from '../kernel/contract/describe.ts'
import { onlyStored } from '../kernel/contract/descriptions/common-texts.ts'

/** The text of a field that only published clients know. The OpenAPI document marks it with `x-published-clients`. */
export interface PublishedClientText {
  readonly description: string
  readonly isForPublishedClients: true
}

/** Marks the texts of fields that only published clients know. */
export const forPublishedClients = <Field extends string>(
  texts: Readonly<Record<Field, string>>,
): Readonly<Record<Field, PublishedClientText>> =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([field, description]) => [
      field,
      describeForPublishedClients(description),
    ]),
  ) as Record<Field, PublishedClientText>

/** For users and groups. */
export const ldapNameText = `The distinguished name in an LDAP directory, or null. ${onlyStored} Default: null.`
export const ldapText = `Any JSON value up to 20 levels deep, usually what an LDAP directory has about it. Lists show only the ID of its server. ${onlyStored} Default: null.`
export const ldapServerIdText = `The ID of an LDAP server, from the field \`ldap\` of the single view, or null. ${onlyStored}`
export const unixGroupIdText = `The Unix group ID, or null. ${onlyStored} Default: null.`
