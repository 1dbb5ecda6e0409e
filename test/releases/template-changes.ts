import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../../infra/app.ts'
import { type Resource, readTemplates, stackSettings, writeEmptyBundles } from '../infra/synthesis.ts'
import type { JsonValue } from '../support/client.ts'

/** What CloudFormation compares between two releases, of one resource. */
export interface KeptResource {
  readonly type: string
  /** Whether the resource outlives its stack, or holds what cannot be created again. */
  readonly isKept: boolean
  /** Its properties that no update can change. */
  readonly fixed: Readonly<Record<string, JsonValue>>
  /** The indexes of a table, with their keys. */
  readonly indexes?: readonly string[]
}

/** The resources of a service, by settings, stack and logical ID. */
export type KeptTemplates = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, KeptResource>>>>>
>

/**
 * The properties that a resource keeps for its life. CloudFormation replaces the resource when one changes, or refuses the whole
 * update. See "Update requires" in the reference of each resource type.
 */
const fixedProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::Backup::BackupVault': ['BackupVaultName', 'EncryptionKeyArn'],
  'AWS::DynamoDB::Table': ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::KMS::Key': ['MultiRegion', 'KeySpec', 'KeyUsage', 'Origin'],
  'AWS::KMS::ReplicaKey': ['PrimaryKeyArn'],
  'AWS::Logs::LogGroup': ['LogGroupName', 'LogGroupClass'],
  'AWS::S3::Bucket': ['BucketName'],
  'AWS::SecretsManager::Secret': ['Name'],
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
}

/** The templates of the last release, which `npm version` writes. There are none before the first one. */
const keptFile = fileURLToPath(new URL('last-release-templates.json', import.meta.url))

interface KeptRelease {
  readonly version: string
  readonly templates: KeptTemplates
}

export const readLastTemplates = (): KeptRelease | undefined =>
  existsSync(keptFile) ? JSON.parse(readFileSync(keptFile, 'utf8')) : undefined

/** Writes the templates of a version to a file, which the tests of the next release compare with theirs. */
export const keepTemplates = (version: string, file = keptFile): void => {
  const kept: KeptRelease = { version, templates: synthesizeTemplates() }
  writeFileSync(file, `${JSON.stringify(kept)}\n`)
}

/** Together they contain every resource of the service. */
const keptSettings = [
  'default',
  'full',
  'frontDoor',
  'backedUp',
] as const satisfies readonly (keyof typeof stackSettings)[]

/** Synthesizes the service with several settings. Functions have no code in them, because no ID depends on it. */
export const synthesizeTemplates = (): KeptTemplates => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-templates-'))
  try {
    const bundleDir = writeEmptyBundles(join(folder, 'bundles'))
    return Object.fromEntries(
      keptSettings.map((name) => {
        const outdir = join(folder, name)
        createApp({ outdir, bundleDir, context: stackSettings[name] }).synth()
        return [name, readResources(outdir)]
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const logType = 'AWS::Logs::LogGroup'

/**
 * Reads the resources of all templates in the folder of a synthesis, also of nested stacks.
 *
 * @throws Error for a retained resource whose type has no line in `fixedProperties`
 */
const readResources = (folder: string): KeptTemplates[string] =>
  Object.fromEntries(
    [...readTemplates(folder)].map(([stack, { Resources = {} }]) => [
      stack,
      Object.fromEntries(Object.entries(Resources).map(([id, resource]) => [id, toKept(resource)])),
    ]),
  )

const toKept = ({ Type, DeletionPolicy = '', Properties = {} }: Resource): KeptResource => {
  const names = fixedProperties[Type]
  const isRetained = /^Retain/.test(DeletionPolicy)
  if (isRetained && !names)
    throw new Error(`${Type} is retained. Add the properties that it keeps for life to fixedProperties.`)
  const fixed = (names ?? []).flatMap((name) => (name in Properties ? [[name, Properties[name]]] : []))
  const { GlobalSecondaryIndexes: indexes } = Properties
  return {
    type: Type,
    isKept: names !== undefined,
    fixed: Object.fromEntries(fixed),
    ...(indexes && { indexes: indexes.map(nameIndex) }),
  }
}

const nameIndex = ({ IndexName, KeySchema }: JsonValue): string =>
  [IndexName, ...KeySchema.map(({ AttributeName }: JsonValue) => AttributeName)].join(' ')

/**
 * Finds what makes CloudFormation refuse the update from one release to the next, or lose what the service needs. Every setting and
 * stack of the earlier release is compared.
 */
export const findHarmfulChanges = (before: KeptTemplates, after: KeptTemplates): readonly string[] =>
  Object.entries(before).flatMap(([settings, stacks]) =>
    Object.entries(stacks).flatMap(([stack, resources]) => {
      const next = after[settings]?.[stack] ?? {}
      return Object.entries(resources).flatMap(([id, resource]) =>
        compareResource(resource, next[id]).map((problem) => `${settings}, ${stack}, ${id}: ${problem}`),
      )
    }),
  )

const compareResource = (earlier: KeptResource, later: KeptResource | undefined): readonly string[] => {
  const { type, isKept, fixed } = earlier
  if (!later)
    return isKept ? [type === logType ? 'The log is deleted.' : `The ${type} leaves the stack.`] : []
  if (later.type !== type)
    return [`The type changed from ${type} to ${later.type}. CloudFormation refuses the whole update.`]
  return [
    ...Object.keys({ ...fixed, ...later.fixed })
      .filter((name) => JSON.stringify(fixed[name]) !== JSON.stringify(later.fixed[name]))
      .map((name) => `${name} changed. CloudFormation replaces the resource, or refuses the update.`),
    ...compareIndexes(earlier, later),
  ]
}

/** DynamoDB creates or deletes one index in an update of a table. CloudFormation makes one update of it, and none for the keys of an index. */
const compareIndexes = (
  { indexes: before = [] }: KeptResource,
  { indexes: after = [] }: KeptResource,
): readonly string[] => {
  const changed = [
    ...before.filter((name) => !after.includes(name)),
    ...after.filter((name) => !before.includes(name)),
  ]
  return changed.length > 1
    ? [`These indexes change: ${changed.join(', ')}. CloudFormation refuses more than one at a time.`]
    : []
}
