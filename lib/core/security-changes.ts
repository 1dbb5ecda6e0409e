interface ChangeText {
  readonly subject: string
  /** The sentences that say what happened. */
  readonly sentences: readonly string[]
}

/**
 * Every change that a user gets a security email about, with the words of the email. None of them repeats text that
 * a user wrote.
 */
export const securityChanges = {
  password_changed: {
    subject: 'Your password was changed',
    sentences: ['The password of your account was changed. All other sessions were ended.'],
  },
  password_reset: {
    subject: 'Your password was reset',
    sentences: ['A new password was set with a reset link. All sessions were ended.'],
  },
  password_set: {
    subject: 'An administrator set a new password for you',
    sentences: ['An administrator set a new password for your account. All sessions were ended.'],
  },
  email_changed: {
    subject: 'Your email address was changed',
    sentences: [
      'Your account now has another email address.',
      'Emails of your account no longer go to this address.',
    ],
  },
  second_factor_enabled: {
    subject: 'Your second factor was turned on',
    sentences: ['Signing in now also requires a code from an authenticator app.'],
  },
  second_factor_disabled: {
    subject: 'Your second factor was turned off',
    sentences: ['Signing in no longer requires a code from an authenticator app.'],
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    sentences: ['A recovery code replaced the code from your authenticator app. It does not work again.'],
  },
  passkey_added: {
    subject: 'A passkey was added',
    sentences: ['A passkey was added to your account.', 'It can now be used to sign in.'],
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    sentences: [
      'A passkey of your account was removed.',
      'It no longer signs in, and other sessions were ended.',
    ],
  },
  passkey_cloned: {
    subject: 'A passkey was refused',
    sentences: [
      'A passkey of your account was refused, because a copy of it may exist.',
      'Remove this passkey if you do not know why.',
    ],
  },
  passkey_required: {
    subject: 'Your password now requires a passkey',
    sentences: ['Signing in with your password now also requires a passkey.'],
  },
  passkey_optional: {
    subject: 'Your password no longer requires a passkey',
    sentences: ['Signing in with your password no longer requires a passkey.'],
  },
  recovery_codes_renewed: {
    subject: 'Your recovery codes were replaced',
    sentences: ['Your account has new recovery codes. The codes before no longer work.'],
  },
  api_token_created: {
    subject: 'An API token was created',
    sentences: [
      'A new API token was created for your account.',
      'Programs can use it to act with your permissions.',
    ],
  },
  api_token_revoked: {
    subject: 'An administrator deleted an API token of yours',
    sentences: [
      'An administrator deleted an API token of your account. It no longer works.',
      'If a program used it, ask the administrator why before you create a new one.',
    ],
  },
  saml_account_linked: {
    subject: 'Another account was linked to yours',
    sentences: [
      'An account at an identity provider was linked to your account.',
      'It can now be used to sign in.',
    ],
  },
  credential_leaked: {
    subject: 'A credential of yours was leaked',
    sentences: [
      'A session, an API token or a link of your account was found where others could read it.',
      'It was ended and no longer works.',
      'If a program used it, create a new one. Remove the old one from where it was published.',
    ],
  },
  sign_in_locked: {
    subject: 'Too many failed attempts to sign in to your account',
    sentences: [
      'There were 100 failed attempts in a row to sign in to your account.',
      'You can sign in from networks that you used before. To sign in from elsewhere, reset your password.',
    ],
  },
  email_restored: {
    subject: 'Your email address was removed from an account',
    sentences: [
      'The account has its previous email address again.',
      'Someone with access to that address reported that they did not change it.',
      'If that was wrong, ask an administrator.',
    ],
  },
  new_device: {
    subject: 'New sign-in to your account',
    sentences: ['Your account was used to sign in from a device that was not used before.'],
  },
} as const satisfies Readonly<Record<string, ChangeText>>

export type SecurityChangeKind = keyof typeof securityChanges

/** No one signed in for these, so there is nothing to undo. */
export const unreportableChanges: readonly SecurityChangeKind[] = [
  'email_restored',
  'passkey_cloned',
  'sign_in_locked',
]

/** A change of an account that its user gets an email about. */
export interface SecurityChange {
  readonly kind: SecurityChangeKind
}
