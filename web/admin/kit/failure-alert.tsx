import type { OperationErrors } from '../../../lib/client/generated/errors.ts'
import { Alert } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'

const t = messagesOf('console')

/** Explains failures by their reason or code. `taken` replaces the hint to marked fields where the form does not show the field. */
export type Failures = Readonly<Record<string, string>> & { readonly taken?: string }

/** What explains the failures of an operation. The general sentence about conflicts helps only some operations, so the others state one. */
export type FailuresOf<Operation extends keyof OperationErrors> =
  'conflict' extends keyof OperationErrors[Operation]
    ? { readonly failures: Failures & { readonly conflict: string } }
    : { readonly failures?: Failures }

interface FailureAlertProps {
  readonly failure: ApiFailure | undefined
  readonly failures?: Failures | undefined
}

/** The codes whose detail says more than the message of the page. The texts of the API are English. */
const explained = ['conflict', 'invalid_request', 'password_rejected', 'upstream_failed']

/** Explains a failure to an administrator: in the words of the page, then what the API says about this case. */
export const FailureAlert = ({ failure, failures = {} }: FailureAlertProps) => {
  if (!failure) return <Alert kind="problem" />
  const { problem } = failure
  const { code = '', detail, errors = [] } = problem
  const texts = errors.length > 0 ? errors.map(({ message }) => message) : [detail]
  const isExplained = Object.hasOwn(failures, code) && failures[code] !== kitText('problemConflict')
  const isTaken = errors.some((error) => error.code === 'taken')
  return (
    <Alert kind="problem">
      {describeFailure(failure, {
        ...(errors.length > 0 ? { invalid_request: t('problemFields') } : {}),
        created_before: t('createdBefore'),
        managed: t('managedByFile'),
        ...failures,
        ...(isTaken ? { [problem.reason ?? code]: failures.taken ?? t('problemFields') } : {}),
      })}
      {explained.includes(code) && !isTaken && !isExplained && texts.some(Boolean) && (
        <p class="note" lang="en">
          {texts.join(' ')}
        </p>
      )}
    </Alert>
  )
}

/**
 * What the API says about a field, and about its parts unless they have frames of their own. Administrators get its English
 * texts where the page has no own.
 */
export const problemOf = (failure: ApiFailure | undefined, field: string, { withParts = true } = {}) => {
  const errors = (failure?.problem.errors ?? []).filter(
    (error) => error.field === field || (withParts && error.field.startsWith(`${field}.`)),
  )
  if (errors.some(({ code }) => code === 'taken')) return t('taken')
  const messages = errors.map(({ message }) => message)
  return messages.length > 0 ? <span lang="en">{messages.join(' ')}</span> : undefined
}
