import { basename, dirname, join } from 'node:path'
import { keyedLists } from '../../lib/features/configuration/document.models.ts'
import { isPlainObject } from '../../lib/kernel/options/check-options.ts'
import { groupBy } from '../../lib/kernel/util/group-by.ts'
import { readOwn } from '../../lib/kernel/util/object-fields.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { type ConfigFile, createFailure, readConfigDocument } from '../../local/config/read-config-file.ts'
import { openFile } from '../../local/open-file.ts'

/** What `cdk synth` calls the template of a stack. */
const templateName = /\.template\.json$/

export const isStackTemplate = (path: string): boolean => templateName.test(path)

type Json = Readonly<Record<string, unknown>>

interface Construct {
  readonly kind: string
  readonly key: string
  readonly entry: Json
  readonly schemaVersion: unknown
  /** The owner that it states, or the name of its stack. Undefined if the template does not say it. */
  readonly owner: string | undefined
  /** Where it is in the app, such as `Films/Web`, or its logical ID. */
  readonly path: string
}

/**
 * Reads what the constructs of a synthesized stack ask for, with those of its nested stacks, as files of their owners would: one for each
 * owner. `owner` replaces the name of the stack.
 *
 * @throws CommandFailure that lists the values which only CloudFormation knows
 */
export const readStack = async (path: string, owner: string | undefined): Promise<readonly ConfigFile[]> => {
  const name = basename(path)
  const stack = await readManifest(path)
  const constructs = await readConstructs(path, stack)
  if (constructs.length === 0)
    throw new CommandFailure(`${name} has no construct of Latchkey that configures a service.`)
  const stackName = owner ?? stack.get('AWS::StackName')?.toLowerCase()
  const byOwner = groupBy(constructs, ({ owner: named = stackName }) => {
    if (named === undefined)
      throw new CommandFailure(`${name} does not say the name of its stack. Add --owner NAME.`)
    return named
  })
  return [...byOwner].map(([named, own]) => toFile(path, named, own))
}

const toFile = (path: string, owner: string, constructs: readonly Construct[]): ConfigFile => {
  const fields = [...groupBy(constructs, ({ kind }) => kind)].map(([kind, own]) => {
    const list = readOwn<string>(keyedLists, kind)
    return list === undefined
      ? { name: kind, value: own[0]?.entry, paths: own.map(({ path: place }) => [kind, place] as const) }
      : {
          name: list,
          value: Object.fromEntries(own.map(({ key, entry }) => [key, entry])),
          paths: own.map(({ key, path: place }) => [`${list}.${key}`, place] as const),
        }
  })
  const input: unknown = {
    schema_version: constructs[0]?.schemaVersion,
    owner,
    ...Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  }
  const paths = fields.flatMap((field) => field.paths)
  const placeOf = (field: string): string =>
    paths.find(([start]) => field === start || field.startsWith(`${start}.`))?.[1] ?? owner
  return readConfigDocument(input, { name: basename(path), placeOf, files: [path] })
}

/** Lists the constructs of a template in its order, which is that of the code. */
const readConstructs = async (path: string, stack: Known['stack']): Promise<readonly Construct[]> => {
  const name = basename(path)
  const template = await readJson(path)
  const resources = isPlainObject(template) ? template['Resources'] : undefined
  if (!isPlainObject(resources))
    throw new CommandFailure(`${name} is no template of CloudFormation: it has no Resources.`)
  const found = Object.entries(resources).flatMap(([id, resource]) => {
    const { Type, Properties, Metadata } = (resource ?? {}) as Readonly<Record<string, Json | undefined>>
    const place = String(Metadata?.['aws:cdk:path'] ?? id).replace(/\/Resource\/Default$/, '')
    const configuration = Properties?.['Configuration']
    return String(Type).startsWith('Custom::Latchkey') && configuration !== undefined
      ? [{ id, place, configuration }]
      : []
  })
  const texts = new Map(found.map(({ id, configuration }) => [id, configuration]))
  // One construct may name another one, which can come later.
  const keyOf = (id: string): string | undefined => {
    const configuration = texts.get(id)
    return configuration === undefined
      ? undefined
      : /"key":"([\w.-]+)"/.exec(toText(configuration, { stack, keyOf: () => undefined, unknown: [] }))?.[1]
  }
  const problems: string[] = []
  const constructs: Construct[] = []
  for (const { place, configuration } of found) {
    const unknown: string[] = []
    const text = toText(configuration, { stack, keyOf, unknown })
    if (unknown.length > 0) {
      problems.push(`${place} has ${unknown.join(' and ')}, which only CloudFormation knows.`)
      continue
    }
    const { kind, key, entry, schema_version: schemaVersion, owner, stack: root } = JSON.parse(text)
    const named = owner ?? (typeof root === 'string' ? root.toLowerCase() : undefined)
    constructs.push({ kind, key, entry, schemaVersion, owner: named, path: place })
  }
  if (problems.length > 0) throw createFailure(name, problems)
  const nested = Object.values(resources).flatMap((resource) => {
    const { Type, Metadata } = (resource ?? {}) as Readonly<Record<string, Json | undefined>>
    const file = Metadata?.['aws:asset:path']
    return String(Type) === 'AWS::CloudFormation::Stack' && typeof file === 'string' ? [file] : []
  })
  for (const file of nested) constructs.push(...(await readConstructs(join(dirname(path), file), stack)))
  return constructs
}

interface Known {
  /** The pseudo parameters of CloudFormation, as far as the app says them. */
  readonly stack: ReadonlyMap<string, string>
  /** The key of the construct with a logical ID. */
  readonly keyOf: (id: string) => string | undefined
  /** Receives what is not known. */
  readonly unknown: string[]
}

/** The text that CloudFormation would make of a property. A construct may name another one by its attribute `Key` or `ClientId`. */
const toText = (value: unknown, known: Known): string => {
  if (typeof value === 'string') return value
  if (isPlainObject(value)) {
    const { Ref: name, 'Fn::Join': joined, 'Fn::GetAtt': attribute } = value
    const pseudo = typeof name === 'string' ? known.stack.get(name) : undefined
    if (pseudo !== undefined) return pseudo
    if (Array.isArray(joined) && Array.isArray(joined[1]))
      return joined[1].map((part) => toText(part, known)).join(String(joined[0]))
    if (Array.isArray(attribute) && ['Key', 'ClientId'].includes(String(attribute[1]))) {
      const key = known.keyOf(String(attribute[0]))
      if (key !== undefined) return key
    }
  }
  known.unknown.push(JSON.stringify(value))
  return ''
}

/** What the manifest beside a template says about its stack: the name, and the account and the region if the app sets them. */
const readManifest = async (path: string): Promise<ReadonlyMap<string, string>> => {
  const manifest = await readJson(join(dirname(path), 'manifest.json')).catch(() => undefined)
  const artifacts = isPlainObject(manifest) ? manifest['artifacts'] : undefined
  for (const [id, artifact] of Object.entries(isPlainObject(artifacts) ? artifacts : {})) {
    const { properties, environment } = (artifact ?? {}) as {
      readonly properties?: Json
      readonly environment?: unknown
    }
    if (properties?.['templateFile'] !== basename(path)) continue
    const [, account, region] = /^aws:\/\/(\d{12})\/([a-z\d-]+)$/.exec(String(environment)) ?? []
    return new Map([
      ['AWS::StackName', String(properties['stackName'] ?? id)],
      ...(account === undefined ? [] : [['AWS::AccountId', account] as const]),
      ...(region === undefined || region === 'unknown-region' ? [] : [['AWS::Region', region] as const]),
    ])
  }
  return new Map()
}

const readJson = async (path: string): Promise<unknown> => {
  const name = basename(path)
  const file = await openFile(path, name)
  try {
    return JSON.parse(await file.readFile('utf8'))
  } catch {
    throw new CommandFailure(`${name} is not JSON.`)
  } finally {
    await file.close()
  }
}
