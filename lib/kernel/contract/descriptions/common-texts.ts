// Sentences that several models share.

/** For fields that clients know and this service has no use for. */
export const onlyStored = 'Stored for clients. This service does not use it.'

/** For the names of users, groups, user templates and SAML providers. */
export const nameRules =
  'It is unique without regard to case and Unicode compatibility forms. It has no control or invisible characters, and no whitespace at its start or end.'

export const permissionForm = 'At most 500, of the form `word:word` or `word:word:word`.'
export const permissionRule = 'Callers can give and take only permissions that they hold.'
export const assignedId = 'The service assigns it and never uses it again.'

/** For new passwords. */
export const newPasswordRule =
  'It must meet the password policy, and has 8 to 1,024 characters. A rejected password changes nothing.'

/** For the second factor after a password. */
export const oneTimeCode =
  'A code of six digits from the authenticator app, or a recovery code. Spaces and hyphens are ignored. Each code works once. Only for users with one-time passwords: otherwise it is ignored. Null counts as omitted.'

export const setupSession =
  'Whether to get a session that can only set up a second factor. Send `true` after the reason `second_factor_setup_required`. The session lasts 30 minutes. Default: `false`.'

export const rememberDeviceDescription =
  'Whether to remember the browser after the second factor, for the days that `remember_device_days` of the answer says. Sign-ins there then do without it. Ignored without that policy, with a recovery code, and outside of pages of the service. Default: `false`.'

/** The parameter of the lists that can be searched. */
export const filteringMode = {
  description:
    'How `filter` is compared. `contains` or `fuzzy`: each of its words occurs in one of the texts. `startswith`: a text begins with it. `exact`: a text is equal to it.',
  example: 'contains',
} as const

/** The parameter of operations on one user. */
export const userIdDescription = { description: 'The ID of the user.', example: 7 } as const

/** The parameters `queryUserParts`. */
export const userPartDescriptions = {
  include_effective_permissions:
    'With `false`, `effective_permissions` is an empty list. Without this parameter, the permissions are shown.',
} as const
