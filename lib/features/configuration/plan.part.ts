import { createHash } from 'node:crypto'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import {
  type ManagedKind,
  type SettingsKind,
  settingsKinds,
  type ThingKind,
  thingKinds,
} from '../../kernel/contract/managed-kinds.ts'
import { type FieldError, invalidRequest } from '../../kernel/errors/errors.ts'
import { omitUndefined, readOwn } from '../../kernel/util/object-fields.ts'
import type { Services } from '../../services.ts'
import { type ConfigurationDocument, keyedLists, settingsLists, thingLists } from './document.models.ts'
import type { KindOfSettings, KindOfThing, Thing, Values } from './kind.part.ts'
import { createRunner, isThing, settings, things } from './kinds.part.ts'
import { idOfSettings, listManaged, type ManagedRecord, type Unlocked } from './managed.records.ts'
import { isWeaker, listStronger } from './weaker.ts'

export interface PlanOptions {
  /** Whether to delete what the owner manages and the document no longer has. */
  readonly prune: boolean
  /** The ID of the thing that the only entry let go of, and takes again. */
  readonly takesBack?: number | undefined
}

export type Action =
  /** The service does not have it. */
  | 'create'
  /** The service has it, and nobody manages it. */
  | 'adopt'
  | 'update'
  | 'delete'
  /** The owner manages it, the document no longer has it, and it stays. */
  | 'keep'
  | 'none'

/** A field before and after, as a document says it: with keys instead of IDs. */
export interface FieldChange {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** Whether applying a change does anything. */
export const isWork = ({ action }: Pick<PlannedChange, 'action'>): boolean =>
  action !== 'none' && action !== 'keep'

export interface PlannedChange {
  readonly kind: ManagedKind
  /** The key of the thing, or the kind of settings. */
  readonly key: string
  readonly action: Action
  readonly fields: readonly FieldChange[]
  /** Whether somebody or something can do more afterwards, or needs less for it. */
  readonly broadens: boolean
  /** Who let people change it since it was applied, and when. */
  readonly unlocked?: Unlocked | undefined
  /** What the document says, without what only steers how it is applied. Undefined for what it does not have. */
  readonly entry: Values | undefined
  /** What a policy has of its own instead of the defaults: see `ManagedRecord`. */
  readonly kept?: Values | undefined
  readonly record: ManagedRecord | undefined
  /** The ID of the thing that exists, or of settings. */
  readonly id: number | undefined
}

/** What keys stand for, in both directions. */
export interface Keys {
  readonly idOf: (kind: ThingKind, key: string) => number | undefined
  readonly keyOf: (kind: ThingKind, id: number) => string | undefined
}

/** The path of an entry in its document. */
export const pathOf = ({ kind, key }: Pick<PlannedChange, 'kind' | 'key'>): string => {
  const list = readOwn<string>(keyedLists, kind)
  return list === undefined ? kind : `${list}.${key}`
}

export const isKeyedSettings = (kind: SettingsKind): kind is keyof typeof settingsLists =>
  Object.hasOwn(settingsLists, kind)

/** The settings of a kind that a document has, by the kind or by the names of products. */
const listSettings = (
  document: ConfigurationDocument,
  kind: SettingsKind,
): readonly (readonly [key: string, entry: Values])[] => {
  if (isKeyedSettings(kind)) return Object.entries(document[settingsLists[kind]] ?? {})
  const entry = document[kind]
  return entry === undefined ? [] : [[kind, entry]]
}

/**
 * Compares a document with the service. Reads all keys in one query, and each thing that it names once.
 *
 * @throws AppError `invalid_request` that lists every entry which cannot be applied
 */
export const planChanges = async (
  services: Services,
  context: RequestContext,
  document: ConfigurationDocument,
  { prune, takesBack }: PlanOptions,
): Promise<readonly PlannedChange[]> => {
  const managed = await listManaged(services.table)
  const missing = new Set<string>()
  const keys = buildKeys(managed, document, { missing, prune })
  const errors: FieldError[] = [...listReferenceErrors(document, keys)]
  const changes: PlannedChange[] = []
  for (const kind of thingKinds) {
    const planned = await planThings({ services, document, managed, keys, takesBack }, kind)
    errors.push(...planned.errors)
    changes.push(...planned.changes)
    for (const { record, id } of planned.changes)
      if (record && id === undefined) missing.add(`${kind} ${record.id}`)
  }
  const runner = createRunner(services, context)
  for (const kind of settingsKinds)
    for (const [key, given] of listSettings(document, kind)) {
      const entry = readEntry(given)
      const wrong = settings[kind].check?.(services, entry.values, key) ?? []
      errors.push(
        ...wrong.map(({ field, message }) => ({
          field: `${pathOf({ kind, key })}${field && `.${field}`}`,
          message,
        })),
      )
      if (wrong.length > 0) continue
      const current = toDocumentValues(kind, await settings[kind].read(runner, key), keys)
      const planned = planSettings({ document, managed }, { kind, key }, entry, current)
      if ('message' in planned) errors.push(planned)
      else changes.push(planned)
      if (kind === 'user_attributes') errors.push(...listLostAttributes(given, current))
    }
  if (errors.length > 0) throw invalidRequest(errors)
  return [...changes, ...listLeftOut(managed, document, prune)]
}

interface Planning {
  readonly document: ConfigurationDocument
  readonly managed: readonly ManagedRecord[]
  readonly keys: Keys
}

interface Entry {
  readonly values: Values
  readonly adopts: boolean
}

const readEntry = ({ adopt = false, delete_values: _, ...values }: Values): Entry => ({
  values: omitUndefined(values),
  adopts: adopt === true,
})

/** Adds what an entry leaves out, also inside of objects such as `attribute_mapping`. */
const addDefaults = (defaults: Values, values: Values): Values => ({
  ...defaults,
  ...Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const standard = defaults[name]
      return [name, isObject(standard) && isObject(value) ? { ...standard, ...value } : value]
    }),
  ),
})

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const planThings = async (
  {
    services,
    document,
    managed,
    keys,
    takesBack,
  }: Planning & Pick<PlanOptions, 'takesBack'> & { readonly services: Services },
  kind: ThingKind,
): Promise<{ readonly changes: readonly PlannedChange[]; readonly errors: readonly FieldError[] }> => {
  const given = Object.entries(document[thingLists[kind]] ?? {}).map(([key, entry]) => {
    const record = managed.find((one) => one.kind === kind && one.key === key)
    return { key, record, ...readEntry(entry) }
  })
  const found = await readThings(services, things[kind], given, takesBack)
  const changes: PlannedChange[] = []
  const errors: FieldError[] = []
  for (const [at, { key, record, values, adopts }] of given.entries()) {
    const thing = found[at]
    const field = `${thingLists[kind]}.${key}`
    const holder = thing && managed.find((one) => one.kind === kind && one.id === thing.id && !one.deletedAt)
    const message = record
      ? findOwnerError(record, document)
      : findTakenError(things[kind], thing, holder, {
          adopts: adopts || (thing !== undefined && thing.id === takesBack),
        })
    if (message !== undefined) {
      errors.push({ field, message })
      continue
    }
    const before = thing && toDocumentValues(kind, thing.values, keys)
    const after = addDefaults(things[kind].defaults, values)
    const isApplied = wasApplied(record, values, thing?.values) && !refersToOther(kind, before, after)
    const differing = listFieldChanges(things[kind].fields, thing ? before : things[kind].defaults, after)
    const fields = isApplied ? [] : [...differing, ...listSecretChanges(things[kind], record, values)]
    const { fixed = [] } = things[kind]
    if (record && thing)
      for (const { name } of fields)
        if (fixed.includes(name)) errors.push({ field: `${field}.${name}`, message: newKeyNeeded })
    const action = thing ? (record ? chooseUpdate(record, fields) : 'adopt') : 'create'
    changes.push({
      ...{ kind, key, action, fields, record, entry: values, id: thing?.id },
      unlocked: record?.unlocked,
      broadens: listBroader(things[kind].rights, fields).length > 0,
    })
  }
  return { changes, errors }
}

const newKeyNeeded =
  'cannot be changed. Use a new key: in a file, a new name of the entry, and in a stack, also a new construct ID'

/** The thing of each entry: that of its key, or else the one that it takes back, or the one with its identity. */
const readThings = async (
  services: Services,
  kind: KindOfThing,
  given: readonly { readonly record: ManagedRecord | undefined; readonly values: Values }[],
  takesBack: number | undefined,
): Promise<readonly (Thing | undefined)[]> => {
  const ids = await Promise.all(
    given.map(({ record, values }) => record?.id ?? takesBack ?? kind.find(services, values)),
  )
  const known = ids.filter((id) => id !== undefined)
  const found = await kind.read(services, known)
  const byId = new Map(known.map((id, at) => [id, found[at]]))
  return ids.map((id) => (id === undefined ? undefined : byId.get(id)))
}

/** What was unlocked is locked again, also if nobody changed it. */
const chooseUpdate = ({ unlocked }: ManagedRecord, fields: readonly FieldChange[]): 'update' | 'none' =>
  fields.length > 0 || unlocked ? 'update' : 'none'

/** A secret cannot be compared. It is sent again when its entry changed. */
const listSecretChanges = (
  { secret }: KindOfThing,
  record: ManagedRecord | undefined,
  values: Values,
): readonly FieldChange[] =>
  secret === undefined || values[secret] === undefined || record?.given === hashValues(values)
    ? []
    : [{ name: secret, before: null, after: values[secret] }]

/** Whether this entry was applied last, and nobody changed what it led to since. */
const wasApplied = (
  record: ManagedRecord | undefined,
  values: Values,
  current: Values | undefined,
): boolean => record?.given === hashValues(values) && record.result === hashValues(current)

/** Whether a key stands for another thing than when it was applied, because that one was deleted. */
const refersToOther = (kind: ManagedKind, before: Values | undefined, after: Values): boolean =>
  listFieldChanges(Object.keys(kindOf(kind).references), before, after).length > 0

const transferHint = '. The command latchkey config transfer can give it to another owner'

const findOwnerError = (
  { owner, deletedAt }: ManagedRecord,
  document: ConfigurationDocument,
): string | undefined => {
  if (owner !== document.owner) return `belongs to ${owner}${transferHint}`
  return deletedAt === undefined ? undefined : 'was the key of something that was deleted. Use a new key'
}

const findTakenError = (
  { identity }: KindOfThing,
  thing: Thing | undefined,
  holder: ManagedRecord | undefined,
  { adopts }: { readonly adopts: boolean },
): string | undefined => {
  if (!thing) return undefined
  if (holder) return `has the ${identity} of ${holder.key}, which belongs to ${holder.owner}${transferHint}`
  return adopts
    ? undefined
    : `has the ${identity} of something that exists. Set \`adopt: true\` to manage it from here`
}

const planSettings = (
  { document, managed }: Pick<Planning, 'document' | 'managed'>,
  at: { readonly kind: SettingsKind; readonly key: string },
  { values, adopts }: Entry,
  current: Values,
): PlannedChange | FieldError => {
  const { kind, key } = at
  const record = managed.find((one) => one.kind === kind && one.key === key)
  const { defaults, fields: names, initial, weaker, summarize = (given) => given } = settings[kind]
  const kept = record ? record.kept : adopts ? listStronger(weaker, { current, defaults, given: values }) : {}
  const after = addDefaults({ ...defaults, ...kept }, summarize(values))
  const fields = listFieldChanges(names, current, after)
  const isApplied = wasApplied(record, values, current) && !refersToOther(kind, current, after)
  const isInitial = initial.some((one) => listFieldChanges(names, current, one).length === 0)
  const message = record
    ? findOwnerError(record, document)
    : adopts || fields.length === 0 || isInitial
      ? undefined
      : 'was set by somebody. Set `adopt: true` to manage it from here'
  if (message !== undefined) return { field: pathOf(at), message }
  const changed = isApplied ? [] : fields
  return {
    ...{ kind, key, record, entry: values, kept, id: idOfSettings(kind, key), fields: changed },
    unlocked: record?.unlocked,
    action: record ? chooseUpdate(record, changed) : 'adopt',
    broadens: changed.some(({ name, before, after: next }) =>
      isWeaker(weaker[name] ?? 'changed', before, next),
    ),
  }
}

/** An attribute that a document no longer has loses the values of all users, so that has to be said. */
const listLostAttributes = (entry: Values, current: Values): readonly FieldError[] => {
  const namesOf = (list: unknown) => (list as readonly { readonly name: string }[] | undefined) ?? []
  const kept = namesOf(entry['attributes']).map(({ name }) => name)
  const allowed = (entry['delete_values'] as readonly string[] | undefined) ?? []
  return namesOf(current['attributes']).flatMap(({ name }) =>
    kept.includes(name) || allowed.includes(name)
      ? []
      : [
          {
            field: 'user_attributes.attributes',
            message: `lacks ${name}, and the values of users would be deleted. Add it to delete_values if they can be`,
          },
        ],
  )
}

/** What the owner manages and the document no longer has. Settings are let go of, and stay as they are. */
const listLeftOut = (
  managed: readonly ManagedRecord[],
  document: ConfigurationDocument,
  prune: boolean,
): readonly PlannedChange[] =>
  managed
    .filter(({ owner, deletedAt }) => owner === document.owner && deletedAt === undefined)
    .filter(({ kind, key }) =>
      isThing(kind)
        ? !Object.hasOwn(document[thingLists[kind]] ?? {}, key)
        : !listSettings(document, kind).some(([given]) => given === key),
    )
    .toSorted((a, b) => orderOf(b) - orderOf(a))
    .map((record) => ({
      ...{ kind: record.kind, key: record.key, record, id: record.id, fields: [], broadens: false },
      entry: undefined,
      // What a resource of a stack asks for is deleted with it.
      action: prune && !isClaimed(record) ? 'delete' : 'keep',
    }))

const isClaimed = ({ claims = [] }: ManagedRecord): boolean => claims.length > 0

/** Things are deleted before those that they refer to. */
const orderOf = ({ kind }: ManagedRecord): number => (isThing(kind) ? thingKinds.indexOf(kind) : 9)

/**
 * Nothing can refer to what is deleted with `prune`. `missing` are the things with a key that somebody deleted, as far as they are known
 * by now.
 */
const buildKeys = (
  managed: readonly ManagedRecord[],
  document: ConfigurationDocument,
  { missing, prune }: PlanOptions & { readonly missing: ReadonlySet<string> },
): Keys => {
  const present = managed.filter(({ deletedAt }) => deletedAt === undefined)
  const find = (test: (record: ManagedRecord) => boolean) => present.find(test)
  return {
    idOf: (kind, key) => {
      const isGiven = Object.hasOwn(document[thingLists[kind]] ?? {}, key)
      const record = find((one) => one.kind === kind && one.key === key)
      const stays = !prune || record?.owner !== document.owner || (record !== undefined && isClaimed(record))
      if (record && (isGiven || stays)) return record.id
      return isGiven ? 0 : undefined
    },
    keyOf: (kind, id) =>
      missing.has(`${kind} ${id}`) ? undefined : find((one) => one.kind === kind && one.id === id)?.key,
  }
}

const listReferenceErrors = (document: ConfigurationDocument, keys: Keys): readonly FieldError[] => {
  const errorsOf = (kind: ManagedKind, path: string, entry: Values): readonly FieldError[] =>
    Object.entries(kindOf(kind).references).flatMap(([field, target]) =>
      listReferences(entry[field]).flatMap(({ key, at }) =>
        keys.idOf(target, key) === undefined
          ? [
              {
                field: `${path}.${field}${at === undefined ? '' : `.${at}`}`,
                message: `must be the key of one of the ${thingLists[target]} of this document, or of another one`,
              },
            ]
          : [],
      ),
    )
  return [
    ...thingKinds.flatMap((kind) =>
      Object.entries(document[thingLists[kind]] ?? {}).flatMap(([key, entry]) =>
        errorsOf(kind, `${thingLists[kind]}.${key}`, entry),
      ),
    ),
    ...settingsKinds.flatMap((kind) =>
      listSettings(document, kind).flatMap(([key, entry]) => errorsOf(kind, pathOf({ kind, key }), entry)),
    ),
  ]
}

const listReferences = (value: unknown): readonly { readonly key: string; readonly at?: number }[] => {
  if (Array.isArray(value)) return value.map((key, at) => ({ key: String(key), at }))
  return typeof value === 'string' ? [{ key: value }] : []
}

export const kindOf = (kind: ManagedKind): KindOfThing | KindOfSettings =>
  isThing(kind) ? things[kind] : settings[kind]

/** Replaces the keys of an entry by IDs, and adds what it leaves out: what was kept, or the defaults. */
export const toValues = (
  kind: ManagedKind,
  { entry, kept }: { readonly entry: Values; readonly kept?: Values | undefined },
  idOf: Keys['idOf'],
): Values =>
  replaceReferences(kind, addDefaults({ ...kindOf(kind).defaults, ...kept }, entry), (target, value) =>
    typeof value === 'string' ? idOf(target, value) : value,
  )

/** Replaces the IDs of values by keys. An ID without a key stays a number. */
export const toDocumentValues = (kind: ManagedKind, values: Values, { keyOf }: Pick<Keys, 'keyOf'>): Values =>
  replaceReferences(kind, values, (target, value) =>
    typeof value === 'number' ? (keyOf(target, value) ?? value) : value,
  )

/** Replaces what refers to things, also in lists. */
const replaceReferences = (
  kind: ManagedKind,
  values: Values,
  replace: (target: ThingKind, value: unknown) => unknown,
): Values => {
  const { references } = kindOf(kind)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const target = readOwn(references, name)
      if (target === undefined) return [name, value]
      return [name, Array.isArray(value) ? value.map((one) => replace(target, one)) : replace(target, value)]
    }),
  )
}

const listFieldChanges = (
  names: readonly string[],
  before: Values | undefined,
  after: Values,
): readonly FieldChange[] =>
  names
    .map((name) => ({ name, before: before?.[name], after: after[name] }))
    .filter((field) => toComparable(field.before) !== toComparable(field.after))

/** The order of texts and numbers in lists means nothing, and null is the same as nothing. */
const toComparable = (value: unknown): string =>
  JSON.stringify(sortDeep(value, { ignoresOrder: true })) ?? 'null'

const sortDeep = (value: unknown, options: { readonly ignoresOrder: boolean }): unknown => {
  const { ignoresOrder } = options
  if (Array.isArray(value)) {
    const items = value.map((item) => sortDeep(item, options))
    const isPlain = items.every((item) => typeof item !== 'object')
    return ignoresOrder && isPlain ? items.toSorted() : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined && !(ignoresOrder && part === null))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, part]) => [name, sortDeep(part, options)]),
  )
}

/** Identifies values. The order of fields has no meaning. */
export const hashValues = (values: Values | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify(sortDeep(values, { ignoresOrder: false })) ?? '')
    .digest('base64url')

/** The fields by which somebody or something can do more. */
const listBroader = (rights: readonly string[], fields: readonly FieldChange[]): readonly FieldChange[] =>
  fields.filter(({ name, before, after }) => {
    if (!rights.includes(name)) return false
    if (!Array.isArray(after)) return after !== null && after !== undefined && after !== false
    const had = (Array.isArray(before) ? before : []).map(toComparable)
    return after.some((item) => !had.includes(toComparable(item)))
  })
