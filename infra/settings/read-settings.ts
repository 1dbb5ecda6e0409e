import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { listRepeatedKeys } from '../../lib/errors/repeated-keys.ts'
import { getErrorMessage } from '../../lib/util/error-message.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import type { FrontDoorSettings } from '../front-door/front-door-stacks.ts'
import { readFrontDoor } from '../front-door/read-front-door.ts'
import type { AuthServiceProps } from './auth-service-props.ts'
import { findDomainProblems, toDomainProps } from './check-domain.ts'
import { contextSettings } from './context-settings.ts'
import { type Settings, settingsSchema } from './settings-schema.ts'

export interface ReadSettings {
  readonly stackName: string
  /** The region of the stack, if a setting names it. */
  readonly region?: string
  readonly frontDoor?: FrontDoorSettings
  readonly props: AuthServiceProps
  /** What is wrong, as a sentence each. */
  readonly problems: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

/** The CDK names its feature flags and lookups like `@aws-cdk/…` and `hosted-zone:…`. Its CLI stores two other keys. */
const isCdkKey = (key: string): boolean =>
  /[:/]/.test(key) || ['acknowledged-issue-numbers', 'cli-telemetry'].includes(key)

const defaultStackName = 'Latchkey'

/**
 * Reads the settings of the stack from the CDK context and from the file of the stage that the context names. The
 * context overrides the file.
 */
export const readSettings = (context: Values, configFolder: string): ReadSettings => {
  const given = Object.fromEntries(Object.entries(context).filter(([key]) => !isCdkKey(key)))
  const known = Object.keys(contextSettings)
  const problems = findUnknownKeys(given, known, 'The context')
  const stage = readStage(given['stage'], configFolder, problems)
  const parsed = parseSettings({ ...stage, ...given }, problems)
  const {
    stackName = defaultStackName,
    domainName,
    certificateArn,
    hostedZoneId,
    hostedZoneName,
    ...rest
  } = parsed
  const { tableName, tableStreamArn, tableKeyArn, ...others } = rest
  const frontDoor = readFrontDoor(parsed, problems)
  if (given['stage'] === undefined) requireStage(stackName, configFolder, problems)
  else if (stage && parsed.stackName === undefined)
    problems.push(
      `The stage needs a stackName, because two stages must not share a stack. A stack without a name so far is called ${defaultStackName}.`,
    )
  const domainSettings = omitUndefined({ domainName, certificateArn, hostedZoneId, hostedZoneName })
  const domain = toDomainProps(domainSettings)
  if (!domain) problems.push(...findDomainProblems(domainSettings, undefined))
  if (!tableName !== !tableStreamArn)
    problems.push('tableName and tableStreamArn must be set together. The stack cannot turn the stream on.')
  if (tableKeyArn && !tableName) problems.push('tableKeyArn requires tableName.')
  const table =
    tableName && tableStreamArn
      ? omitUndefined({ name: tableName, streamArn: tableStreamArn, keyArn: tableKeyArn })
      : undefined
  const { region } = parsed
  const props = omitUndefined({ ...omitKeys(others, notProps), domain, table })
  return { stackName, props, problems, ...omitUndefined({ region, frontDoor }) }
}

/** Settings of the app instead of the construct. */
const notProps = [
  'stage',
  'region',
  'frontDoor',
  'frontDoorCertificateArn',
  'webAclArn',
  'requestsPerAddress',
  'priceClass',
  'originSecretVersion',
  'allowDirectRequests',
] as const satisfies readonly (keyof Settings)[]

const omitKeys = <Values extends object, Key extends keyof Values>(
  values: Values,
  keys: readonly Key[],
): Omit<Values, Key> => {
  const kept = { ...values }
  for (const key of keys) delete kept[key]
  return kept
}

const findUnknownKeys = (values: Values, known: readonly string[], where: string): string[] =>
  Object.keys(values)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const nearest = nearestName(key, known)
      const advice = nearest ? `Did you mean ${nearest}?` : `The settings are: ${known.join(', ')}.`
      return `${where} has the unknown setting "${key}". ${advice}`
    })

/** Reads the file of a stage. Adds what is wrong with it to `problems`. Undefined if there is no valid file. */
const readStage = (stage: unknown, folder: string, problems: string[]): Values | undefined => {
  if (stage === undefined) return undefined
  const stages = listStages(folder)
  const name = stages.find((existing) => existing === stage)
  if (name === undefined) {
    const list = stages.length > 0 ? `The stages are: ${stages.join(', ')}.` : 'There is no stage yet.'
    problems.push(`There is no file config/${stage}.json for the stage "${stage}". ${list}`)
    return undefined
  }
  const values = readStageFile(folder, name)
  if (typeof values === 'string') {
    problems.push(values)
    return undefined
  }
  const known = Object.keys(contextSettings).filter((key) => key !== 'stage')
  problems.push(...findUnknownKeys(values, known, `config/${name}.json`))
  return values
}

/** A stack that a file describes would lose its domain and all other settings without the file. */
const requireStage = (stackName: string, folder: string, problems: string[]): void => {
  for (const stage of listStages(folder)) {
    const values = readStageFile(folder, stage)
    if (typeof values !== 'string' && values['stackName'] === stackName)
      problems.push(`The stack ${stackName} has its settings in config/${stage}.json. Add -c stage=${stage}.`)
  }
}

const parseSettings = (values: Values, problems: string[]): Settings => {
  const { success, data, error } = settingsSchema.safeParse(values)
  if (success) return data
  const messages = new Map(error.issues.map(({ path, message }) => [String(path[0]), message]))
  problems.push(...[...messages].map(([name, message]) => `${name} ${message}.`))
  // The valid settings are checked further, so that all problems are listed at once.
  const valid = Object.entries(values).filter(([name]) => !messages.has(name))
  return settingsSchema.parse(Object.fromEntries(valid))
}

/** Names that differ in more characters are unlikely to be meant. */
const mostEdits = 3

/** Returns the known name that needs the fewest edits, ignoring case. Undefined if none is similar. */
const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const [best] = known
    .map((candidate) => ({ candidate, edits: countEdits(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return best && best.edits <= Math.min(mostEdits, name.length / 2) ? best.candidate : undefined
}

/** The Levenshtein distance: how many characters to insert, remove or replace. */
const countEdits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

const extension = '.json'
const fileSchema = z.record(z.string(), z.unknown())

/** The names of the stages: files such as `prod.json`, without the extension. */
const listStages = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(extension))
      .map((name) => name.slice(0, -extension.length))
      .sort()
  } catch {
    return []
  }
}

/** Reads the settings of a stage that `listStages` returned. Returns a sentence if the file is invalid. */
const readStageFile = (folder: string, stage: string): Readonly<Record<string, unknown>> | string => {
  const content = readFileSync(join(folder, stage + extension), 'utf8')
  try {
    const parsed = fileSchema.safeParse(JSON.parse(content))
    if (!parsed.success) return `config/${stage}.json must be a JSON object with settings.`
    const repeated = listRepeatedKeys(content)
    if (repeated.length > 0) return `config/${stage}.json repeats ${repeated.join(', ')}.`
    return parsed.data
  } catch (error) {
    return `config/${stage}.json is not valid JSON: ${getErrorMessage(error)}.`
  }
}
