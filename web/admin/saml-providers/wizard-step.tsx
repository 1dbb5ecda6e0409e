import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'

const t = messagesOf('samlProviders')

interface WizardStepProps {
  readonly heading: string
  /** From 1. */
  readonly step: number
  readonly count: number
  /** The label of the button that goes on. */
  readonly action?: string
  readonly isRunning?: boolean
  readonly failure?: ApiFailure | undefined
  readonly failures?: Readonly<Record<string, string>>
  readonly onNext: () => void
  readonly onBack?: (() => void) | undefined
  readonly children: ComponentChildren
}

/** A step of the assistant. Its heading receives the focus when the person comes here from another step. */
export const WizardStep = (props: WizardStepProps) => {
  const { heading, step, count, action, isRunning, failure, failures, onNext, onBack, children } = props
  const id = useId()
  const element = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (onBack) element.current?.focus()
  }, [])
  return (
    <section class="panel" aria-labelledby={id}>
      <p class="note">{t('step', { step, count })}</p>
      <div class="steps" aria-hidden="true">
        {Array.from({ length: count }, (_, at) => (
          <span key={at} class={at < step ? 'is-reached' : undefined} />
        ))}
      </div>
      <h2 id={id} ref={element} tabIndex={-1}>
        {heading}
      </h2>
      <Form label={heading} onSubmit={onNext}>
        {children}
        <FailureAlert failure={failure} failures={failures} />
        <div class="row">
          <Button type="submit" isRunning={isRunning}>
            {action ?? kitText('continue')}
          </Button>
          {onBack && (
            <Button look="secondary" onClick={onBack}>
              {kitText('back')}
            </Button>
          )}
        </div>
      </Form>
    </section>
  )
}
