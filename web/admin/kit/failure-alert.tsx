import { Alert } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('console')

interface FailureAlertProps {
  readonly failure: ApiFailure | undefined
  /** Explains failures by their reason or code. */
  readonly failures?: Readonly<Record<string, string>> | undefined
}

/** The codes whose detail says more than the message of the page. The texts of the API are English. */
const explained = ['conflict', 'invalid_request', 'password_rejected', 'upstream_failed']

/** Explains a failure to an administrator: in the words of the page, then what the API says about this case. */
export const FailureAlert = ({ failure, failures = {} }: FailureAlertProps) => {
  if (!failure) return <Alert kind="problem" />
  const { code = '', detail, errors = [] } = failure.problem
  const texts = errors.length > 0 ? errors.map(({ message }) => message) : [detail]
  return (
    <Alert kind="problem">
      {describeFailure(failure, {
        ...(errors.length > 0 ? { invalid_request: t('problemFields') } : {}),
        created_before: t('createdBefore'),
        managed: t('managedByFile'),
        ...failures,
      })}
      {explained.includes(code) && texts.some(Boolean) && !Object.hasOwn(failures, code) && (
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
  const messages = (failure?.problem.errors ?? [])
    .filter((error) => error.field === field || (withParts && error.field.startsWith(`${field}.`)))
    .map(({ message }) => message)
  return messages.length > 0 ? <span lang="en">{messages.join(' ')}</span> : undefined
}
