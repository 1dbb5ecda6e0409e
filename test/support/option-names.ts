import { globSync, readFileSync } from 'node:fs'
import {
  adoptedTableSettings,
  domainSettings,
  frontDoorSettings,
  hooksSettings,
  signInHookSettings,
  signUpHookSettings,
  tokenHookSettings,
} from '../../lib/kernel/settings/object-settings.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { settingsOn } from '../../lib/kernel/settings/setting.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'

/* The options of the packages, as their types in the sources name them. */

const sources = globSync([
  ...[
    'lib/client/*.ts',
    'lib/middleware/*.ts',
    'lib/hooks/*.ts',
    'lib/kernel/settings/*.ts',
    'infra/**/*.ts',
  ],
]).map((file) => readFileSync(file, 'utf8'))

const settingTables = {
  ...{ serviceSettings, stackSettings },
  ...{ adoptedTableSettings, domainSettings, frontDoorSettings },
  ...{ hooksSettings, signUpHookSettings, signInHookSettings, tokenHookSettings },
}

/** Names in quotes, as in `Pick<Options, 'one' | 'other'>`. */
const readQuoted = (text: string): string[] => [...text.matchAll(/'(\w+)'/g)].map(([, name = '']) => name)

/** The names of a type after `extends`. */
const listInherited = (extended: string): string[] => {
  const [, kind, inner = '', given = ''] = /^(\w+)<(?:typeof )?(\w+)(.*)>$/s.exec(extended) ?? []
  if (kind === undefined) return listOptionNames(extended)
  if (kind === 'Pick') return readQuoted(given.slice(given.lastIndexOf('>') + 1))
  if (kind === 'Omit') return listOptionNames(inner).filter((name) => !readQuoted(given).includes(name))
  if (kind !== 'GivenBy' || !Object.hasOwn(settingTables, inner)) throw new Error(`What is ${extended}?`)
  return Object.keys(settingsOn(settingTables[inner as keyof typeof settingTables], 'stack'))
}

/** Splits `A, Pick<B, 'c'>` at the commas outside of angle brackets. */
const splitTypes = (text: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const letter of text) {
    if (letter === '<') depth++
    if (letter === '>') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${letter}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The names of all options of an interface, with those that it inherits. */
export const listOptionNames = (type: string): string[] => {
  const pattern = new RegExp(`\\binterface ${type}\\s*(?:extends ([^{]*?)\\s*)?\\{\\n?(.*?)\\n?\\}`, 's')
  const found = sources.flatMap((source) => pattern.exec(source) ?? [])
  const [, inherited, body] = found
  if (body === undefined) throw new Error(`There is no interface ${type}.`)
  const own = [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name = '']) => name)
  return [...new Set([...(inherited ? splitTypes(inherited).flatMap(listInherited) : []), ...own])]
}

/** The interfaces of options that the entry of a package exports. */
export const listOptionTypes = (entry: string): string[] => {
  const kinds = /(?:Options|Requirement|Props|Settings|Attributes|AdoptedTable|IntrospectionClient)$/
  const exported = [...readFileSync(entry, 'utf8').matchAll(/export (?:type )?\{([^}]*)\}/g)]
  return exported
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.replace('type ', '').trim())
    .filter((name) => kinds.test(name))
}

/** Wrong spellings of a name: another letter, a missing one, a plural, and other cases. */
const misspell = (name: string): string[] => [
  `${name.slice(0, 1)}x${name.slice(2)}`,
  name.slice(0, -1),
  `${name}s`,
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  name.charAt(0).toUpperCase() + name.slice(1),
]

/** Names that each object has, or that change what it inherits. */
const builtIn = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']

/** Names that look like options, and are none. */
export const listNearMisses = (names: readonly string[]): string[] => [
  ...new Set([...names.flatMap(misspell), ...builtIn].filter((name) => !names.includes(name))),
]

/** An object with one more field of its own, also if its name is `__proto__`. */
export const withField = (given: object, name: string, value: unknown): object =>
  Object.defineProperty({ ...given }, name, { value, enumerable: true, configurable: true, writable: true })
