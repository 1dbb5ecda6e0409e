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
  'password.changed': 'A user changed its own password',
  'password.set': 'Somebody else set the password of a user',
  'password.reset_requested': 'Somebody who manages users had such a link sent',
  'password.reset_sent': 'A link to choose a new password was mailed',
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
  'group.created': 'A group was added',
  'group.changed': 'A group was changed: target names the fields',
  'group.deleted': 'A group was deleted',
  'user_template.created': 'A user template was added',
  'user_template.changed': 'A user template was changed',
  'user_template.deleted': 'A user template was deleted',
  'users.imported': 'A user came in by import',
} as const

export type AuditEventName = keyof typeof auditEvents
