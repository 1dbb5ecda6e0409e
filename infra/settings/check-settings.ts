import { Token } from 'aws-cdk-lib'
import { isPlainObject } from '../../lib/kernel/options/check-options.ts'
import { findNearestName } from '../../lib/kernel/options/nearest-name.ts'
import { type Fields, isObjectSchema, type ObjectSchema } from '../../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { type AnySetting, checkSetting, Problem, settingsOn } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

const table = settingsOn({ ...stackSettings, ...serviceSettings }, 'stack')

/** Names such as `domain` and `domain.hostedZone.id`. */
const listPaths = (fields: Fields, prefix = ''): readonly string[] =>
  Object.entries(fields).flatMap(([name, { schema }]) => {
    const path = `${prefix}${name}`
    return [path, ...(isObjectSchema(schema) ? listPaths(schema.fields, `${path}.`) : [])]
  })

/** The names of all settings that files of stages and the construct share, also of their fields. */
export const settingPaths = listPaths(table)

/** Names that mean little without the object that has them, and that no one would give to a setting. */
const general = ['name', 'id']

/** What somebody may call a field: `domainHostedZoneId` or `hostedZoneId` for `domain.hostedZone.id`. */
const listAliases = (path: string): readonly string[] => {
  const parts = path.split('.')
  return parts
    .map((_, at) => parts.slice(at))
    .filter(([first = '', ...more]) => more.length > 0 || !general.includes(first))
    .map((words) =>
      words.map((word, at) => (at ? word.charAt(0).toUpperCase() + word.slice(1) : word)).join(''),
    )
}

const aliases = settingPaths.flatMap((path) => listAliases(path).map((alias) => ({ alias, path })))

const findPaths = (name: string | undefined): readonly string[] =>
  name === undefined
    ? []
    : aliases.filter(({ alias }) => alias.toLowerCase() === name.toLowerCase()).map(({ path }) => path)

/** Lists the names that are not known, each with what was probably meant. `rest` says where all of them are listed. */
export const findUnknownSettings = (
  names: readonly string[],
  known: readonly string[],
  { kind, rest }: { readonly kind: string; readonly rest: string },
): readonly string[] =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const field = settingPaths.find((path) => isField(path) && path.toLowerCase() === name.toLowerCase())
      if (field !== undefined) return `"${name}" is not ${kind}. ${describeField(field)}`
      const [exact, nearest] = [findPaths(name), findNearestName(name, known)]
      const others = findPaths(
        findNearestName(
          name,
          aliases.map(({ alias }) => alias),
        ),
      )
      const meant = exact.length > 0 ? exact : nearest === undefined ? others : [nearest]
      return `"${name}" is not ${kind}. ${meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : rest}`
    })

const isField = (path: string): boolean => path.includes('.')

/** How to write a field that was given by its path. */
const describeField = (path: string): string => {
  const [name, ...fields] = path.split('.')
  const object = fields.reduceRight((inner, field) => `{"${field}":${inner}}`, '…')
  return `It is a field of an object: give ${name} as ${object}, with the other fields that it has.`
}

interface Checked {
  /** What was given, with its types. Undefined if there is a problem. */
  readonly value: unknown
  readonly problems: readonly string[]
}

const problem = (text: string): Checked => ({ value: undefined, problems: [text] })

/** Checks the value of a setting, which may be an object. Values that are only known during the deployment are valid. */
export const checkValue = (path: string, setting: AnySetting, given: unknown): Checked => {
  if (given === undefined) return problem(`${path} is undefined. Set it, or leave it out.`)
  if (Token.isUnresolved(given)) return { value: given, problems: [] }
  if (isObjectSchema(setting.schema)) return checkObject(path, setting.schema, given)
  const value = checkSetting(setting, given)
  return value instanceof Problem ? problem(`${path} ${value.text}.`) : { value, problems: [] }
}

const checkObject = (path: string, schema: ObjectSchema<unknown>, given: unknown): Checked => {
  if (schema.canBeFlag && (given === false || given === 'false')) return { value: undefined, problems: [] }
  if (schema.canBeFlag && (given === true || given === 'true')) return { value: {}, problems: [] }
  const object = typeof given === 'string' ? parseObject(given) : given
  if (!isPlainObject(object)) return problem(`${path} ${schema.rule}.`)
  const { fields, required } = schema
  const known = Object.keys(fields)
  const checked = Object.entries(fields)
    .filter(([name]) => Object.hasOwn(object, name))
    .map(([name, field]) => [name, checkValue(`${path}.${name}`, field, object[name])] as const)
  const problems = [
    ...findUnknownSettings(Object.keys(object), known, {
      kind: `a field of ${path}`,
      rest: `Known are: ${known.join(', ')}.`,
    }),
    ...required
      .filter((name) => !Object.hasOwn(object, name))
      .map((name) => `${path} requires ${path}.${name}.`),
    ...checked.flatMap(([, { problems }]) => problems),
  ]
  if (problems.length > 0) return { value: undefined, problems }
  return { value: Object.fromEntries(checked.map(([name, { value }]) => [name, value])), problems }
}

/** The context of the command line has texts only. */
const parseObject = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
