import { readFileSync } from 'node:fs'
import { localSettings } from '../../lib/kernel/settings/local-settings.ts'
import * as objectSettings from '../../lib/kernel/settings/object-settings.ts'
import { isObjectSchema } from '../../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { type AnySetting, settingsOn, toVariable, variableOf } from '../../lib/kernel/settings/setting.ts'
import { readComments, readSettingTexts } from '../../lib/kernel/settings/setting-texts.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { code, markdownTable, page } from './operations-page.ts'

type Table = Readonly<Record<string, AnySetting>>

export const settingsPage = (): string =>
  page(
    'Settings',
    '[Configuration](../configuration.md) explains how to set them.',
    `A deployment has them as keys of \`config/<stage>.json\`, or of the CDK context as \`-c key=value\`. In the file, lists and numbers may be JSON values. In a stack of your own, the same names are props of \`new AuthService(scope, id, props)\` of \`@latchkey/construct\`, except where a table says otherwise. \`domain.name\` is the field \`name\` of the object \`domain\`. On the command line, write objects as JSON: \`-c domain='{"name":"auth.example.com","certificateArn":"…"}'\`. An object of the context replaces that of the file. Local mode has them as environment variables of \`npm start\`. Lists have commas between their entries there.`,
    '## Service',
    serviceTable(settingsOn(serviceSettings, 'stack')),
    '## Local mode',
    'Environment variables that only local mode has.',
    localTable({ ...localSettings, ...onlyOnLocal(serviceSettings) }),
    '## Deployment',
    'Settings that only a deployment has. A prop is one of the construct, too.',
    stackTable(stackSettings),
    '## Construct',
    'Props that only the construct has. All are optional.',
    markdownTable(
      ['prop', 'type', 'meaning'],
      constructProps().map(({ name, type, description }) => [code(name), code(type), description]),
    ),
  )

const texts = new Map(
  [
    ['service-settings', serviceSettings] as const,
    ['stack-settings', stackSettings] as const,
    ['local-settings', localSettings] as const,
  ].flatMap(([file, table]) => [...readSettingTexts(file, Object.keys(table))]),
)

/** The settings of a table that only local mode has. */
const onlyOnLocal = (table: Table): Table =>
  Object.fromEntries(
    Object.entries(settingsOn(table, 'local')).filter(
      ([, { on }]) => !on.includes('stack') && !on.includes('app'),
    ),
  )

const serviceTable = (table: Table): string =>
  markdownTable(
    ['key and prop', 'in local mode', 'value', 'default', 'meaning'],
    Object.entries(table).map(([name, setting]) => [
      code(name),
      code(variableOf(name, setting)),
      describeType(setting),
      describeDefault(setting),
      texts.get(name) ?? '',
    ]),
  )

const localTable = (table: Table): string =>
  markdownTable(
    ['variable', 'value', 'default', 'meaning'],
    Object.entries(table).map(([name, setting]) => [
      code(variableOf(name, setting)),
      describeType(setting),
      describeDefault(setting),
      texts.get(name) ?? '',
    ]),
  )

const stackTable = (table: Table): string =>
  markdownTable(
    ['key', 'prop', 'value', 'default', 'meaning'],
    listRows(table).map(({ path, setting, text }) => [
      code(path),
      setting.on.includes('stack') ? 'yes' : 'no',
      describeType(setting),
      describeDefault(setting),
      text,
    ]),
  )

interface Row {
  readonly path: string
  readonly setting: AnySetting
  readonly text: string
}

/** Settings with the fields of those that are objects. */
const listRows = (
  table: Table,
  prefix = '',
  tableTexts: ReadonlyMap<string, string> = texts,
): readonly Row[] =>
  Object.entries(table).flatMap(([name, setting]) => {
    const { schema } = setting
    const row = { path: `${prefix}${name}`, setting, text: tableTexts.get(name) ?? '' }
    if (!isObjectSchema(schema)) return [row]
    const [exported = ''] =
      Object.entries(objectSettings).find(([, fields]) => fields === schema.fields) ?? []
    const ofFields = readSettingTexts('object-settings', Object.keys(schema.fields), exported)
    return [row, ...listRows(schema.fields, `${row.path}.`, ofFields)]
  })

const describeType = ({ schema }: AnySetting): string => {
  const { kind, rule } = schema
  if (isObjectSchema(schema)) return schema.canBeFlag ? 'true, false, or an object' : 'object'
  if (kind === 'text' || kind === 'list') return kind
  const values = rule.replace(/^must be (?:a |one of )?/, '')
  return kind === 'choice' ? values.split(', ').map(code).join(', ') : values
}

const describeDefault = ({ default: own, localDefault }: AnySetting): string => {
  const text = own === undefined ? '' : toVariable(own)
  const shown = text === '' ? '–' : code(text)
  return localDefault === undefined ? shown : `${shown}, in local mode ${code(toVariable(localDefault))}`
}

const propsFile = new URL('../../infra/settings/auth-service-props.ts', import.meta.url)

/**
 * The props that are no settings, read from their comments.
 *
 * @throws Error if a prop has no comment
 */
const constructProps = () => {
  const body = /export interface AuthServiceProps\n([\s\S]*?)\n\}/.exec(readFileSync(propsFile, 'utf8'))?.[1]
  const declared = [...(body ?? '').matchAll(/^ {2}readonly (\w+)\?: (.*)/gm)]
  if (declared.length === 0) throw new Error('AuthServiceProps has no props')
  const comments = readComments(propsFile, 'type')
  return declared.map(([, name = '', type = '']) => {
    const description = comments.get(name)
    if (description === undefined) throw new Error(`AuthServiceProps has no comment for ${name}`)
    return { name, type, description }
  })
}
