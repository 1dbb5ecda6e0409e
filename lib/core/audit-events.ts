/**
 * Everything that is recorded of who did what, by its name in the records. Names are stable: products filter and
 * alarm by them. The README's table is held against this list.
 */
export const auditEvents = {
  'login.succeeded': 'A user signed in; a session was made',
  'login.failed': 'A sign-in was refused: outcome tells why',
  'logout.succeeded': 'A user ended its own session',
  'session.ended': 'A session was ended from elsewhere: target is its id, or all',
  'ticket.created': 'A ticket was made for another server to exchange',
  'access.denied': 'A caller lacked a permission: target is the operation',
  'api_token.created': 'An API token was made: target is its id',
  'api_token.changed': 'An API token was renamed: target is its id',
  'api_token.deleted': 'An API token was deleted: target is its id',
  'access_token.created': 'A link to shared objects was made: target is the id of its token',
  'access_token.deleted': 'A link was deleted with all that came of it: target is the id of its token',
  'access_token.redeemed': 'A link was used and a session made: target is the id of its token',
  'access_token.refused': 'A wrong password was tried at a link: target is the id of its token',
  'access_token.mailed':
    'A link was mailed, or could not be: target is the id of its token, outcome how it went',
  'mail.suppressed': 'An address gets no more mail: target tells why, user whose it is',
  'password.changed': 'A user changed its own password',
  'password.set': 'Somebody else set the password of a user',
  'password.reset_requested': 'Somebody who manages users had such a link sent',
  'password.reset_link_made': 'A link to choose a new password was made, to be mailed',
  'password.reset_sent':
    'A link to choose a new password was mailed: outcome tells if not, or if nobody knows',
  'password.reset': 'A new password was chosen with such a link',
  'password_policy.changed': 'The rules for passwords were changed',
  'totp.enabled': 'A user turned its second factor on',
  'totp.synced': 'The drift of a user’s authenticator was learned',
  'totp.disabled': 'A second factor was turned off',
  'totp.recovery_code_used': 'A user signed in with a recovery code, which is used up',
  'impersonation.started': 'An administrator went on as another user: actor is the administrator',
  'impersonation.stopped': 'The administrator is itself again',
  'user.created': 'A user was added',
  'user.changed': 'A user was changed: target names the fields',
  'user.deleted': 'A user was deleted',
  'admin_access.given': 'system:admin-access was given to the user, or to the group that target names',
  'admin_access.taken': 'system:admin-access was taken from the user, or from the group that target names',
  'group.created': 'A group was added: target is its id',
  'group.changed': 'A group was changed: target is its id and the fields',
  'group.deleted': 'A group was deleted: target is its id',
  'group.member_added': 'A user was added to the group that target names, by a change of the group',
  'group.member_removed': 'A user was removed from the group that target names, by a change of the group',
  'user_template.created': 'A user template was added: target is its id',
  'user_template.changed': 'A user template was changed: target is its id and the fields',
  'user_template.deleted': 'A user template was deleted: target is its id',
  'saml_provider.created': 'A SAML provider was added: target is its id',
  'saml_provider.changed': 'A SAML provider was changed: target is its id and the fields',
  'saml_provider.deleted': 'A SAML provider was deleted with the sessions made through it: target is its id',
  'saml_provider.refreshed':
    'The metadata of a SAML provider was read again: target is its id and what changed',
  'saml_provider.refresh_failed': 'The metadata of a SAML provider could not be read again: target is its id',
  'saml_provider.sp_key_added': 'A new key of ours was made for a SAML provider: target is its id',
  'saml_provider.sp_key_switched':
    'The new key of ours took the place of the old: target is the provider’s id',
  'saml_provider.certificate_ending':
    'A certificate of a SAML provider ends soon: target is its id, whose certificate, and the days',
  'saml_account.created': 'A user was made who signed in through a provider: target is saml: and its id',
  'saml_account.linked':
    'A user had an account at a provider linked to its own here: target is saml: and the id of the provider',
  'saml_logout.received': 'An identity provider asked to sign a user out: target is saml: and its id',
  'saml_logout.answered':
    'An identity provider answered that it signed a user out: target is saml: and its id, outcome tells if everywhere',
  'users.imported': 'A user came in by import',
  'users.exported': 'All users were exported with their password hashes and authenticator keys',
} as const

export type AuditEventName = keyof typeof auditEvents
