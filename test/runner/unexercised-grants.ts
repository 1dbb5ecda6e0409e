export interface UnexercisedGrants {
  /** When functions need these grants, although no test of the deployed template does. */
  readonly reason: string
  /** Each grant as `describeGrant` prints it. */
  readonly grants: readonly string[]
}

const on = (partition: string, ...actions: readonly string[]): readonly string[] =>
  actions.map((action) => `dynamodb:${action} the-table ${partition}`)
const of = (name: string, ...lists: readonly (readonly string[])[]): readonly string[] =>
  lists.flat().map((grant) => `${name} ${grant}`)

/** The key of the vault encrypts the key of the month that signs challenges. */
const onProofKey = (action: 'Decrypt' | 'Encrypt'): readonly string[] => [
  `kms:${action} key/mrk-AuthVaultKey5EBF8D42 proof_of_work`,
]

/** What deleting or changing an account does with the names of guests, also of those who had rights for a while. */
const guestNames = [
  ...on('email#*', 'DeleteItem'),
  ...on('guest-email#*', 'DeleteItem'),
  ...on('username#*', 'DeleteItem'),
]

/**
 * Grants for rare states of records, races and interruptions. Tests of the sources cause these, and fail if a grant for
 * them is missing.
 */
export const unexercisedGrants: readonly UnexercisedGrants[] = [
  {
    reason: 'A request names an organization. Tests of the sources do that at each function.',
    grants: [
      ...of('Authorizer', on('organization-slug#*', 'GetItem')),
      ...of('Users', on('organization-slug#*', 'GetItem')),
      ...of('Users', on('organization-rights#*', 'BatchGetItem')),
      ...of('Tickets', on('organization-slug#*', 'GetItem'), on('organization#*', 'BatchGetItem')),
      ...of('Tickets', on('organization-rights#*', 'BatchGetItem')),
    ],
  },
  {
    reason:
      'A company requires its own sign-in since the caller signed in. Tests of the sources ask about it at each operation.',
    grants: [
      ...[
        ...['AccessLinks', 'ApiTokens', 'Audit', 'Groups', 'Impersonation', 'Oidc', 'OidcClients'],
        ...['Organizations', 'UserFiles', 'UserTemplates'],
      ].flatMap((name) => of(name, on('connection-domain#*', 'GetItem'), on('connection#*', 'GetItem'))),
      ...of('Leaks', on('connection-domain#*', 'GetItem')),
    ],
  },
  {
    reason:
      'A link of an organization opened the session. Tests of the sources ask about it at each function.',
    grants: ['Health', 'Hooks'].flatMap((name) =>
      of(name, on('organization#*', 'BatchGetItem'), on('organization-rights#*', 'BatchGetItem')),
    ),
  },
  {
    reason:
      'The service of this run has no hooks. `test/deployed/hooks.test.ts` calls, tries and turns off those of another stack.',
    grants: [
      ...of('Hooks', on('connection-domain#*', 'GetItem'), on('connection#*', 'GetItem')),
      ...of('Hooks', on('group-name#*', 'BatchGetItem'), on('rate#*', 'GetItem', 'UpdateItem')),
      ...of('Hooks', on('oidc-client#*', 'GetItem'), on('oidc-client-document#*', 'GetItem')),
      ...of('Hooks', on('settings#user-attributes', 'GetItem'), on('settings#sign-in-policy', 'PutItem')),
      ...of('Oidc', on('settings#sign-in-policy', 'BatchGetItem')),
      ...of('Invitations', on('group-name#*', 'BatchGetItem'), on('settings#user-attributes', 'GetItem')),
      ...of('Invitations', on('user-attribute#*', 'PutItem')),
    ],
  },
  {
    reason: 'A file has words of emails. Tests of the sources apply it, change it and give it up.',
    grants: of(
      'Config',
      on('email-text#*', 'DeleteItem', 'PutItem'),
      on('email-text-history#*', 'GetItem', 'PutItem'),
    ),
  },
  {
    reason: 'The list of hooks reads past months, if the newest events are fewer than it reads.',
    grants: of('Hooks', on('audit-survey', 'GetItem')),
  },
  {
    reason: 'A directory takes back an attribute that can be searched for, and the person signs in.',
    grants: of('ConnectionFlow', on('user-attribute#*', 'DeleteItem')),
  },
  {
    reason:
      'A file names accounts at a provider before there is a connection to it. Tests of the sources import those of each.',
    grants: of(
      'UserFiles',
      on('counter#connection', 'GetItem', 'UpdateItem'),
      on('connection-domain#public:google', 'GetItem', 'PutItem'),
      on('connection-domain#public:github', 'GetItem', 'PutItem'),
      on('connection-domain#public:microsoft', 'GetItem', 'PutItem'),
    ),
  },
  {
    reason:
      'The first proof of work of a month creates its key, in any of five functions. In the journey, it is the one for sign-up.',
    grants: [
      // It keeps the key that it created.
      ...of('Invitations', onProofKey('Decrypt')),
      ...of('Passwords', on('data-key#proof_of_work#*', 'PutItem'), onProofKey('Encrypt')),
      ...of('Sessions', on('data-key#proof_of_work#*', 'PutItem'), onProofKey('Encrypt')),
      ...of('Passkeys', on('data-key#proof_of_work#*', 'PutItem'), onProofKey('Encrypt')),
      ...of('ConnectionFlow', on('data-key#proof_of_work#*', 'PutItem'), onProofKey('Encrypt')),
    ],
  },
  {
    reason: 'More than ten people of a network enter an address in their accounts within an hour.',
    grants: of(
      'Users',
      on('data-key#proof_of_work#*', 'GetItem', 'PutItem'),
      on('used-proof#*', 'PutItem'),
      onProofKey('Decrypt'),
      onProofKey('Encrypt'),
    ),
  },
  {
    reason: 'A company takes an account by its address that has tokens, passkeys or accounts elsewhere.',
    grants: of(
      'ConnectionFlow',
      on('api-token#*', 'DeleteItem'),
      on('company-account#*', 'DeleteItem'),
      on('passkey#*', 'DeleteItem'),
    ),
  },
  {
    reason: 'A report ends the set-up link of a connection that its user made.',
    grants: of('Passwords', on('connection#*', 'UpdateItem')),
  },
  {
    reason: 'A connection is required, or brings a member, in the moment in which it may be deleted.',
    grants: of('Organizations', on('connection#*', 'ConditionCheckItem')),
  },
  {
    reason: 'An invitation that was over a limit is mailed later.',
    grants: of('Mailer', on('delayed-invitations', 'DeleteItem')),
  },
  {
    reason: 'A deleted organization has a connection by SAML.',
    grants: of('AccountDeletion', on('saml-entity#*', 'DeleteItem')),
  },
  {
    reason: 'CloudFormation sends events about the constructs of a product.',
    grants: of('ConfigProduct', on('configuration', 'ConditionCheckItem')),
  },
  {
    reason: 'The daily check proves a domain that an organization added.',
    grants: of('ConnectionRefresh', on('settings#organization-policy', 'GetItem')),
  },
  {
    reason: 'The daily check finds the record of a domain that waits for it.',
    grants: of('ConnectionRefresh', on('connection-domain#*', 'PutItem')),
  },
  {
    reason: 'The daily check proves a domain of a company that requires its own sign-in.',
    grants: of('ConnectionRefresh', on('settings#session-review', 'UpdateItem')),
  },
  {
    reason:
      'The review of sessions ends one from a provider, or that of a user with groups or with an address of a company.',
    grants: of(
      'BackchannelLogout',
      on('connection-sessions#*', 'DeleteItem'),
      on('connection-domain#*', 'GetItem'),
      on('group#*', 'BatchGetItem'),
    ),
  },
  {
    reason:
      'The address of an invited user is that of a guest, or the user has groups, sessions or claimants.',
    grants: of(
      'Invitations',
      on('email#*', 'BatchGetItem', 'ConditionCheckItem'),
      on('email-claims#*', 'PutItem'),
      on('group#*', 'BatchGetItem'),
      on('guest#*', 'DeleteItem', 'PutItem'),
      on('guest-email#*', 'BatchGetItem', 'PutItem'),
      on('logout-job#*', 'PutItem'),
      on('outbox#*', 'PutItem'),
      on('rate#*', 'GetItem'),
      on('user#*', 'BatchGetItem'),
      on('username#*', 'BatchGetItem'),
      guestNames,
    ),
  },
  {
    reason: 'A user whom a user manager invited got a role in an organization before they accepted.',
    grants: of('Invitations', on('organization-rights#*', 'GetItem')),
  },
  {
    reason: 'A person whose deletion is due is a member of an organization.',
    grants: of('AccountDeletion', on('organization#*', 'UpdateItem')),
  },
  {
    reason: 'The document of a client is read again, ten minutes after it was read.',
    grants: of('Oidc', on('oidc-client#*', 'UpdateItem')),
  },
  {
    reason: 'The daily check proves the first domain of a provider.',
    grants: of('ConnectionRefresh', on('sign-in-page', 'PutItem')),
  },
  {
    reason: 'The answer to an update is lost, and the item is read to learn whether it was written.',
    grants: [
      ...of(
        'Organizations',
        on('counter#organization', 'GetItem'),
        on('counter#organization-invitation', 'GetItem'),
      ),
      ...of('Organizations', on('counter#organization', 'GetItem'), on('counter#api-token', 'GetItem')),
      ...of('Organizations', on('email-code#*', 'GetItem'), on('organization#*', 'GetItem')),
      ...of('Oidc', on('organization#*', 'GetItem')),
      ...of('Authorizer', on('organization#*', 'GetItem')),
      ...of('AccessLinks', on('organization#*', 'GetItem')),
      ...of('Tickets', on('rate#*', 'GetItem')),
      ...of('Organizations', on('rate#*', 'GetItem')),
      ...of('AccessLinks', on('link-mail#*', 'GetItem', 'DeleteItem'), on('rate#*', 'GetItem')),
      ...of('ConnectionFlow', on('counter#group', 'GetItem'), on('connection-sessions#*', 'GetItem')),
      ...of('Users', on('access-token#*', 'GetItem'), on('rate#*', 'GetItem'), on('username#*', 'GetItem')),
      ...of('Leaks', on('access-token#*', 'GetItem')),
      ...of('AccountDeletion', on('access-token#*', 'GetItem')),
      ...of('Branding', on('rate#*', 'GetItem')),
      ...of('Connections', on('rate#*', 'GetItem')),
      ...of('Oidc', on('counter#oidc-client', 'GetItem'), on('rate#*', 'GetItem')),
      ...of('OidcClients', on('counter#protected-api', 'GetItem')),
      ...of('Config', on('counter#oidc-client', 'GetItem'), on('counter#protected-api', 'GetItem')),
      ...of('ConfigProduct', on('counter#oidc-client', 'GetItem'), on('counter#protected-api', 'GetItem')),
      ...of('Config', on('counter#group', 'GetItem'), on('counter#user-template', 'GetItem')),
      ...of('Config', on('counter#connection', 'GetItem')),
      ...of('Config', on('counter#api-token', 'GetItem'), on('counter#user', 'GetItem')),
      ...of('Invitations', on('counter#user', 'GetItem')),
      ...of('UserFiles', on('counter#user', 'GetItem')),
      ...of('FirstAdmin', on('counter#user', 'GetItem'), on('user#*', 'BatchGetItem')),
      ...of('FirstAdmin', on('username#*', 'BatchGetItem')),
    ],
  },
  {
    reason: 'The first request with an API token of an organization in an hour is one to this function.',
    grants: of('AccessLinks', on('organization#*', 'UpdateItem')),
  },
  {
    reason: 'A guest has the name or the address of an account, because the guest had rights for a while.',
    grants: [
      ...of('AccessLinks', guestNames),
      ...of('AccountDeletion', on('user#*', 'BatchGetItem')),
      ...of('Leaks', guestNames),
      ...of('Passwords', on('email#*', 'ConditionCheckItem'), on('email-claims#*', 'PutItem', 'Query')),
      ...of('Passwords', on('guest#*', 'DeleteItem', 'PutItem'), on('guest-email#*', 'PutItem')),
      ...of('Passwords', on('user#*', 'PutItem'), on('username#*', 'DeleteItem', 'PutItem')),
      ...of('Passwords', on('totals#*', 'UpdateItem')),
      ...of('UserFiles', guestNames, on('guest#*', 'PutItem'), on('guest-email#*', 'PutItem')),
      ...of('ConnectionFlow', guestNames, on('guest#*', 'DeleteItem', 'PutItem')),
      ...of('ConnectionFlow', on('guest-email#*', 'BatchGetItem', 'PutItem')),
    ],
  },
  {
    reason: 'An account has a group, a custom API token or a session from a provider when it is ended.',
    grants: [
      ...of('Sessions', on('connection-sessions#*', 'DeleteItem')),
      ...of(
        'Passwords',
        on('api-token#*', 'DeleteItem'),
        on('group#*', 'BatchGetItem', 'DeleteItem', 'UpdateItem'),
      ),
      ...of('ConnectionFlow', on('group#*', 'ConditionCheckItem')),
      ...of('Users', on('group#*', 'Query')),
      ...of('Leaks', on('group#*', 'BatchGetItem')),
    ],
  },
  {
    reason: 'A logo of a file replaces another one, after twenty others were replaced within a year.',
    grants: of('Config', on('logo#*', 'DeleteItem')),
  },
  {
    reason: 'The first request of a user on a new day is one to this function.',
    grants: of('Authorizer', on('active-users#*', 'UpdateItem')),
  },
  {
    reason: 'A checkpoint follows another one, an hour later at the earliest, and its signature is checked.',
    grants: ['AuditChain kms:GetPublicKey key/mrk-AuthAuditKeyA70C4941'],
  },
  {
    reason:
      'Signed events are copied to a bucket, which the template of `auditArchive` alone has. Its own test runs it.',
    grants: of('AuditChain', on('audit-archive', 'GetItem', 'PutItem'), on('audit-checkpoints', 'GetItem')),
  },
  {
    reason:
      'Somebody who leaves a directory holds what few people hold, or the directory moves an address which others claimed. Tests of the sources end each kind.',
    grants: of(
      'Scim',
      on('email#*', 'BatchGetItem', 'ConditionCheckItem'),
      on('guest-email#*', 'BatchGetItem', 'PutItem'),
      on('organization-rights#*', 'BatchGetItem'),
      on('settings#sign-in-policy', 'BatchGetItem'),
      on('ticket#*', 'BatchGetItem', 'DeleteItem'),
      on('user#*', 'BatchGetItem'),
      on('username#*', 'BatchGetItem', 'DeleteItem', 'PutItem'),
      on('group#*', 'ConditionCheckItem'),
      on('api-token#*', 'DeleteItem'),
      on('connection-sessions#*', 'DeleteItem'),
      on('easy-sharing#*', 'DeleteItem'),
      on('email-claims#*', 'DeleteItem', 'PutItem'),
      on('organization#*', 'DeleteItem'),
      on('passkey#*', 'DeleteItem'),
      on('sign-up-link#*', 'DeleteItem'),
      on('access-token#*', 'GetItem'),
      on('oidc-client-document#*', 'GetItem'),
      on('rate#*', 'GetItem'),
      on('setup#admins', 'GetItem', 'UpdateItem'),
      on('user-template#*', 'GetItem'),
      on('guest#*', 'PutItem'),
      on('connection#*', 'UpdateItem'),
    ),
  },
  {
    reason:
      'A preview of a request names an address or a client with a document, or the answer to a new token of a directory is lost.',
    grants: of(
      'Connections',
      on('counter#api-token', 'GetItem'),
      on('email#*', 'GetItem'),
      on('oidc-client-document#*', 'GetItem'),
      on('email-claims#*', 'Query'),
    ),
  },
  {
    reason: 'Groups of a directory give roles at a sign-in, in an organization that declares roles.',
    grants: of('ConnectionFlow', on('organization-rights#*', 'GetItem')),
  },
  {
    reason: 'Somebody reports a session with which tokens of a directory were made.',
    grants: of('Passwords', on('scim#*', 'BatchGetItem', 'DeleteItem', 'UpdateItem')),
  },
  {
    reason: 'A connection whose directory sent people ends with its organization, or leaves a file.',
    grants: [
      ...of('AccountDeletion', on('scim#*', 'DeleteItem')),
      ...of('Config', on('scim#*', 'DeleteItem')),
    ],
  },
]
