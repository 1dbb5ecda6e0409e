import { holds } from '../../lib/kernel/table/evaluate-expressions.ts'
import type { Condition } from '../../lib/kernel/table/expressions.ts'
import type { Key } from '../../lib/kernel/table/keys/keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'

type Values = Readonly<Record<string, unknown>>

/** The members of a step or call that write an item or check one. */
interface SentFields {
  readonly Key?: Key
  readonly Item?: Item
  readonly ConditionExpression?: string
  readonly UpdateExpression?: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>
  readonly ExpressionAttributeValues?: Values
}

/** A step of a transaction as the table gets it. */
export interface SentStep extends SentFields {
  readonly kind: string
  readonly key: Key
}

/** Reads the steps of a transaction from the input of its call. */
export const readSteps = (transactItems: readonly object[]): readonly SentStep[] =>
  transactItems.flatMap((item) =>
    Object.entries(item).map(([kind, fields]) => readStep(kind, fields as SentFields)),
  )

/** Reads a call that writes one item as if it was a step. */
export const readStep = (kind: string, fields: SentFields): SentStep => {
  const { pk, sk } = fields.Key ?? fields.Item ?? { pk: '', sk: '' }
  return { ...fields, kind, key: { pk, sk } }
}

export const nameKey = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

/** Kinds of items whose next part of the key is one of few names, and not an ID. */
const namedKinds: readonly string[] = [
  partitions.rate,
  partitions.settings,
  partitions.counter,
  partitions.totals,
]

/** The kind of an item: its key without IDs. */
export const nameKind = ({ pk, sk }: Key): string => {
  const partition =
    Object.values(partitions)
      .filter((name) => (name.endsWith('#') ? pk.startsWith(name) : pk === name))
      .sort((a, b) => b.length - a.length)[0] ?? '?'
  const named = namedKinds.includes(partition) ? (pk.slice(partition.length).split('#')[0] ?? '') : ''
  const [first = '', ...rest] = sk.split('#')
  const start = /^[a-z][a-z-]*$/.test(first) ? first : '*'
  return `${partition}${named} ${start}${rest.length > 0 && start !== '*' ? '#' : ''}`
}

/** The parts of an expression that are paths: everything but values, operators and functions. */
const pathForm = /(?<![:#\w.])(?!(?:AND|OR|NOT|BETWEEN|IN)\b)[#a-z_]\w*(?:\.[#\w]+)*(?!\w*\s*\()/g

const namesOf = (step: SentStep, path: string): readonly string[] =>
  path.split('.').map((part) => step.ExpressionAttributeNames?.[part] ?? part)

const listPaths = (step: SentStep): readonly (readonly string[])[] =>
  [...(step.ConditionExpression ?? '').matchAll(pathForm)].map(([path]) => namesOf(step, path))

/** The condition without what `table.update` adds to each to recognize its own writes. */
const readOwnCondition = (step: SentStep): string => {
  const text = step.ConditionExpression ?? ''
  const [addition = '', path = ''] =
    /(?: AND )?\(attribute_not_exists\((#\w+)\) OR \1 <> :\w+\)$/.exec(text) ?? []
  return step.ExpressionAttributeNames?.[path] === 'attempt'
    ? text.slice(0, text.length - addition.length)
    : text
}

/** Shows what a condition asks for, without IDs and other values of this request. */
export const describeCondition = (step: SentStep): string => {
  const values = step.ExpressionAttributeValues ?? {}
  return readOwnCondition(step)
    .replaceAll(pathForm, (path) =>
      namesOf(step, path)
        .map((name) => (/^[a-z]+(?:[A-Z_][a-z]+)*$/.test(name) ? name : '*'))
        .join('.'),
    )
    .replaceAll(/:\w+/g, (name) => describeValue(values[name]))
}

const describeValue = (value: unknown): string => {
  if (typeof value === 'boolean' || value === null) return String(value)
  if (value instanceof Set) return 'set'
  return Array.isArray(value) ? 'list' : typeof value
}

const toCondition =
  (step: SentStep): Condition =>
  (x) =>
    (step.ConditionExpression ?? '')
      .replaceAll(/#\w+/g, (name) => x.path(step.ExpressionAttributeNames?.[name] ?? name))
      .replaceAll(/:\w+/g, (name) => x.value(step.ExpressionAttributeValues?.[name]))

/** How the other writer makes a condition false. */
export type Way = 'change' | 'removal'

/** Attributes that other items of a kind had, by their names. */
export type Samples = ReadonlyMap<string, unknown>

/**
 * The item that the other writer leaves, so that the condition of a step does not hold. `null` if it leaves none. Undefined if no
 * change of this way makes the condition false.
 */
export const falsify = (
  step: SentStep,
  item: Item | undefined,
  way: Way,
  samples: Samples,
): Item | null | undefined => {
  const condition = toCondition(step)
  const isFalse = (candidate: Item | undefined) => !holds(condition, candidate)
  if (way === 'removal') return item && isFalse(undefined) ? null : undefined
  const start = item ?? ({ ...Object.fromEntries(samples), ...step.Item, ...step.key } as Item)
  if (!item && isFalse(start)) return start
  const once = listChanges(step, start, samples)
  return once.find(isFalse) ?? once.flatMap((changed) => listChanges(step, changed, samples)).find(isFalse)
}

/** The attributes that nearly every change of a record increases. A plain change is tried before one that no code makes. */
const countedChanges = ['version', 'credentialEpoch']

/** The item with another value of one attribute that the condition names. */
const listChanges = (step: SentStep, item: Item, samples: Samples): readonly Item[] => {
  const own = step.ConditionExpression ?? ''
  const compared = Object.entries(step.ExpressionAttributeValues ?? {})
    .filter(([name]) => new RegExp(`${name}\\b`).test(own))
    .map(([, value]) => value)
  const orderOf = ([name = '']: readonly string[]) =>
    countedChanges.includes(name) ? 0 : typeof item[name] === 'number' ? 1 : 2
  return listPaths(step)
    .filter(([name]) => name !== 'pk' && name !== 'sk')
    .sort((a, b) => orderOf(a) - orderOf(b))
    .flatMap((names) =>
      listOtherValues(readAt(item, names), compared, readAssigned(step, names) ?? readAt(samples, names)).map(
        (value) => ({ ...replaceAt(item, names, value), ...step.key }) as Item,
      ),
    )
}

/** The value that the step itself gives an attribute: a second writer who does the same gives it such a value as well. */
const readAssigned = (step: SentStep, names: readonly string[]): unknown => {
  for (const [, path = '', value = ''] of (step.UpdateExpression ?? '').matchAll(/([#\w.]+) =? ?(:\w+)/g))
    if (namesOf(step, path).join('.') === names.join('.')) return step.ExpressionAttributeValues?.[value]
  return undefined
}

/** The attributes that a step gives its item. */
export const listAssigned = (step: SentStep): readonly (readonly [string, unknown])[] => [
  ...Object.entries(step.Item ?? {}),
  ...listUpdated(step),
]

const listUpdated = (step: SentStep): readonly (readonly [string, unknown])[] =>
  [...(step.UpdateExpression ?? '').matchAll(/([#\w.]+) =? ?(:\w+)/g)].flatMap(
    ([, path = '', value = '']) => {
      const names = namesOf(step, path)
      return names.length === 1 ? [[names[0] ?? '', step.ExpressionAttributeValues?.[value]] as const] : []
    },
  )

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Set)

const readAt = (item: Values | Samples, [first = '', ...names]: readonly string[]): unknown =>
  names.reduce<unknown>(
    (value, name) => (isMap(value) ? value[name] : undefined),
    item instanceof Map ? item.get(first) : (item as Values)[first],
  )

const replaceAt = (value: unknown, [name = '', ...rest]: readonly string[], next: unknown): Values => {
  const map = isMap(value) ? value : {}
  const changed = rest.length > 0 ? replaceAt(map[name], rest, next) : next
  const others = Object.entries(map).filter(([one]) => one !== name)
  return Object.fromEntries(changed === undefined ? others : [...others, [name, changed]])
}

/** Other values that an attribute can have: those nearest to the present one first. */
const listOtherValues = (
  value: unknown,
  compared: readonly unknown[],
  sample: unknown,
): readonly unknown[] => {
  const model = value instanceof Set ? [...value][0] : (value ?? sample)
  const alike = compared.filter((one) => typeof one === typeof model)
  const samples = sample === undefined ? [] : [sample]
  if (value === undefined) return [...samples, ...(samples.length > 0 ? alike : compared)]
  if (typeof value === 'number') return [value + 1, value - 1, ...alike, undefined]
  if (typeof value === 'boolean') return [!value, undefined]
  if (typeof value === 'string') return [...alike, `${value}x`, undefined]
  if (value instanceof Set) {
    const members = [...value]
    // The members of a set have one type.
    const added = [
      ...alike,
      ...members.map((member) => (typeof member === 'number' ? member + 1 : `${member}x`)),
    ]
    const withOthers = added.map((one) => new Set([...members, one]))
    const without = compared.map((one) => new Set(members.filter((member) => member !== one)))
    return [...withOthers, ...without.filter(({ size }) => size > 0), undefined]
  }
  return [undefined]
}
