import type { AuditEvent, AuditEventChange } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { hasValues } from '../../session-kit/event-changes.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { toAddress } from '../kit/route.ts'
import type { FieldNames } from './field-names.ts'
import { importFieldNames } from './import-field-names.ts'

const t = messagesOf('audit')

/** The fields that changed, each with its values before and after. */
export const EventChanges = ({ event }: { readonly event: AuditEvent }) => {
  const { changes = [], changes_omitted: omitted = 0 } = event
  const { value: names } = useLoaded(() => importFieldNames(event), event.id)
  if (changes.length === 0 || !names) return null
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
              <th scope="row">
                <Field event={event} field={change.field} names={names} />
              </th>
              <Values change={change} names={names} />
            </tr>
          ))}
        </tbody>
      </table>
      {omitted > 0 && <p class="note">{t('more', { count: omitted })}</p>}
    </>
  )
}

interface FieldProps {
  readonly event: AuditEvent
  readonly field: string
  readonly names: FieldNames
}

/** A field by its label, with the name that the API has, and a link to all of its changes. */
const Field = ({ event, field, names }: FieldProps) => {
  const label = names.nameField(event, field)
  return (
    <>
      <a href={toAddress('audit-events', [], { field })}>{label}</a>
      {label !== field && (
        <div class="note">
          <code>{field}</code>
        </div>
      )}
    </>
  )
}

const Values = ({ change, names }: { readonly change: AuditEventChange; readonly names: FieldNames }) =>
  hasValues(change) ? (
    <>
      <td>{names.showValue(change, change.from)}</td>
      <td>{names.showValue(change, change.to)}</td>
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
