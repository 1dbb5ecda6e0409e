import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { listRepeatedKeys } from '../../lib/kernel/errors/json.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { type GivenBy, settingsOn } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import type { AuthServiceProps } from './auth-service-props.ts'
import { checkValue, findUnknownSettings } from './check-settings.ts'

const table = { ...stackSettings, ...serviceSettings }

/** The settings that keys of `config/<stage>.json` and of the CDK context (`cdk deploy -c key=value`) give. */
type Settings = GivenBy<typeof table, 'stack' | 'app'>
const known = settingsOn(table, 'stack', 'app')
export const contextKeys = Object.keys(known)
const ofConstruct = settingsOn(table, 'stack')

interface ReadSettings {
  readonly stackName: string
  /** The region of the stack, if a setting names it. */
  readonly region?: string
  readonly terminationProtection: boolean
  readonly props: AuthServiceProps
  /** What is wrong, as a sentence each. */
  readonly problems: readonly string[]
}

type Values = Readonly<Record<string, unknown>>

/** The CDK names its feature flags and lookups like `@aws-cdk/…` and `hosted-zone:…`. Its CLI stores two other keys. */
const isCdkKey = (key: string): boolean =>
  /[:/]/.test(key) || ['acknowledged-issue-numbers', 'cli-telemetry'].includes(key)

const defaultStackName = stackSettings.stackName.default ?? ''

/**
 * Reads the settings of the stack from the CDK context and from the file of the stage that the context names. The
 * context overrides the file.
 */
export const readSettings = (context: Values, configFolder: string): ReadSettings => {
  const given = Object.fromEntries(Object.entries(context).filter(([key]) => !isCdkKey(key)))
  const problems = [...findUnknown(Object.keys(given), contextKeys, 'the context')]
  const stage = readStage(given['stage'], configFolder, problems)
  const parsed = parseSettings({ ...stage, ...given }, problems)
  const { stackName = defaultStackName, region, terminationProtection = stage !== undefined } = parsed
  if (given['stage'] === undefined) requireStage(stackName, configFolder, problems)
  else if (stage && parsed.stackName === undefined)
    problems.push(
      `The stage needs a stackName, because two stages must not share a stack. A stack without a name so far is called ${defaultStackName}.`,
    )
  return {
    stackName,
    terminationProtection,
    props: pickProps(parsed),
    problems,
    ...omitUndefined({ region }),
  }
}

const findUnknown = (names: readonly string[], keys: readonly string[], place: string): readonly string[] =>
  findUnknownSettings(names, keys, {
    kind: `a setting of ${place}`,
    rest: 'All settings are in docs/reference/settings.md.',
  })

/** The settings that are props of the construct. Others are for the app. */
const pickProps = (settings: Settings): GivenBy<typeof table, 'stack'> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(ofConstruct, name)))

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
  const ofFile = contextKeys.filter((key) => key !== 'stage')
  problems.push(...findUnknown(Object.keys(values), ofFile, `config/${name}.json`))
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

/** Returns the valid settings, so that they are checked further and all problems are listed at once. */
const parseSettings = (values: Values, problems: string[]): Settings => {
  const checked = Object.entries(known)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, setting]) => [name, checkValue(name, setting, values[name])] as const)
  problems.push(...checked.flatMap(([, found]) => found.problems))
  return omitUndefined(Object.fromEntries(checked.map(([name, { value }]) => [name, value])))
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
