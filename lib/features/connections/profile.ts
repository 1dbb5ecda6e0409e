import type { Services } from '../../services.ts'
import type { AccountName } from './accounts.records.ts'
import { getProtocol } from './protocols.ts'
import type { Attribute, ProvenIdentity } from './proven-identity.records.ts'
import type { Connection } from './records.ts'
import type { ConnectionRules } from './stored-settings.records.ts'

/** What an identity provider asserts about a user, besides their identity. */
export interface Profile {
  readonly username: string | null
  readonly email: string | null
  readonly fullName: string | null
  /** Null without a group attribute. That is different from an empty one. */
  readonly groups: readonly string[] | null
}

/*
 * The attribute names that products use, in order of preference: friendly names, OIDs (the LDAP attribute profile, SAML
 * Profiles 8.2), and the claim URIs of WS-Federation and of AD FS 1.x. The comparison ignores case. Roles count as groups,
 * because some products send groups as roles. Neither ever makes a user an administrator.
 */
const soap = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const oldSoap = 'http://schemas.xmlsoap.org/claims'
const microsoft = 'http://schemas.microsoft.com'
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

const names = {
  username: [
    'username',
    'user_name',
    'user.username',
    'login',
    'uid',
    'samaccountname',
    'preferred_username',
    'urn:oid:0.9.2342.19200300.100.1.1',
    'urn:oid:1.2.840.113556.1.4.221',
    `${microsoft}/ws/2008/06/identity/claims/windowsaccountname`,
    'edupersonprincipalname',
    'urn:oid:1.3.6.1.4.1.5923.1.1.1.6',
    'upn',
    'userprincipalname',
    `${soap}/upn`,
    `${oldSoap}/upn`,
    `${soap}/name`,
  ],
  email: [
    'email',
    'mail',
    'emailaddress',
    'email_address',
    'user.email',
    'e-mail',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'urn:oid:1.2.840.113549.1.9.1',
    `${soap}/emailaddress`,
    `${oldSoap}/emailaddress`,
  ],
  fullName: [
    'displayname',
    'display_name',
    'full_name',
    'fullname',
    'cn',
    'commonname',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'urn:oid:2.5.4.3',
    `${microsoft}/identity/claims/displayname`,
    `${soap}/displayname`,
    `${oldSoap}/commonname`,
  ],
  givenName: [
    'givenname',
    'given_name',
    'firstname',
    'first_name',
    'user.firstname',
    'urn:oid:2.5.4.42',
    `${soap}/givenname`,
  ],
  surname: [
    'sn',
    'surname',
    'lastname',
    'last_name',
    'familyname',
    'family_name',
    'user.lastname',
    'urn:oid:2.5.4.4',
    `${soap}/surname`,
  ],
  groups: [
    'groups',
    'group',
    'memberof',
    'ismemberof',
    'user.groups',
    'urn:oid:1.2.840.113556.1.2.102',
    'urn:oid:1.3.6.1.4.1.5923.1.5.1.1',
    `${microsoft}/ws/2008/06/identity/claims/groups`,
    `${oldSoap}/group`,
    'role',
    'roles',
    'user.roles',
    `${microsoft}/ws/2008/06/identity/claims/role`,
    `${soap}/role`,
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A longer name fits no key of the table and no page. It is left out, wherever it would be looked up. */
export const nameLength = 255

const isShort = (value: string): boolean => value.length <= nameLength
const keepShort = (value: string | null): string | null => (value !== null && isShort(value) ? value : null)

/**
 * Reads the profile from a proven identity. An attribute that is called `NameID` has no special meaning. The name ID of the
 * subject is the email address if it has that format and no attribute contains one. A name that the connection maps replaces all
 * usual ones.
 */
export const readProfile = (
  { attributes, subject }: Pick<ProvenIdentity, 'attributes' | 'subject'>,
  connection: Pick<Connection, 'kind' | 'attribute_mapping'>,
): Profile => {
  const mapped = getProtocol(connection).isMapped ? noMapping : connection.attribute_mapping
  const first = (known: readonly string[]): string | null => {
    for (const name of known) {
      const attribute = attributes.find(
        (candidate) => isNamed(candidate, name) && candidate.values.length > 0,
      )
      if (attribute) return attribute.values[0] ?? null
    }
    return null
  }
  const select = (name: string | null, usual: readonly string[]): readonly string[] =>
    name === null ? usual : [name.toLowerCase()]
  const groupNames = select(mapped.groups_from, names.groups)
  const groups = attributes.filter((attribute) => groupNames.some((name) => isNamed(attribute, name)))
  const address = mapped.email_from === null && subject.nameIdFormat === emailFormat ? subject.nameId : null
  const parts =
    mapped.full_name_from === null
      ? [first(names.givenName), first(names.surname)].filter((part) => part !== null)
      : []
  return {
    username: keepShort(first(select(mapped.username_from, names.username))),
    email: keepShort(first(select(mapped.email_from, names.email)) ?? address),
    fullName:
      first(select(mapped.full_name_from, names.fullName)) ?? (parts.length > 0 ? parts.join(' ') : null),
    groups: groups.length > 0 ? [...new Set(groups.flatMap(({ values }) => values.filter(isShort)))] : null,
  }
}

const noMapping: ConnectionRules['attribute_mapping'] = {
  username_from: null,
  email_from: null,
  full_name_from: null,
  groups_from: null,
}

const isNamed = ({ name, friendlyName }: Attribute, known: string): boolean =>
  name.toLowerCase() === known || friendlyName?.toLowerCase() === known

/**
 * The name that distinguishes the users of a provider. Qualifiers are part of it, unless they name the provider or this
 * service. If the provider is configured with an attribute that identifies users, its value replaces the name ID.
 */
export const toAccountName = (
  { config }: Services,
  connection: Connection,
  { subject, identifier }: ProvenIdentity,
): AccountName => {
  const { id } = connection
  if (identifier) return { providerId: id, ...identifier }
  const implied = getProtocol(connection).listImpliedQualifiers(config, connection)
  const qualifiers = [subject.nameQualifier ?? '', subject.spNameQualifier ?? ''].map((qualifier) =>
    implied.includes(qualifier) ? '' : qualifier,
  )
  return {
    providerId: id,
    nameId: subject.nameId,
    qualifiers: qualifiers.every((qualifier) => qualifier === '') ? [] : qualifiers,
  }
}

/** What people recognize their account by: names in messages are often random. */
export const toShownName = (connection: Connection, identity: ProvenIdentity): string => {
  const { email, username } = readProfile(identity, connection)
  const { identifier, subject } = identity
  return (
    email ??
    username ??
    (identifier && 'value' in identifier ? identifier.value : subject.nameId)
  ).slice(0, 255)
}
