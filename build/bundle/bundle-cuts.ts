import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'

/** A file of a library that bundles replace, because functions load it at a cold start but use little or nothing of it. */
export interface BundleCut {
  /** The path below `node_modules`. */
  readonly file: string
  /** The SHA-256 of the file that the replacement was written for, in hexadecimal. */
  readonly sha256: string
  readonly reason: string
  readonly replace: (original: string) => string
}

/** The media types that the provider of OpenID Connect reads and writes. */
const mediaTypes = {
  'application/json': { charset: 'UTF-8', compressible: true, extensions: ['json'] },
  'application/octet-stream': { compressible: true, extensions: ['bin'] },
  'application/x-www-form-urlencoded': { compressible: true },
  'text/html': { compressible: true, extensions: ['html'] },
  'text/plain': { compressible: true, extensions: ['txt'] },
}
const fewMediaTypes = {
  reason: 'The provider of OpenID Connect uses five of some 2,000 media types.',
  replace: () => `module.exports = ${JSON.stringify(mediaTypes)}`,
}

export const bundleCuts: readonly BundleCut[] = [
  // Before the other one, whose path also matches this one.
  {
    file: 'koa/node_modules/mime-db/db.json',
    sha256: '85c8e1ba609079947c8df83c092900ab0226e1d7b60e5e7105fb7dd701833263',
    ...fewMediaTypes,
  },
  {
    file: 'mime-db/db.json',
    sha256: '96b8a5746867c832ab56743c05e46e73c9facb04879677df0b356f20496cb6cd',
    ...fewMediaTypes,
  },
  {
    file: '@aws-sdk/credential-provider-node/dist-es/index.js',
    sha256: 'a952aa83f0c61f1c5399518dc09fe095e793bcd0d93d5e5316e97c8a68f24e25',
    reason: 'Lambda passes credentials in the environment. There are no profiles, SSO, or metadata services.',
    replace: () => `export const defaultProvider = () => async () => {
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env
      if (!accessKeyId || !secretAccessKey) throw new Error('There are no AWS credentials in the environment.')
      return { accessKeyId, secretAccessKey, sessionToken: process.env.AWS_SESSION_TOKEN }
    }`,
  },
  {
    file: '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js',
    sha256: '6254ceb3bfa2d608c8b279c0171e80bc10025994dfad05dc978e597aa3471876',
    reason: 'Lambda has no ~/.aws. The first call of each cold start would search for it.',
    replace: () => `export { CONFIG_PREFIX_SEPARATOR } from './constants'
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} })`,
  },
  {
    file: '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js',
    sha256: '54d26649ccb5c6f5d34f89bf22167db9f91eeab6c05af115f7b0dbf041081ec4',
    reason: 'It replaces the crypto module where Node.js has none.',
    replace: () => 'export const Sha256Js = undefined',
  },
  {
    file: '@aws-sdk/client-dynamodb/dist-es/index.js',
    sha256: 'feb5bd841d00e0a3c622b351700f4ecf2853eff25e6e7cee2d17ced8f4424341',
    reason:
      'Functions call DynamoDB without it. They load it only to search for credentials, which Lambda passes.',
    replace: () => `export class DynamoDBClient {
      constructor() { throw new Error('There are no AWS credentials in the environment.') }
    }`,
  },
]

const pathPattern = (file: string): RegExp =>
  new RegExp(`/node_modules/${file}$`.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]'))

/** Applies the cuts. The build fails when an original differs from the one that a cut was written for. */
export const cutPlugin = (cuts: readonly BundleCut[]): Plugin => ({
  name: 'bundle-cuts',
  setup(build) {
    for (const { file, sha256, replace } of cuts)
      build.onLoad({ filter: pathPattern(file) }, async ({ path }) => {
        const original = await readFile(path, 'utf8')
        const actual = createHash('sha256').update(original).digest('hex')
        if (actual === sha256) return { contents: replace(original), loader: 'js' }
        const text =
          `${file} has changed. Check whether the replacement in build/bundle/bundle-cuts.ts still fits, ` +
          `then set its sha256 to ${actual}.`
        return { errors: [{ text }] }
      })
  },
})
