/**
 * Features that import each other, each pair with the direction that has fewer imports, and what it needs. Who opens one of these features
 * meets the other as well, so the list may only get shorter: a new feature has rows for what it does for another one, as in
 * `lib/features/account-ends.ts`.
 */
export const mutualFeatures: Readonly<Record<string, string>> = {
  'api-tokens -> oauth': 'a token may be made for protected APIs',
  'api-tokens -> passwords': 'a token that a program chose must be as hard to guess as a password',
  'audit -> directory':
    'the log names people who were deleted, and the rights of a caller decide which blocks they see',
  'audit -> organizations': 'owners read the events of their organization',
  'branding -> mail': 'the sender of emails belongs to the branding',
  'connections -> invitations': 'a sign-in at a connection can accept an invitation',
  'connections -> leaked-credentials':
    'set-up links are noted, and an account that joins by its address loses what a report disowned',
  'connections -> oauth': 'a sign-in for a client continues at its connection',
  'directory -> connections': 'people and administrators see, connect and remove accounts at companies',
  'directory -> invitations': 'a new user can be invited',
  'directory -> oauth': 'people see their apps, and attributes are claims',
  'directory -> organizations':
    'roles in organizations decide who may change an account, and what limits its rights',
  'directory -> passkeys': 'an import brings passkeys',
  'directory -> passwords': 'an account without a usable password needs another way in',
  'directory -> sign-in': 'the policy decides about deletions, and an address how its account signs in',
  'invitations -> organizations': 'one page accepts both kinds of invitations',
  'leaked-credentials -> passwords': 'a report ends reset links',
  'mail -> organizations': 'emails about an organization have its look and its roles',
  'oauth -> configuration': 'a client can belong to a file',
  'organizations -> connections': 'connections end with their organization, and let people join',
  'organizations -> leaked-credentials': 'keys and invitations are noted, so that a report finds them',
  'organizations -> oauth': 'roles and protected APIs describe permissions in the same words',
  'pages -> connections': 'pages offer connections',
  'pages -> oauth': 'pages lead back to clients',
  'second-factor -> sign-in': 'the sign-in policy says who needs a second factor',
  'sign-in -> access-links': 'an access link opens a session',
  'sign-in -> connections': 'a domain can demand its connection, which is a way to sign in',
  'sign-in -> impersonation': 'a session can act as another user',
  'sign-in -> organizations':
    'a session states its organization, and organizations have addresses for their sign-in',
  'sign-in -> passkeys': 'a passkey is a way to sign in',
  'sign-in -> passwords': 'a password is a way to sign in',
}
