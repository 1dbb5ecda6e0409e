import { isDeepStrictEqual } from 'node:util'
import { ifUnchangedHeader } from '../../client/if-unchanged-header.ts'
import type { AuditedFields } from '../../kernel/contract/field-changes.ts'
import { AppError, invalidRequest } from '../../kernel/errors/errors.ts'
import type { RequestContext } from '../callers/request-context.ts'
import { toWire } from './describe-changes.ts'

/** A thing as it was read, before a change. */
interface State {
  /** The fields that can be named, all of which the caller may see. */
  readonly comparable: readonly string[]
  readonly before: object
}

/**
 * Checks that fields still have the values that a request depends on. Call it after the thing was read, and write under the condition that
 * it is still the same. Lists are compared without their order.
 *
 * @throws AppError `invalid_request` for a field that cannot be named, and `conflict` with the reason `changed_since`
 *
 * @example
 * requireUnchanged(context, { comparable: listValueFields(groupFields), before: group })
 */
export const requireUnchanged = ({ ifUnchanged }: RequestContext, { comparable, before }: State): void => {
  if (!ifUnchanged) return
  const values = toWire(before)
  const names = Object.keys(ifUnchanged)
  const unknown = names.filter((name) => !comparable.includes(name))
  if (unknown.length > 0)
    throw invalidRequest(
      unknown.map((name) => ({
        field: `${ifUnchangedHeader}.${name}`,
        message: 'is not a field that can be compared',
      })),
    )
  const changed = names.filter(
    (name) =>
      !isDeepStrictEqual(sortEntries(values.get(name) ?? null), sortEntries(ifUnchanged[name] ?? null)),
  )
  if (changed.length > 0)
    throw new AppError('conflict', {
      reason: 'changed_since',
      detail: `These fields have other values by now: ${changed.join(', ')}. Nothing was changed.`,
    })
}

const sortEntries = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).sort() : value

/** The fields whose values may stand in events. */
export const listValueFields = (fields: AuditedFields): readonly string[] =>
  Object.keys(fields).filter((name) => fields[name]?.inEvents === 'value')
