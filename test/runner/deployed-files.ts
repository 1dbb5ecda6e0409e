/**
 * The tests that run on what is deployed in each check of the project. All others run on the sources, where each table call is
 * checked against the grants and the limits of DynamoDB as well. `npm run test:deployed:all` runs all of them.
 */
const journeys = [
  'configuration',
  'connected-company-accounts',
  'directory',
  'head-requests',
  'health',
  'oidc-connections',
  'oidc-tokens',
  'organizations',
  'proof-of-work',
  'public-connections',
  'roles',
  'company-accounts',
  'saml-sign-in',
  'second-factor',
  'session-ends',
  'sign-in-and-connect',
  'suppressed-addresses',
  'unknown-addresses',
  'user-files',
]

/** Together with the journeys, they use each operation and each grant, which the coverage of the run checks. */
const attacks = [
  'account-deletion',
  'api-scopes',
  'client-keys',
  'api-token-administration',
  'api-token-scopes',
  'branding',
  'easy-sharing-tokens',
  'deleted-organizations',
  'email-codes',
  'event-values',
  'guests',
  'impersonation-cookies',
  'imported-identities',
  'last-way',
  'confirmation-links',
  'invitation-emails',
  'invitations-by-saml',
  'invitations',
  'join-codes',
  'leaked-credentials',
  'leavers',
  'managed-things',
  'merged-users',
  'oidc-devices',
  'oidc-dpop',
  'oidc-saml',
  'oidc-upstream',
  'oidc-upstream-logout',
  'oidc-upstream-tests',
  'organization-ending',
  'organization-links',
  'organization-sign-in',
  'organization-slugs',
  'passkey-reauthentication',
  'passkey-theft',
  'promotions',
  'sign-in-delays',
  'find-credential',
  'reported-organizations',
  'reported-company-accounts',
  'required-sign-in',
  'saml-setup',
  'security-reports',
  'sign-up',
  'sign-in-policy',
  'user-attributes',
]

/** Their subject exists only when deployed: transactions that conflict, what a role may read, and routes of the template. */
const attacksOnAws = [
  'contended-records',
  'parallel-guesses',
  'ticket-races',
  'saml-changes-during-sign-in',
  'consecutive-failures',
  'front-door',
  'encoded-paths',
  'large-answers',
  'access-matrix',
]

const directories = ['dialects', 'directory', 'groups', 'keys', 'leavers', 'server', 'sign-in']

export const deployedFiles: readonly string[] = [
  'test/deployed/*.test.ts',
  ...directories.map((name) => `test/scim/scim-${name}.test.ts`),
  ...journeys.map((name) => `test/journeys/${name}.test.ts`),
  ...[...attacks, ...attacksOnAws].map((name) => `test/attacks/${name}.test.ts`),
]
