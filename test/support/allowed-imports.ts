/*
 * The layers and folders of the code, and which other folders each of them may import. A folder may always import from
 * itself, and never from a folder that imports it. A few files are listed like folders because they have a place of
 * their own in this order.
 */

const declarations = ['lib/core', 'lib/contract', 'lib/contract/models', 'lib/contract/operations']
const services = ['lib/core', 'lib/i18n', 'lib/services.ts', 'lib/store/engine', 'lib/store/records']
/** What use cases of any feature may import. */
const useCase = [
  ...declarations,
  ...services,
  'lib/http',
  'lib/accounts/common',
  'functions/create-group-handler.ts',
]

/** What every section of the console may import. */
const consoleSection = [
  'lib/client',
  'lib/client/generated',
  'functions/pages/kit',
  'functions/pages/session-kit',
  'functions/pages/admin/kit',
]

export const allowedImports: Readonly<Record<string, readonly string[]>> = {
  'lib/core': [],

  // Languages and messages of pages and emails.
  'lib/i18n': [],

  'lib/contract': ['lib/contract/models'],
  'lib/contract/models': [],
  'lib/contract/operations': ['lib/contract', 'lib/contract/models'],
  'lib/contract/operations.ts': ['lib/contract', 'lib/contract/operations'],
  // The texts of the OpenAPI document, which no other function loads.
  'lib/contract/descriptions': ['lib/core', 'lib/contract'],
  'lib/contract/descriptions/guide': ['lib/core', 'lib/contract', 'lib/contract/descriptions'],
  'lib/contract/descriptions/guide.ts': ['lib/contract/descriptions/guide'],
  'lib/contract/descriptions/models': ['lib/core', 'lib/contract/models', 'lib/contract/descriptions'],
  'lib/contract/descriptions/model-texts.ts': [
    'lib/contract/descriptions',
    'lib/contract/descriptions/models',
  ],
  'lib/contract/descriptions/example-of.ts': ['lib/contract', 'lib/contract/descriptions/model-texts.ts'],
  'lib/contract/descriptions/operations': [
    'lib/core',
    'lib/contract/models',
    'lib/contract/operations',
    'lib/contract/descriptions',
    'lib/contract/descriptions/example-of.ts',
  ],
  'lib/contract/descriptions/operation-texts.ts': [
    'lib/contract',
    'lib/contract/operations',
    'lib/contract/descriptions',
    'lib/contract/descriptions/operations',
  ],

  'lib/secrets': ['lib/core'],
  'lib/mail': ['lib/core', 'lib/i18n', 'lib/mail/messages'],
  'lib/mail/messages': ['lib/i18n'],

  'lib/saml/xml': ['lib/core'],
  'lib/saml': ['lib/core', 'lib/saml/xml'],
  'lib/saml/metadata': ['lib/core', 'lib/saml', 'lib/saml/xml'],
  'lib/saml/redirect': ['lib/core', 'lib/saml', 'lib/saml/xml'],
  'lib/saml/second-verifier': ['lib/saml/xml'],
  'lib/saml/assertion': ['lib/core', 'lib/saml', 'lib/saml/xml', 'lib/saml/second-verifier'],
  'lib/saml/logout': ['lib/core', 'lib/saml', 'lib/saml/xml', 'lib/saml/redirect', 'lib/saml/assertion'],

  'lib/store/engine': ['lib/core'],
  'lib/store/records': ['lib/core', 'lib/i18n', 'lib/store/engine'],
  'lib/store/directory': ['lib/core', 'lib/store/engine', 'lib/store/records'],
  'lib/store/branding': ['lib/core', 'lib/store/engine', 'lib/store/records', 'lib/store/directory'],
  'lib/store/sign-in': ['lib/core', 'lib/store/engine', 'lib/store/records', 'lib/store/directory'],
  'lib/store/links': [
    'lib/core',
    'lib/store/engine',
    'lib/store/records',
    'lib/store/directory',
    'lib/store/sign-in',
  ],
  'lib/store/saml': [
    'lib/core',
    'lib/store/engine',
    'lib/store/records',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/links',
  ],

  // What operators do to all items at once.
  'lib/store/maintenance': ['lib/store/engine', 'lib/store/records', 'lib/store/links'],

  'lib/store/audit-chain': ['lib/core', 'lib/store/engine', 'lib/store/records'],

  // Creates the parts that every use case works with.
  'lib/services.ts': ['lib/core', 'lib/secrets', 'lib/store/engine'],

  'lib/store/signing-keys': ['lib/core', 'lib/store/engine', 'lib/store/records'],

  'lib/store/oidc': ['lib/core', 'lib/store/engine', 'lib/store/records'],

  // The keys that sign JWTs.
  'lib/signing-keys': [
    'lib/core',
    'lib/services.ts',
    'lib/store/engine',
    'lib/store/records',
    'lib/store/signing-keys',
  ],

  // JWTs and what they state about users.
  'lib/tokens': [
    'lib/core',
    'lib/services.ts',
    'lib/signing-keys',
    'lib/store/directory',
    'lib/store/records',
    'lib/store/sign-in',
    'lib/accounts/common',
    'lib/accounts/sign-in',
  ],

  // What the endpoints of OpenID Connect have in common.
  'lib/oidc': [
    'lib/core',
    'lib/contract/models',
    'lib/secrets',
    'lib/services.ts',
    'lib/signing-keys',
    'lib/store/oidc',
    'lib/store/records',
    'lib/tokens',
    'lib/accounts/common',
    'lib/accounts/sign-in',
  ],
  // The library that signs users in at clients, and its storage. Functions load it when it is needed.
  'lib/oidc/provider': [
    'lib/core',
    'lib/services.ts',
    'lib/signing-keys',
    'lib/store/oidc',
    'lib/store/records',
    'lib/tokens',
    'lib/oidc',
    'lib/accounts/common',
    'lib/accounts/sign-in',
  ],

  // Makes changes of audit events visible.
  'lib/audit-chain': [
    'lib/core',
    'lib/secrets',
    'lib/services.ts',
    'lib/store/engine',
    'lib/store/audit-chain',
  ],

  'lib/accounts/common': [...declarations, ...services, 'lib/mail', 'lib/store/directory'],
  'lib/accounts/directory': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/accounts/common',
  ],
  'lib/accounts/passwords': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/common',
    'lib/accounts/directory',
  ],
  'lib/accounts/sign-in': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/links',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/accounts/passwords',
  ],
  'lib/accounts/email-codes': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/common',
  ],
  'lib/accounts/passkeys': [
    ...declarations,
    ...services,
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/common',
    'lib/accounts/directory',
  ],
  'lib/accounts/links': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/links',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/accounts/passwords',
    'lib/accounts/sign-in',
  ],
  'lib/accounts/emails': [
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/accounts/common',
    'lib/accounts/directory',
  ],
  'lib/accounts/saml': [
    ...declarations,
    ...services,
    'lib/saml',
    'lib/saml/assertion',
    'lib/saml/logout',
    'lib/saml/metadata',
    'lib/saml/redirect',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/saml',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/accounts/emails',
    'lib/accounts/passwords',
    'lib/accounts/sign-in',
    'lib/accounts/links',
  ],

  // How an invited user signs in for the first time.
  'lib/accounts/invitations': [
    ...declarations,
    ...services,
    'lib/saml/assertion',
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/saml',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/accounts/emails',
    'lib/accounts/saml',
    'lib/accounts/sign-in',
  ],

  'lib/accounts/security-reports': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/saml',
    'lib/accounts/common',
    'lib/accounts/passwords',
  ],

  // Pages that work without scripts.
  'lib/plain-pages': ['lib/core', 'lib/i18n', 'lib/http', 'lib/plain-pages/messages'],
  'lib/plain-pages/messages': ['lib/i18n'],

  'lib/http': [
    ...declarations,
    'lib/i18n',
    'lib/services.ts',
    'lib/store/engine',
    'lib/accounts/common',
    'lib/accounts/sign-in',
  ],

  // The OpenAPI document, which is built from the declarations and their texts.
  'lib/open-api': [
    ...declarations,
    'lib/contract/operations.ts',
    'lib/contract/descriptions',
    'lib/contract/descriptions/guide.ts',
    'lib/contract/descriptions/model-texts.ts',
    'lib/contract/descriptions/operation-texts.ts',
    'lib/saml/assertion',
    'lib/http',
  ],

  // The typed client runs in products, which have nothing else of this project.
  'lib/client': ['lib/client/generated', 'lib/client/options.ts'],
  'lib/client/options.ts': [],
  'lib/client/generated': ['lib/client/options.ts'],
  'lib/middleware': ['lib/client', 'lib/client/generated', 'lib/client/options.ts'],

  // One folder for each group of operations. No group imports another one.
  'functions/access-tokens': [
    ...useCase,
    'lib/mail',
    'lib/secrets',
    'lib/store/directory',
    'lib/store/links',
    'lib/accounts/directory',
    'lib/accounts/sign-in',
    'lib/accounts/links',
  ],
  'functions/api-tokens': [
    ...useCase,
    'lib/secrets',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/sign-in',
  ],
  'functions/audit': [...useCase, 'lib/store/directory', 'lib/accounts/directory'],
  'functions/branding': [...useCase, 'lib/mail', 'lib/store/branding', 'lib/accounts/directory'],
  'functions/health': [
    ...useCase,
    'functions/*.prebuilt.ts',
    'lib/store/directory',
    'lib/accounts/directory',
  ],
  'functions/groups': [...useCase, 'lib/store/directory', 'lib/accounts/directory'],
  'functions/impersonation': [...useCase, 'lib/store/directory', 'lib/store/sign-in', 'lib/accounts/sign-in'],
  'functions/invitations': [
    ...useCase,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/invitations',
    'lib/accounts/passkeys',
    'lib/accounts/passwords',
    'lib/accounts/sign-in',
  ],
  'functions/leaks': [
    ...useCase,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/links',
    'lib/store/oidc',
    'lib/store/sign-in',
    'lib/accounts/links',
    'lib/accounts/sign-in',
  ],
  'functions/oidc': [
    ...useCase,
    'lib/plain-pages',
    'functions/*.prebuilt.ts',
    'lib/signing-keys',
    'lib/tokens',
    'lib/oidc',
    'lib/oidc/provider',
    'lib/store/oidc',
    'lib/store/sign-in',
    'lib/accounts/sign-in',
  ],
  'functions/oidc-clients': [
    ...useCase,
    'lib/oidc',
    'lib/secrets',
    'lib/store/directory',
    'lib/store/oidc',
    'lib/accounts/directory',
  ],
  'functions/passkeys': [
    ...useCase,
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/passkeys',
    'lib/accounts/sign-in',
  ],
  'functions/passwords': [
    ...useCase,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/passwords',
    'lib/accounts/security-reports',
    'lib/accounts/sign-in',
  ],
  'functions/saml-flow': [
    ...useCase,
    'lib/plain-pages',
    'functions/*.prebuilt.ts',
    'lib/saml',
    'lib/saml/assertion',
    'lib/saml/logout',
    'lib/saml/redirect',
    'lib/store/saml',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/sign-in',
    'lib/accounts/invitations',
    'lib/accounts/saml',
  ],
  'functions/saml-providers': [...useCase, 'lib/store/saml', 'lib/accounts/directory', 'lib/accounts/saml'],
  'functions/sessions': [
    ...useCase,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/saml',
    'lib/accounts/directory',
    'lib/accounts/email-codes',
    'lib/accounts/passwords',
    'lib/accounts/sign-in',
  ],
  'functions/tickets': [
    ...useCase,
    'lib/secrets',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/sign-in',
    // A ticket of an access link reports what the link shares.
    'lib/accounts/links',
  ],
  'functions/user-templates': [...useCase, 'lib/store/directory', 'lib/store/saml', 'lib/accounts/directory'],
  'functions/users': [
    ...useCase,
    'lib/secrets',
    'lib/store/directory',
    'lib/store/saml',
    'lib/store/sign-in',
    'lib/accounts/directory',
    'lib/accounts/emails',
    'lib/accounts/invitations',
    'lib/accounts/passwords',
    'lib/accounts/sign-in',
    'lib/accounts/links',
  ],
  // What the functions of all groups have in common.
  'functions/create-group-handler.ts': ['lib/core', 'lib/http', 'lib/services.ts', 'functions/unmatched'],
  'functions/unmatched': [
    'lib/core',
    'lib/contract/operations.ts',
    'lib/accounts/common',
    'lib/plain-pages',
    'lib/http',
    'lib/services.ts',
    'functions/*.prebuilt.ts',
  ],

  // Functions without operations, which streams, schedules and deployments start.
  'functions/audit-forward': services,
  // The Lambda authorizer, which API Gateway and AppSync call for products.
  'functions/authorizer': [
    ...services,
    'lib/http',
    'lib/oidc',
    'lib/tokens',
    'lib/accounts/common',
    'lib/accounts/sign-in',
  ],
  'functions/backchannel-logout': [
    ...services,
    'lib/saml',
    'lib/store/directory',
    'lib/store/oidc',
    'lib/store/sign-in',
    'lib/tokens',
  ],
  'functions/audit-chain': [
    'lib/core',
    'lib/services.ts',
    'lib/secrets',
    'lib/store/audit-chain',
    'lib/audit-chain',
  ],
  'functions/first-admin': [...services, 'lib/accounts/directory'],
  'functions/mail-events': [...services, 'lib/store/directory', 'lib/accounts/common'],
  'functions/mailer': [
    ...services,
    'lib/mail',
    'lib/secrets',
    'lib/store/directory',
    'lib/store/sign-in',
    'lib/store/saml',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/accounts/emails',
    'lib/accounts/invitations',
    'lib/accounts/email-codes',
    'lib/accounts/passwords',
    'lib/accounts/security-reports',
  ],
  'functions/signing-keys': ['lib/core', 'lib/services.ts', 'lib/signing-keys'],
  'functions/saml-refresh': [...services, 'lib/store/saml', 'lib/accounts/common', 'lib/accounts/saml'],

  // Pages, with the scripts that run in browsers.
  'functions/pages': [
    ...useCase,
    'lib/store/directory',
    'lib/store/saml',
    'lib/accounts/directory',
    'lib/accounts/sign-in',
    'lib/accounts/passkeys',
    'functions/*.prebuilt.ts',
    'functions/pages/messages',
    'functions/pages/page-data.ts',
  ],
  'functions/pages/page-data.ts': ['lib/i18n', 'lib/contract/models'],
  'functions/pages/messages': ['lib/i18n'],
  'functions/pages/kit': [
    'lib/i18n',
    'lib/client',
    'functions/pages/page-data.ts',
    'functions/pages/kit/messages',
  ],
  'functions/pages/kit/messages': ['lib/i18n'],
  // The field for a new password.
  'functions/pages/kit/new-password': ['functions/pages/kit', 'functions/pages/kit/new-password/messages'],
  'functions/pages/kit/new-password/messages': ['lib/i18n'],
  // What pages of signed-in users have in common.
  'functions/pages/session-kit': [
    'functions/pages/kit',
    'functions/pages/page-data.ts',
    'functions/pages/session-kit/messages',
  ],
  'functions/pages/session-kit/messages': ['lib/i18n'],
  'functions/pages/invite': [
    'functions/pages/kit',
    'functions/pages/kit/new-password',
    'functions/pages/invite/messages',
  ],
  'functions/pages/invite/messages': ['lib/i18n'],
  'functions/pages/account': [
    'functions/pages/kit',
    'functions/pages/kit/new-password',
    'functions/pages/session-kit',
    'functions/pages/account/messages',
  ],
  'functions/pages/account/messages': ['lib/i18n'],
  // The console for administrators. Its sections are chunks of their own.
  'functions/pages/admin': [
    ...consoleSection,
    'functions/pages/admin/audit',
    'functions/pages/admin/users',
    'functions/pages/admin/groups',
    'functions/pages/admin/user-templates',
    'functions/pages/admin/api-tokens',
    'functions/pages/admin/access-links',
    'functions/pages/admin/blocks',
  ],
  'functions/pages/admin/kit': [
    'lib/client',
    'lib/client/generated',
    'functions/pages/kit',
    'functions/pages/session-kit',
    'functions/pages/admin/kit/messages',
  ],
  'functions/pages/admin/kit/messages': ['lib/i18n'],
  'functions/pages/admin/audit': [
    ...consoleSection,
    'functions/pages/admin/audit/events',
    'functions/pages/admin/audit/messages',
  ],
  'functions/pages/admin/audit/messages': ['lib/i18n'],
  'functions/pages/admin/audit/events': [
    'functions/pages/kit',
    'functions/pages/admin/audit/events/messages',
  ],
  'functions/pages/admin/audit/events/messages': ['lib/i18n'],
  'functions/pages/admin/users': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/users/messages',
  ],
  'functions/pages/admin/users/messages': ['lib/i18n'],
  'functions/pages/admin/groups': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/groups/messages',
  ],
  'functions/pages/admin/groups/messages': ['lib/i18n'],
  'functions/pages/admin/user-templates': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/user-templates/messages',
  ],
  'functions/pages/admin/user-templates/messages': ['lib/i18n'],
  'functions/pages/admin/api-tokens': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/api-tokens/messages',
  ],
  'functions/pages/admin/api-tokens/messages': ['lib/i18n'],
  'functions/pages/admin/access-links': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/access-links/messages',
  ],
  'functions/pages/admin/access-links/messages': ['lib/i18n'],
  'functions/pages/admin/blocks': [
    ...consoleSection,
    'functions/pages/admin/people',
    'functions/pages/admin/blocks/messages',
  ],
  'functions/pages/admin/blocks/messages': ['lib/i18n'],
  // What sections about people share.
  'functions/pages/admin/people': [...consoleSection, 'lib/i18n', 'functions/pages/admin/people/messages'],
  'functions/pages/admin/people/messages': ['lib/i18n'],
  'functions/pages/shared': ['lib/core'],
  'functions/pages/sign-in': [
    'functions/pages/kit',
    'functions/pages/kit/new-password',
    'functions/pages/sign-in/messages',
  ],
  'functions/pages/sign-in/messages': ['lib/i18n'],
  'functions/pages/reset': ['functions/pages/shared'],
  'functions/pages/secure': ['functions/pages/shared'],
  'functions/pages/confirm': ['functions/pages/shared'],
  'functions/pages/link': ['functions/pages/shared'],
  'functions/pages/reference': ['functions/pages/shared'],
  // Modules that run when a function is bundled.
  'functions/*.prebuilt.ts': ['infra/pages', 'lib/contract/operations.ts', 'lib/open-api', 'infra/reference'],
  'infra/pages': ['lib/http', 'lib/i18n'],
  // The page that shows the OpenAPI document.
  'infra/reference': ['lib/core', 'lib/contract', 'lib/saml/assertion', 'lib/http', 'lib/open-api'],

  // The stack. It knows the operations and the shape of the table, and functions only by their paths.
  infra: ['lib/core', 'lib/contract', 'lib/contract/operations.ts', 'lib/store/engine', 'infra/monitoring'],
  'infra/monitoring': ['lib/core'],
  'infra/local': [
    ...services,
    'lib/contract',
    'lib/contract/operations.ts',
    'lib/http',
    'lib/accounts/directory',
    'infra/local/previews',
  ],
  // The page of local mode that shows all emails with example values.
  'infra/local/previews': ['lib/core', 'lib/i18n', 'lib/mail'],
  // Commands for the terminal, for a deployed table or the one of local mode.
  'infra/cli': [
    ...declarations,
    ...services,
    'lib/secrets',
    'lib/store/directory',
    'lib/accounts/common',
    'lib/accounts/directory',
    'lib/audit-chain',
    'lib/accounts/emails',
    'infra/local',
    'functions/*.prebuilt.ts',
  ],
  // What the published package offers, and what builds it.
  'infra/package': ['lib/core', 'infra', 'infra/local'],
  // Commands that read or change every item of a table.
  'infra/maintenance': [
    'lib/core',
    'lib/accounts/common',
    'lib/accounts/links',
    'lib/accounts/saml',
    'lib/store/records',
    'lib/secrets',
    'lib/services.ts',
    'lib/signing-keys',
    'lib/store/engine',
    'lib/store/maintenance',
    'infra/cli',
    'infra/local',
  ],
  // The generators of docs/reference and of the typed client, which read every declaration.
  'infra/docs/client': ['lib/contract/operations.ts', 'lib/open-api'],
  'infra/docs': [
    'infra/docs/client',
    'functions/*.prebuilt.ts',
    'lib/core',
    'lib/contract',
    'lib/contract/descriptions/operation-texts.ts',
    'lib/contract/operations.ts',
    'lib/saml/assertion',
    'lib/http',
    'lib/open-api',
    'infra',
    'infra/local',
  ],
}

/** Files that fewer folders may import than the rest of their folder. */
export const internalFiles: Readonly<Record<string, readonly string[]>> = {
  // Keys and expressions of the table. Other layers use the step builders of the store.
  'lib/store/engine/expressions.ts': ['lib/store'],
  'lib/store/engine/keys.ts': ['lib/store', 'infra'],
  'lib/store/engine/partitions.ts': ['lib/store', 'infra'],
}
