import type { AuditEvent, AuditEventChange } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { hasValues, showValue } from '../../session-kit/event-changes.ts'

const t = messagesOf('audit')

/** The fields that changed, each with its values before and after. */
export const EventChanges = ({ event }: { readonly event: AuditEvent }) => {
  const { changes = [], changes_omitted: omitted = 0 } = event
  if (changes.length === 0) return null
  return (
    <>
      <table class="changes">
        <caption>{t('changes')}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('before')}</th>
            <th scope="col">{t('after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change, at) => (
            <tr key={at}>
              <th scope="row">{change.field}</th>
              <Values change={change} />
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 && <p class="note">{t('more', { count: omitted })}</p>}
    </>
  )
}

const Values = ({ change }: { readonly change: AuditEventChange }) =>
  hasValues(change) ? (
    <>
      <td>{showValue(change.from)}</td>
      <td>{showValue(change.to)}</td>
    </>
  ) : (
    <td colSpan={2} class="note">
      {describeMissing(change)}
    </td>
  )

const describeMissing = ({ state }: AuditEventChange): string => {
  if (state === 'erased') return t('changeErased')
  return state === 'withheld' ? t('changeWithheld') : t('changeFact')
}

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
