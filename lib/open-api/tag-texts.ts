import type { Tag } from '../kernel/contract/group.ts'

export interface TagText {
  /** The name that readers see. */
  readonly displayName: string
  /** The concept behind the operations, in CommonMark. */
  readonly description: string
}

/** The texts of each tag of operations, in the order in which readers meet them. */
export const tagTexts: Readonly<Record<Tag, TagText>> = {
  sessions: {
    displayName: 'Sign-in and sessions',
    description: `A session is the credential of a signed-in user. Every way to sign in opens one: a password, a passkey, an emailed code, a
SAML identity provider, or an access link. Send it as a bearer credential. It ends with a logout, after its lifetime, or
when the password or the state of the user changes.`,
  },
  tickets: {
    displayName: 'Tickets',
    description: `A ticket passes a signed-in user to another server. The first server creates it with the session of the user and sends it
along with a redirect. The other server exchanges it for the user. It works once and for a minute, so it is safe in a URL.`,
  },
  oidc: {
    displayName: 'JWTs and OpenID Connect',
    description: `A JWT proves to any server who is calling, without a request to this service. Servers verify it with the public keys of
the service and any JWT library. It is short-lived, because it cannot be revoked.`,
  },
  'oidc-clients': {
    displayName: 'OpenID Connect clients',
    description: `An OpenID Connect client is a product that sends its users to this service to sign in. Administrators register it with the
addresses that a sign-in can return to.`,
  },
  users: {
    displayName: 'Users',
    description: `A user is an account of a person or a machine. Users see and change their own profile under \`/api/2/users/me\`. Callers with
the permission \`users:view\` read all users, and those with \`users:manage\` change them, within the permissions that they hold
themselves. Email addresses that users choose count after they are confirmed by a link.`,
  },
  groups: {
    displayName: 'Groups',
    description: `A group gives its permissions to its members. A user has their own permissions and those of all of their groups. A SAML
identity provider can choose the groups of its users.`,
  },
  invitations: {
    displayName: 'Invitations',
    description: `An invitation is an email with a link, with which a new user signs in for the first time. Callers who manage users send it
with \`invite_user\`, or when they create the user. The operations here are for the page behind the link: the user chooses a
password, creates a passkey, or signs in with the account of their company.`,
  },
  passwords: {
    displayName: 'Passwords and policies',
    description: `Passwords are set by users themselves, by a link in an email, or by a manager of users. The password policy decides which are
accepted: ask \`evaluate_password\` while the user types. The sign-in policy decides who needs a second factor.`,
  },
  passkeys: {
    displayName: 'Passkeys',
    description: `A passkey signs a user in with the fingerprint, face or PIN of their device, without a password (WebAuthn). It takes two
requests: the first returns options for the browser, the second takes the answer of the browser. A passkey works only on
pages of the service and of origins that it allows.`,
  },
  'access-links': {
    displayName: 'Access links',
    description: `An access link opens single objects of a product for one recipient, also for people without an account. It can have an
expiry, a number of views and a password. \`redeem_access_token\` takes one view and returns a session that shows this link and
nothing else. On the wire, an access link is \`access_token\`.`,
  },
  'api-tokens': {
    displayName: 'API tokens',
    description: `An API token is the credential of a script or a server that acts for its owner. Its value is returned once, when it is
created. Limit it with scopes and an expiry. It can never become a session or a better account.`,
  },
  impersonation: {
    displayName: 'Impersonation',
    description: `An administrator can use the service as another user, for example to reproduce a problem. The session then has the rights of
that user only, for at most an hour. Audit events and checked tickets name the administrator.`,
  },
  connections: {
    displayName: 'SAML providers',
    description: `A SAML provider is a connection to the identity provider of an organization, such as Microsoft Entra ID or Okta. Its users
sign in there. Administrators create the connection from the metadata of the identity provider, and decide which users and
groups it creates.`,
  },
  scim: {
    displayName: 'Directories (SCIM)',
    description: `The directory of a customer sends its people and groups, and ends those who leave, by SCIM 2.0 (RFC 7643, RFC 7644). It calls these
operations with a token of the connection. Their errors have the form of RFC 7644 3.12.`,
  },
  'connection-flow': {
    displayName: 'SAML sign-in',
    description: `These operations are the steps of a sign-in or logout through an identity provider. Browsers move through them by redirects.
Your product sends the browser to \`start_saml_auth\` and gets it back with a session or a ticket. The other steps belong to
the service and the identity provider.`,
  },
  'oidc-connections': {
    displayName: 'OpenID Connect connections',
    description: `An OpenID Connect connection signs the users of an organization in with their own identity provider, such as Microsoft Entra
ID, Google or Okta. It follows the same rules as a SAML provider. Browsers move through its sign-in by redirects: your product sends them to
\`start_oidc_sign_in\`. The IDs of both kinds are from one sequence, so the operations for email domains accept both.`,
  },
  'user-templates': {
    displayName: 'User templates',
    description: `A user template has the first permissions, groups and settings of users that a SAML sign-in creates. A SAML provider names
its template.`,
  },
  organizations: {
    displayName: 'Organizations',
    description: `An organization is a customer of your products: people with roles, who sign in for it. A person can be in many organizations.
Members with the right role manage their own organization. To everybody else, it does not exist.`,
  },
  'user-files': {
    displayName: 'Files of users',
    description: `Administrators import users from another system, with their password hashes and second factors, and export all users. The
command \`latchkey users\` does the same with a file, and the console too.`,
  },
  branding: {
    displayName: 'Branding of pages and emails',
    description: `The branding is what users recognize a product by: its name, logo, colors and links. Pages and emails of the service show
it. Each product that access links lead to can have a branding of its own, which inherits what it does not set.`,
  },
  configuration: {
    displayName: 'Configuration as code',
    description: `What a configuration document manages is read-only for people and API tokens: changing it is a 409 with the reason \`managed\`.
Administrators find out what is managed, and unlock it in an emergency.`,
  },
  audit: {
    displayName: 'Audit events and limits',
    description: `An audit event records who did what, when, from which address and with what result. Each change writes its event in the same
transaction, so none is missing. Refused requests are recorded as well. Administrators also see and lift rate limits that
were reached, and addresses that receive no email.`,
  },
  leaks: {
    displayName: 'Leaked credentials',
    description: `Anyone who finds a credential of the service in public can end it here. That includes scanners for secrets. The owner gets an
email.`,
  },
  hooks: {
    displayName: 'Hooks',
    description: `Hooks are functions of a product that the service asks. Administrators see how they work, try them, and turn them off.`,
  },
  health: {
    displayName: 'Health check',
    description: `Monitors ask here whether the service works. Administrators can have its parts checked.`,
  },
  pages: {
    displayName: 'Pages',
    description: `The service has its own pages for sign-in, passkeys, and the links in emails. They use the operations of this document. A
product can replace them by its own pages.`,
  },
  'published-clients': {
    displayName: 'Published clients',
    description: `Existing clients of another product use this service without changes. The operations here exist for them only: they
create, find and end access links under the paths of that product. Fields and parameters that only these clients know have
the mark \`x-published-clients\`. The service stores them and does nothing else with them. New clients need none of them.`,
  },
}
