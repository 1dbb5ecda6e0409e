import type { AuditEvent, AuditEventChange } from '../../../lib/client/generated/models.ts'
import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { hasValues } from '../../session-kit/event-changes.ts'
import type { FieldNames } from './field-names.ts'

const t = messagesOf('audit')

interface Fact {
  readonly name: 'userDisabled' | 'userEnabled' | 'rightsGiven' | 'rightsTaken'
  readonly values: string
}

/** What a change means to people, if all of it is one act. */
export const findFact = ({ event, changes = [], changes_omitted: omitted }: AuditEvent): Fact | undefined => {
  const [first] = changes
  if (!first || omitted !== undefined || !['user.changed', 'group.changed'].includes(event)) return undefined
  if (changes.length === 1 && first.field === 'is_enabled')
    return { name: first.to === true ? 'userEnabled' : 'userDisabled', values: '' }
  if (changes.some(({ field }) => field !== 'permissions')) return undefined
  const list = (name: 'from' | 'to') => changes.flatMap((change) => change[name] ?? [])
  if (list('from').length === 0) return { name: 'rightsGiven', values: list('to').join(', ') }
  return list('to').length === 0 ? { name: 'rightsTaken', values: list('from').join(', ') } : undefined
}

/** More than these make a sentence hard to read. The details have all of them. */
const shownChanges = 3

/** What changed, in the words of the forms: `Minimum length: 8 → 12`. Nothing if a new or deleted thing is all there is to say. */
export const describeFacts = (event: AuditEvent, names: FieldNames): string => {
  const { event: name, changes: all = [], changes_omitted: omitted = 0 } = event
  const changes = all.filter((change) => !isNothing(change))
  if (!/changed$|\.member_added$/.test(name) || changes.length === 0) return ''
  const texts = changes.slice(0, shownChanges).map((change) => describeChange(event, change, names))
  const more = changes.length - texts.length + omitted
  return formatList([...new Set(texts), ...(more > 0 ? [t('more', { count: more })] : [])])
}

/** What a new thing is not. */
const isNothing = ({ from, to }: AuditEventChange): boolean => from === null && to === false

const describeChange = (event: AuditEvent, change: AuditEventChange, names: FieldNames): string => {
  const field = names.nameField(event, change.field)
  if (!hasValues(change)) return field
  return t('changedValue', {
    field,
    before: names.showValue(change, change.from),
    after: names.showValue(change, change.to),
  })
}
