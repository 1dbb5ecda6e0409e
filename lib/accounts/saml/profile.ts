import type { Assertion, Attribute } from '../../saml/assertion/reading.ts'

/** What an identity provider says of a user besides who it is. */
export interface SamlProfile {
  readonly username: string | null
  readonly email: string | null
  readonly fullName: string | null
  /** Null where it says nothing of groups, which is not the same as saying that there are none. */
  readonly groups: readonly string[] | null
}

/*
 * What products call these, in the order in which they are looked for: by their own names, by OID (the LDAP attribute
 * profile, SAML Profiles 8.2), and by the claim URIs of WS-Federation, those of today and those of AD FS 1.x. Compared
 * without regard to case. Roles count as groups: products send one as the other, and nothing that a provider sends makes
 * an administrator, under either name.
 */
const soap = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const oldSoap = 'http://schemas.xmlsoap.org/claims'
const microsoft = 'http://schemas.microsoft.com'
const emailFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'

const names = {
  username: [
    ...['username', 'user_name', 'user.username', 'login', 'uid', 'samaccountname', 'preferred_username'],
    'urn:oid:0.9.2342.19200300.100.1.1',
    'urn:oid:1.2.840.113556.1.4.221',
    `${microsoft}/ws/2008/06/identity/claims/windowsaccountname`,
    ...['edupersonprincipalname', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6'],
    ...['upn', 'userprincipalname', `${soap}/upn`, `${oldSoap}/upn`, `${soap}/name`],
  ],
  email: [
    ...['email', 'mail', 'emailaddress', 'email_address', 'user.email', 'e-mail'],
    ...['urn:oid:0.9.2342.19200300.100.1.3', 'urn:oid:1.2.840.113549.1.9.1', `${soap}/emailaddress`],
    `${oldSoap}/emailaddress`,
  ],
  fullName: [
    ...['displayname', 'display_name', 'full_name', 'fullname', 'cn', 'commonname', 'name'],
    ...['urn:oid:2.16.840.1.113730.3.1.241', 'urn:oid:2.5.4.3'],
    ...[`${microsoft}/identity/claims/displayname`, `${soap}/displayname`, `${oldSoap}/commonname`],
  ],
  givenName: [
    ...['givenname', 'given_name', 'firstname', 'first_name', 'user.firstname'],
    ...['urn:oid:2.5.4.42', `${soap}/givenname`],
  ],
  surname: [
    ...['sn', 'surname', 'lastname', 'last_name', 'familyname', 'family_name', 'user.lastname'],
    ...['urn:oid:2.5.4.4', `${soap}/surname`],
  ],
  groups: [
    ...['groups', 'group', 'memberof', 'ismemberof', 'user.groups'],
    ...['urn:oid:1.2.840.113556.1.2.102', 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1'],
    ...[`${microsoft}/ws/2008/06/identity/claims/groups`, `${oldSoap}/group`],
    ...['role', 'roles', 'user.roles', `${microsoft}/ws/2008/06/identity/claims/role`, `${soap}/role`],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/**
 * Reads what an assertion says of its user. A name ID among the attributes is one like any other, and is nobody's name;
 * the real one is an e-mail address where it says so and no attribute is.
 */
export const readProfile = ({
  attributes,
  subject,
}: Pick<Assertion, 'attributes' | 'subject'>): SamlProfile => {
  const first = (known: readonly string[]): string | null => {
    for (const name of known) {
      const value = attributes.find((attribute) => isCalled(attribute, name) && attribute.values.length > 0)
      if (value) return value.values[0] ?? null
    }
    return null
  }
  const groups = attributes.filter((attribute) => names.groups.some((name) => isCalled(attribute, name)))
  const parts = [first(names.givenName), first(names.surname)].filter((part) => part !== null)
  return {
    username: first(names.username),
    email: first(names.email) ?? (subject.nameIdFormat === emailFormat ? subject.nameId : null),
    fullName: first(names.fullName) ?? (parts.length > 0 ? parts.join(' ') : null),
    groups: groups.length > 0 ? [...new Set(groups.flatMap(({ values }) => values))] : null,
  }
}

const isCalled = ({ name, friendlyName }: Attribute, known: string): boolean =>
  name.toLowerCase() === known || friendlyName?.toLowerCase() === known
