import { isDeepStrictEqual } from 'node:util'
import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { DescribedChanges } from '../../kernel/contract/field-changes.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { type Change, describeChanges } from './describe-changes.ts'
import { buildPersonalValues } from './personal-values.records.ts'
import { type AuditDetails, auditStep } from './write-event.ts'

interface ChangeDetails extends Omit<AuditDetails, 'changes' | 'changesOmitted' | 'valuesHash'> {
  /** What changed besides the user, such as the ID of a group. The names of the fields follow it in the target. */
  readonly of?: string | number
  readonly change: Change
}

/**
 * Builds the steps of an event about changed fields, for the transaction that makes the change. The event names the fields, and has of
 * their values what the declarations of the fields allow.
 *
 * @example
 * changeSteps(context, 'group.changed', { of: group.id, change: { fields: groupFields, before: group, after: changes } })
 */
export const changeSteps = (
  context: RequestContext,
  event: AuditEventName,
  { of, change, target, ...details }: ChangeDetails,
): readonly Step[] => {
  const described = describeChanges(change)
  const named = [...(of === undefined ? [] : [of]), ...described.names].join(' ').slice(0, targetLength)
  const { hash, steps } = buildValues(context, described, details.user ?? null)
  const facts = { ...details, target: target === undefined ? named : target, ...toFacts(described), ...hash }
  return [auditStep(context, event, facts), ...steps]
}

/** The longest target that lists fields. */
const targetLength = 1023

/** What an event with a target of its own says about changed fields. Of the values of a person, it says nothing. */
export const describeFacts = (change: Change): Facts => toFacts(describeChanges(change))

/** What changed, for an event that has facts of its own as well. */
export type Facts = Pick<AuditDetails, 'changes' | 'changesOmitted'>

const toFacts = ({ changes, omitted }: DescribedChanges): Facts => ({
  ...(changes.length > 0 && { changes }),
  ...(omitted !== undefined && { changesOmitted: omitted }),
})

/**
 * What an event says about the fields of a new thing, if their values may stand in events. Before, it had what a new one has that nobody
 * set anything for.
 */
export const describeNew = (change: Change): Facts => {
  const isShown = (name: string) => change.fields[name]?.inEvents === 'value'
  const described = describeChanges(change)
  const changes = described.changes.filter(
    ({ field }) => isShown(field) || isShown(field.split('.')[0] ?? ''),
  )
  return toFacts({ ...described, changes })
}

type Entries = readonly (readonly [name: string, value: object])[]

/**
 * Compares two lists of settings that have names, such as roles. Their values may stand in events. If only the order differs, that is the
 * change.
 */
export const compareEntries = (before: Entries, after: Entries): Change => {
  const [old, fresh] = [new Map(before), new Map(after)]
  const names = [...new Set([...old.keys(), ...fresh.keys()])]
  const byName = names.filter((name) => !isDeepStrictEqual(old.get(name), fresh.get(name)))
  const isInOrder = isDeepStrictEqual([...old.keys()], [...fresh.keys()])
  if (byName.length === 0 && !isInOrder)
    return { fields: { order: {} }, before: { order: [...old.keys()] }, after: { order: [...fresh.keys()] } }
  const show = (values: ReadonlyMap<string, object>) =>
    Object.fromEntries(byName.map((name) => [name, values.get(name) ?? null]))
  const fields = Object.fromEntries(byName.map((name) => [name, { inEvents: 'value' as const }]))
  return { fields, before: show(old), after: show(fresh) }
}

/** Builds the step for the values that must not stand in an event, and their hash. */
const buildValues = (context: RequestContext, { personal }: DescribedChanges, user: number | null) => {
  // Without a user, the values would belong to nobody with whom they could be erased.
  if (user === null || Object.keys(personal).length === 0) return { hash: {}, steps: [] }
  const { hash, step } = buildPersonalValues(user, personal, context.at)
  return { hash: { valuesHash: hash }, steps: [step] }
}
