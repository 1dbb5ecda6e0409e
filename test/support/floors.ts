import { listSources } from './import-graph.ts'

/** The folders of the sources. */
export const sourceFolders = ['lib', 'functions', 'web', 'infra', 'local', 'cli', 'build'] as const

/**
 * The roles of files in accounts and features, by the end of their names: `records.ts` or `find-users.records.ts` is stored. A file
 * without such an end decides: it belongs to the rules.
 */
export const roles = {
  declared: ['models', 'operations'],
  stored: ['records'],
  done: ['use-cases', 'job', 'part', 'page', 'prebuilt'],
} as const

/**
 * The floors of the code, from the lowest to the highest. A part may import from lower floors, and not from another part of
 * its own floor or from a higher one. A part is a folder, or all files of one role.
 */
export const floors: readonly (readonly string[])[] = [
  ['lib/kernel/options'],
  ['lib/kernel/util', 'lib/kernel/i18n', 'lib/client'],
  ['lib/kernel/limits', 'lib/middleware'],
  ['lib/kernel/errors', 'lib/kernel/settings', 'lib/kernel/secrets'],
  ['lib/kernel/log', 'lib/kernel/contract', 'lib/kernel/table'],
  ['lib/kernel/rates'],
  ['declared'],
  ['lists of all features', 'stored'],
  ['lib/services.ts'],
  ['decided'],
  ['lib/http', 'lib/hooks'],
  ['lib/open-api', 'done'],
  ['functions', 'web'],
  ['infra', 'local'],
  ['build', 'cli'],
]

const roleOf = (file: string): string => {
  // What is computed of models at build time is a declaration, too.
  const end = /(?:\/|\.)([\w-]+)(?:(?<=\.models)\.prebuilt)?\.ts$/.exec(file)?.[1] ?? ''
  return Object.entries(roles).find(([, ends]) => (ends as readonly string[]).includes(end))?.[0] ?? 'decided'
}

/** The part that a file belongs to. */
export const partOf = (file: string): string => {
  const [top = '', inner = '', feature = ''] = file.split('/')
  if (top !== 'lib') return top
  if (inner === 'kernel') return `lib/kernel/${feature}`
  // The words of published clients are declarations, apart from those of features.
  if (inner === 'published-clients') return 'declared'
  if (inner === 'accounts') return roleOf(file)
  if (inner !== 'features') return `lib/${inner}`
  // Lists of what features do for others, such as `account-ends.ts`, are rules as what they list is.
  return ['models.ts', 'operations.ts'].includes(feature) ? 'lists of all features' : roleOf(file)
}

/** The files that declare models or operations, and the words of published clients. */
export const listDeclarations = (role: 'models' | 'operations'): string[] =>
  listSources('lib').filter(
    (file) =>
      partOf(file) === 'declared' && (file.includes('published-clients/') || file.endsWith(`${role}.ts`)),
  )

/** Folders that may import less than all lower floors. */
export const onlyImports: Readonly<Record<string, readonly string[]>> = {
  // Others install these without the service.
  'lib/client': ['lib/kernel/options'],
  'lib/middleware': ['lib/client', 'lib/kernel/options'],
  'lib/hooks': [
    'lib/kernel/options',
    'lib/kernel/limits',
    'lib/kernel/settings',
    'lib/kernel/contract',
    'decided',
  ],
  // Browsers load it.
  web: ['lib/client', 'lib/kernel/i18n', 'lib/kernel/util', 'lib/kernel/contract', 'declared', 'decided'],
  // The stack knows operations, settings and the shape of the table, and functions only by their paths.
  infra: [
    // The types of configuration files.
    'lib/client',
    'lib/kernel/options',
    'lib/kernel/util',
    'lib/kernel/errors',
    'lib/kernel/limits',
    'lib/kernel/settings',
    'lib/kernel/log',
    'lib/kernel/contract',
    'lib/kernel/table',
    'declared',
    'lists of all features',
    'stored',
    'decided',
  ],
}

/** The only rules of features that browsers load: files of users, and the colors of a brand. */
export const rulesInBrowsers = ['lib/features/user-files/', 'lib/features/branding/brand-']

/** The only rules of features that constructs apply: what an image may be, which file is one, and which claims a hook may add. */
export const rulesInStack = [
  'lib/features/branding/read-logo.ts',
  'lib/features/configuration/image-types.ts',
  'lib/features/oauth/hook-claim-names.ts',
]

/** The only rules that the package of hooks applies: which claims a hook may add, and how names of groups are compared. */
export const rulesInHooks = [
  'lib/accounts/names/names.ts',
  'lib/features/oauth/claim-names.ts',
  'lib/features/oauth/hook-claim-names.ts',
]

/** Files that fewer folders may import than the rest of their folder. */
export const internalFiles: Readonly<Record<string, readonly string[]>> = {
  // Keys and expressions of the table. Other layers use the step builders of the records.
  'lib/kernel/table/expressions.ts': ['lib/kernel', 'stored'],
  'lib/kernel/table/keys/audit-keys.ts': ['lib/kernel', 'stored', 'infra'],
  'lib/kernel/table/keys/job-keys.ts': ['lib/kernel', 'stored', 'infra'],
  // Rows of accounts name items by their keys.
  'lib/kernel/table/keys/keys.ts': ['lib/kernel', 'stored', 'infra', 'local', 'cli', '/account-rows.ts'],
  'lib/kernel/table/keys/oauth-keys.ts': ['lib/kernel', 'stored', 'infra'],
  'lib/kernel/table/keys/partitions.ts': ['lib/kernel', 'stored', 'infra', 'cli/table'],
}
