import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { messagesOf } from '../kit/messages.ts'

const t = messagesOf('signUp')

interface AccountFormProps {
  readonly terms: { readonly terms_version: string | null; readonly terms_url: string | null }
  /** What the page says for codes of failures. */
  readonly failures: Readonly<Record<string, string>>
  readonly button: string
  readonly hasFocus?: boolean
  /** Sends the fields of the new account. Returns the failure that the form shows. */
  readonly onSend: (account: NewAccount) => Promise<ApiFailure | undefined>
  readonly children?: ComponentChildren
}

interface NewAccount {
  readonly full_name: string
  readonly terms_version: string | null
}

/** Asks a new person for their name and the terms. Then the page of invitations asks how they want to sign in. */
export const AccountForm = ({
  terms,
  failures,
  button,
  hasFocus = false,
  onSend,
  children,
}: AccountFormProps) => {
  const [name, setName] = useState('')
  const [isAccepted, setAccepted] = useState(false)
  const [missing, setMissing] = useState<'name' | 'terms' | undefined>()
  const { terms_version: version, terms_url: termsUrl } = terms
  const { failure, isRunning, run } = useAction(async () => {
    const fullName = name.trim()
    const open = fullName === '' ? 'name' : version !== null && !isAccepted ? 'terms' : undefined
    setMissing(open)
    if (open === 'name') focusField('name')
    return open === undefined ? onSend({ full_name: fullName, terms_version: version }) : undefined
  })
  return (
    <Form isRunning={isRunning} onSubmit={run}>
      {children}
      <Alert kind="problem">{failure && describeFailure(failure, failures)}</Alert>
      <TextField
        label={t('name')}
        name="name"
        value={name}
        onChangeValue={setName}
        problem={missing === 'name' && t('enterName')}
        autocomplete="name"
        maxLength={255}
        required
        autoFocus={hasFocus}
      />
      {version !== null && termsUrl !== null && (
        <>
          <Checkbox
            label={<TermsLabel version={version} url={termsUrl} />}
            isChecked={isAccepted}
            onChange={setAccepted}
          />
          <Alert kind="problem">{missing === 'terms' && t('mustAccept')}</Alert>
        </>
      )}
      <Button type="submit">{button}</Button>
    </Form>
  )
}

/** The sentence to agree to. Each language has the link at another place. */
const TermsLabel = ({ version, url }: { readonly version: string; readonly url: string }) => {
  const place = '\u{1F517}'
  const [before = '', after = ''] = t('acceptTerms', { terms: place }).split(place)
  return (
    <>
      {before}
      <a href={url} target="_blank" rel="noreferrer">
        {t('terms', { version })}
      </a>
      {after}
    </>
  )
}
