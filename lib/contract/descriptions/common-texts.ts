// Sentences that several models share.

/** For fields that published clients know and this service has no use for. */
export const onlyStored = 'Stored for clients. This service does not use it.'

/** For the names of users, groups, user templates and SAML providers. */
export const nameRules =
  'It is unique without regard to case and Unicode compatibility forms. It has no control or invisible characters, and no whitespace at its start or end.'

export const permissionForm = 'At most 500, of the form `word:word` or `word:word:word`.'
export const permissionRule = 'Callers can give and take only permissions that they hold.'
export const assignedId = 'The service assigns it and never uses it again.'

/** For the LDAP data of users and groups. */
export const ldapValue = `Any JSON value up to 20 levels deep, usually what an LDAP directory has about it. Lists show only the ID of its server. ${onlyStored} Default: null.`
export const ldapServerId = `The ID of an LDAP server, from the field \`ldap\` of the single view, or null. ${onlyStored}`
export const ldapName = `The distinguished name in an LDAP directory, or null. ${onlyStored} Default: null.`
export const unixGroupId = `The Unix group ID, or null. ${onlyStored} Default: null.`

/** For pictures. */
export const noAvatar = 'A picture of the user. Always null in this service.'

/** For new passwords. */
export const newPasswordRule =
  'It must meet the password policy, and has 8 to 1,024 characters. A rejected password changes nothing.'

/** For the second factor after a password. */
export const oneTimeCode =
  'A code of six digits from the authenticator app, or a recovery code. Spaces and hyphens are ignored. Each code works once. Only for users with one-time passwords: otherwise it is ignored. Null counts as omitted.'

export const setupSession =
  'Whether to get a session that can only set up a second factor. Send `true` after the reason `second_factor_setup_required`. The session lasts 30 minutes. Default: `false`.'
