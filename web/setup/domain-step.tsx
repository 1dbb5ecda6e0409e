import { useState } from 'preact/hooks'
import type { SAMLDomain } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import { CopiedValue, type StepProps } from './metadata-step.tsx'
import type { SendChange } from './setup-api.ts'

const t = messagesOf('setup')

/** The email domains of the company, with the record that proves each. */
export const DomainStep = ({ setup, send }: StepProps) => {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const add = useAction(async () => {
    const domain = name.trim()
    setMissing(domain === '')
    if (domain === '') return undefined
    const failure = await send('/domains', { domain })
    if (!failure) setName('')
    return failure
  })
  const refused = t('domainRefused')
  return (
    <section class="stack">
      <h2>{t('domainStep')}</h2>
      <p class="note">{t('domainHint')}</p>
      {setup.domains.map((domain) => (
        <DomainItem key={domain.domain} {...{ domain, send }} />
      ))}
      <Form label={t('domainStep')} onSubmit={() => void add.run()}>
        <TextField
          label={t('domain')}
          problem={isMissing ? kit('required') : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={255}
          value={name}
          onChangeValue={setName}
        />
        <Alert kind="problem">
          {add.failure && describeFailure(add.failure, { invalid_request: refused, conflict: refused })}
        </Alert>
        <Button type="submit" look="secondary" isRunning={add.isRunning}>
          {t('addDomain')}
        </Button>
      </Form>
    </section>
  )
}

interface DomainProps {
  readonly domain: SAMLDomain
  readonly send: SendChange
}

const DomainItem = ({ domain: { domain, state, txt_name: name, txt_value: value }, send }: DomainProps) => {
  const check = useAction(() => send('/domains', { domain }))
  const remove = useAction(() => send('/domains/remove', { domain }))
  const failure = check.failure ?? remove.failure
  const isProven = state === 'proven'
  return (
    <section class="stack">
      <h3 dir="ltr">{domain}</h3>
      <p role="status">{t(isProven ? 'proven' : 'pending')}</p>
      {!isProven && (
        <>
          <CopiedValue label={t('recordName')} value={name} />
          <CopiedValue label={t('recordValue')} value={value} />
          <div class="row">
            <Button look="secondary" isRunning={check.isRunning} onClick={() => void check.run()}>
              {t('checkNow')}
              <span class="for-screen-readers"> {domain}</span>
            </Button>
            {state === 'pending' && (
              <Button look="quiet" isRunning={remove.isRunning} onClick={() => void remove.run()}>
                {t('removeDomain')}
                <span class="for-screen-readers"> {domain}</span>
              </Button>
            )}
          </div>
        </>
      )}
      <Alert kind="problem">{failure && describeFailure(failure)}</Alert>
    </section>
  )
}
