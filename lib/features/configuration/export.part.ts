import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { settingsKinds, type ThingKind, thingKinds } from '../../kernel/contract/managed-kinds.ts'
import type { Services } from '../../services.ts'
import { type ConfigurationDocument, documentVersion, settingsLists, thingLists } from './document.models.ts'
import type { Values } from './kind.part.ts'
import { createRunner, settings, things } from './kinds.part.ts'
import { listManaged } from './managed.records.ts'
import { hashValues, isKeyedSettings, toDocumentValues } from './plan.part.ts'
import { readDocument } from './read-document.ts'

/**
 * Writes all that a service has into a document. What has no key yet gets one from its name. Fields with their default are left
 * out. Secrets are in no document.
 */
export const exportDocument = async (
  services: Services,
  context: RequestContext,
  owner: string,
): Promise<ConfigurationDocument> => {
  const managed = await listManaged(services.table)
  const keys = new Map<string, string>()
  const lists: Record<string, Record<string, Values>> = {}
  for (const kind of thingKinds) {
    // A key that something deleted had is taken as well.
    const taken = new Set(managed.filter((one) => one.kind === kind).map(({ key }) => key))
    const list: Record<string, Values> = {}
    for await (const { id, name, values } of things[kind].list(services)) {
      const known = managed.find((one) => one.kind === kind && one.id === id && one.deletedAt === undefined)
      const key = known?.key ?? chooseKey(name, taken)
      taken.add(key)
      keys.set(`${kind} ${id}`, key)
      const shown = toDocumentValues(kind, values, { keyOf: findKey(keys) })
      const { secret, defaults, references } = things[kind]
      list[key] = {
        ...omitDefaults(dropUnknownReferences(shown, references), defaults),
        ...(secret !== undefined && needsSecret(values) && { [secret]: { env: nameSecret(key, secret) } }),
      }
    }
    if (Object.keys(list).length > 0) lists[thingLists[kind]] = list
  }
  const runner = createRunner(services, context)
  for (const kind of settingsKinds) {
    const { listKeys, defaults, references, read, toEntry } = settings[kind]
    const list: [string, Values][] = []
    for (const key of listKeys?.(services) ?? [kind]) {
      const current = toDocumentValues(kind, await read(runner, key), { keyOf: findKey(keys) })
      const complete = (await toEntry?.(services, current)) ?? current
      const given = omitDefaults(dropUnknownReferences(complete, references), defaults)
      // The only field that a policy for sign-up must have.
      const entry = kind === 'sign_up_policy' ? { mode: current['mode'], ...given } : given
      if (Object.keys(given).length > 0) list.push([key, entry])
    }
    if (isKeyedSettings(kind) && list.length > 0) lists[settingsLists[kind]] = Object.fromEntries(list)
    else Object.assign(lists, Object.fromEntries(list))
  }
  return readDocument({ schema_version: documentVersion, owner, ...lists })
}

/** With `private_key_jwt`, the service makes a key of its own. */
const needsSecret = ({ token_endpoint_auth_method: method }: Values): boolean => method !== 'private_key_jwt'

/** The environment variable that has a secret when the document is applied: `ACME_CLIENT_SECRET`. */
const nameSecret = (key: string, field: string): string =>
  `${key}_${field}`.replaceAll('-', '_').toUpperCase()

const findKey =
  (keys: ReadonlyMap<string, string>) =>
  (kind: ThingKind, id: number): string | undefined =>
    keys.get(`${kind} ${id}`)

/** Things may still have the IDs of groups that were deleted, which have no key. */
const dropUnknownReferences = (values: Values, references: Readonly<Record<string, ThingKind>>): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!Object.hasOwn(references, name)) return [name, value]
      if (Array.isArray(value)) return [name, value.filter((item) => typeof item === 'string')]
      return [name, typeof value === 'number' ? null : value]
    }),
  )

const omitDefaults = (values: Values, defaults: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) =>
        value !== undefined && hashValues({ value }) !== hashValues({ value: defaults[name] ?? null }),
    ),
  )

/** The name in the form of a key, with a number if the key is taken. */
const chooseKey = (name: string, taken: ReadonlySet<string>): string => {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '')
  const base = letters === '' ? 'thing' : letters
  const free = (count: number): string => {
    const key = count === 1 ? base : `${base}-${count}`
    return taken.has(key) ? free(count + 1) : key
  }
  return free(1)
}
