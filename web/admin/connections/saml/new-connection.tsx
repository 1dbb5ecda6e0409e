import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { SAMLProviderUpdate } from '../../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../../kit/button.tsx'
import type { ApiFailure } from '../../../kit/call-api.ts'
import { Form, useFirstFocus } from '../../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { FailureAlert } from '../../kit/failure-alert.tsx'
import { DiscardDialog } from '../../kit/leave-dialog.tsx'
import { Facts } from '../../kit/panel.tsx'
import { useCreate } from '../../kit/use-save.tsx'
import { ConnectionName, UserFields } from '../connection-fields.tsx'
import { NewConnectionPage, openCreated } from '../connection-page.tsx'
import { CertificateList } from './certificate-list.tsx'
import { MetadataFields } from './fields.tsx'
import { MetadataSource } from './metadata-source.tsx'
import { SetupOffer } from './setup-panel.tsx'

const shared = messagesOf('connections')
const t = messagesOf('samlConnections')

/** The names of customers are no one else's business, and a new connection has not been tested yet. */
const emptyProvider: SAMLProviderUpdate = {
  name: '',
  entity_id: '',
  sso_url: '',
  certificate: '',
  disabled_in_client: true,
}

const count = 4

/** Sets up a connection in steps. Afterwards, its page shows what to register there, and the test. */
export const NewSamlConnection = () => {
  const [step, setStep] = useState(1)
  const [hasProblem, setProblem] = useState(false)
  const form = useCreate<SAMLProviderUpdate>(emptyProvider, async (body) => {
    const provider = await client.samlProviders.createSamlProvider(body)
    openCreated('saml', provider)
  })
  const { value, create } = form
  const name = value.name ?? ''
  const goOn = (isComplete: boolean): void => {
    setProblem(!isComplete)
    if (isComplete) setStep(step + 1)
  }
  const goBack = (): void => {
    setProblem(false)
    setStep(step - 1)
  }
  const hasConnection = Boolean(value.entity_id && value.sso_url && value.certificate)
  return (
    <NewConnectionPage heading={t('newConnection')}>
      {step === 1 && (
        <WizardStep step={step} count={count} heading={t('stepName')} onNext={() => goOn(name !== '')}>
          <ConnectionName form={{ ...form, isSubmitted: hasProblem }} isNew />
        </WizardStep>
      )}
      {step === 2 && (
        <WizardStep
          step={step}
          count={count}
          heading={t('stepMetadata')}
          onNext={() => goOn(hasConnection)}
          onBack={goBack}
        >
          <p>{t('stepMetadataText')}</p>
          <MetadataSource onRead={form.set} />
          <Alert kind={hasConnection ? 'success' : 'problem'}>
            {hasConnection ? t('found') : hasProblem && t('metadataFirst')}
          </Alert>
          {hasConnection ? <MetadataFields form={form} /> : <SetupOffer name={name} />}
        </WizardStep>
      )}
      {step === 3 && (
        <WizardStep
          step={step}
          count={count}
          heading={t('stepUsers')}
          onNext={() => goOn(true)}
          onBack={goBack}
        >
          <UserFields form={form} />
        </WizardStep>
      )}
      {step === count && (
        <WizardStep
          step={step}
          count={count}
          heading={t('stepReview')}
          action={t('create')}
          isRunning={create.isRunning}
          failure={create.failure}
          failures={{ conflict: t('entityTaken') }}
          onNext={() => void create.run()}
          onBack={goBack}
        >
          <Review value={value} />
        </WizardStep>
      )}
      <DiscardDialog isChanged={form.isChanged} />
    </NewConnectionPage>
  )
}

const Review = ({ value }: { readonly value: SAMLProviderUpdate }) => (
  <Facts
    facts={[
      { label: shared('name'), value: value.name ?? '' },
      { label: t('entityId'), value: value.entity_id },
      { label: t('ssoUrl'), value: value.sso_url },
      ...(value.slo_url ? [{ label: t('sloUrl'), value: value.slo_url }] : []),
      { label: t('certificate'), value: <CertificateList text={value.certificate} /> },
      ...(value.metadata_url_source
        ? [{ label: t('metadataAddress'), value: value.metadata_url_source }]
        : []),
      { label: shared('autoCreate'), value: shared(value.auto_create_users ? 'yes' : 'no') },
      { label: shared('syncGroups'), value: shared(value.auto_sync_groups ? 'yes' : 'no') },
      { label: shared('shown'), value: shared(value.disabled_in_client ? 'no' : 'yes') },
    ]}
  />
)

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
const WizardStep = (props: WizardStepProps) => {
  const {
    heading,
    step,
    count,
    action,
    isRunning = false,
    failure,
    failures,
    onNext,
    onBack,
    children,
  } = props
  const id = useId()
  const element = useFirstFocus<HTMLHeadingElement>(onBack !== undefined)
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
      <Form isRunning={isRunning} label={heading} onSubmit={onNext}>
        {children}
        <FailureAlert failure={failure} failures={failures} />
        <div class="row">
          <Button type="submit">{action ?? kitText('continue')}</Button>
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
