/** The folders of the sources. */
export const sourceFolders = ['lib', 'functions', 'web', 'infra', 'local', 'cli', 'build'] as const

/**
 * The floors of the code, from the lowest to the highest. A folder may import from lower floors, and not from its own
 * floor or a higher one.
 */
export const floors: readonly (readonly string[])[] = [
  ['lib/options'],
  ['lib/util', 'lib/i18n', 'lib/client'],
  ['lib/limits', 'lib/middleware'],
  ['lib/errors', 'lib/settings', 'lib/secrets', 'lib/saml'],
  ['lib/log', 'lib/branding', 'lib/contract'],
  ['lib/store', 'lib/mail', 'lib/user-files'],
  ['lib/services.ts'],
  ['lib/accounts', 'lib/signing-keys', 'lib/audit-chain'],
  ['lib/tokens'],
  ['lib/oidc', 'lib/http'],
  ['lib/plain-pages', 'lib/open-api'],
  ['functions', 'web'],
  ['infra', 'local'],
  ['build', 'cli'],
]

/** Folders that may import less than all lower floors. */
export const onlyImports: Readonly<Record<string, readonly string[]>> = {
  // Others install these without the service.
  'lib/client': ['lib/options'],
  'lib/middleware': ['lib/client', 'lib/options'],
  // Browsers load it.
  web: ['lib/client', 'lib/i18n', 'lib/util', 'lib/branding', 'lib/contract', 'lib/user-files'],
  // The stack knows operations, settings and the shape of the table, and functions only by their paths.
  infra: ['lib/options', 'lib/util', 'lib/errors', 'lib/settings', 'lib/log', 'lib/contract', 'lib/store'],
}

/** Files that fewer folders may import than the rest of their folder. */
export const internalFiles: Readonly<Record<string, readonly string[]>> = {
  // Keys and expressions of the table. Other layers use the step builders of the store.
  'lib/kernel/table/expressions.ts': ['lib/store'],
  'lib/kernel/table/keys/audit-keys.ts': ['lib/store', 'infra'],
  'lib/kernel/table/keys/job-keys.ts': ['lib/store', 'infra'],
  'lib/kernel/table/keys/keys.ts': ['lib/store', 'infra', 'local', 'cli'],
  'lib/kernel/table/keys/oidc-keys.ts': ['lib/store', 'infra'],
  'lib/kernel/table/keys/partitions.ts': ['lib/store', 'infra', 'cli/table'],
}
