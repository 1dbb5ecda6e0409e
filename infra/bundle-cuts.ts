import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** A file of the SDK whose text is replaced in our bundles. A name that goes missing by it fails the build. */
export interface Cut {
  /** The file, below `node_modules`. */
  readonly file: string
  readonly because: string
  readonly instead: string | ((text: string) => string)
}

/** What a call on an item can be refused with; of what else is thrown, the SDK still sets the right name. */
const itemErrors = [
  'ConditionalCheckFailedException',
  'IdempotentParameterMismatchException',
  'InternalServerError',
  'ItemCollectionSizeLimitExceededException',
  'ProvisionedThroughputExceededException',
  'ReplicatedWriteConflictException',
  'RequestLimitExceeded',
  'ResourceNotFoundException',
  'ThrottlingException',
  'TransactionCanceledException',
  'TransactionConflictException',
  'TransactionInProgressException',
]

const versionAlone = (text: string): string => JSON.stringify({ version: JSON.parse(text).version })

export const cuts: readonly Cut[] = [
  {
    file: '@aws-sdk/credential-provider-node/dist-es/index.js',
    because:
      'Lambda gives the credentials in the environment: no profile, SSO, web identity or metadata service.',
    instead: `export const defaultProvider = () => async () => {
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
      if (!accessKeyId || !secretAccessKey) throw new Error('There are no AWS credentials in the environment.')
      return { accessKeyId, secretAccessKey, sessionToken: process.env.AWS_SESSION_TOKEN }
    }`,
  },
  {
    file: '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js',
    because: 'A function has no ~/.aws: the first call would look for it, and parse what it never finds.',
    instead: `export { CONFIG_PREFIX_SEPARATOR } from './constants'
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  },
  {
    file: '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js',
    because: 'Lambda sets AWS_REGION; the metadata service of EC2 is not there to be asked.',
    instead: 'export const getInstanceMetadataRegion = async () => undefined',
  },
  {
    file: '@aws-sdk/middleware-endpoint-discovery/dist-es/index.js',
    because: 'Endpoint discovery is for Timestream-like services; the client for items never turns it on.',
    instead: `export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
      environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: undefined,
    }
    export const resolveEndpointDiscoveryConfig = (config) => config`,
  },
  {
    file: '@smithy/core/dist-es/submodules/event-streams/index.js',
    because: 'No operation that we call answers with an event stream; it would be loaded for one alone.',
    instead: 'export {}',
  },
  {
    file: '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
    because: 'A stand-in for a Node without crypto.',
    instead: 'export const Sha256Js = undefined',
  },
  {
    file: '@smithy/core/dist-es/submodules/endpoints/middleware-endpoint/service-customizations/s3.js',
    because: 'Names of S3 buckets, in a client that is not for S3.',
    instead: `export const S3_HOSTNAME_PATTERN = undefined, DOT_PATTERN = undefined
    export const resolveParamsForS3 = undefined, isDnsCompatibleBucketName = undefined, isArnBucketName = undefined`,
  },
  {
    file: '@aws-sdk/client-dynamodb/package.json',
    because: 'Only the version is read, for the User-Agent.',
    instead: versionAlone,
  },
  {
    file: '@aws-sdk/client-secrets-manager/package.json',
    because: 'Only the version is read, for the User-Agent.',
    instead: versionAlone,
  },
  {
    file: '@aws-sdk/client-dynamodb/dist-es/schemas/schemas_0.js',
    because: 'Errors of backups, exports and global tables, which calls on items never meet.',
    instead: (text) =>
      text.replaceAll(/^n0_registry\.registerError\((\w+)\$, \w+\);$/gm, (line, name: string) =>
        itemErrors.includes(name) ? line : '',
      ),
  },
]

const pattern = (file: string): RegExp =>
  new RegExp(`/node_modules/${file}$`.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]'))

/** Cuts away what a function of ours never runs, but would load at every cold start. */
export const withoutDeadParts: Plugin = {
  name: 'without-dead-parts',
  setup(build) {
    for (const { file, instead } of cuts) {
      build.onLoad({ filter: pattern(file) }, async ({ path }) => ({
        contents: typeof instead === 'string' ? instead : instead(await readFile(path, 'utf8')),
        loader: file.endsWith('.json') ? 'json' : 'js',
      }))
    }
  },
}
