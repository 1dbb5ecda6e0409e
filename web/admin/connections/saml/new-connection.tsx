import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type {
  NewSAMLSetupLink,
  SAMLProvider,
  SAMLProviderUpdate,
} from '../../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../../kit/button.tsx'
import type { ApiFailure } from '../../../kit/call-api.ts'
import { Form, useFirstFocus } from '../../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../../kit/messages.ts'
import { client } from '../../../session-kit/client.ts'
import { useLoaded } from '../../../session-kit/use-loaded.ts'
import { FailureAlert } from '../../kit/failure-alert.tsx'
import { DiscardDialog } from '../../kit/leave-dialog.tsx'
import { ShowLoaded } from '../../kit/load-state.tsx'
import { Facts } from '../../kit/panel.tsx'
import { leaveFor, toAddress } from '../../kit/route.ts'
import { useCreate } from '../../kit/use-save.tsx'
import { ConnectionName, UserFields } from '../connection-fields.tsx'
import { NewConnectionPage, openCreated } from '../connection-page.tsx'
import { CertificateList } from './certificate-list.tsx'
import { MetadataFields } from './fields.tsx'
import { MetadataSource } from './metadata-source.tsx'
import { ServiceValues } from './service-values.tsx'
import { isWithoutMetadata, SetupOffer } from './setup-panel.tsx'

const shared = messagesOf('connections')
const t = messagesOf('samlConnections')

const count = 5

/** The link of the connection that this browser created last. Its value is known only now. */
let createdLink: NewSAMLSetupLink | undefined

/**
 * Begins a connection. It exists from its name on, because identity providers need its addresses before they give their metadata.
 * No one can sign in with it before the last step.
 */
export const NewSamlConnection = () => {
  const form = useCreate({ name: '' }, async (body) => {
    createdLink = await client.connections.createSamlSetup(body)
    leaveFor(toAddress('connections', ['saml', createdLink.saml_provider, 'setup']))
  })
  const { create } = form
  return (
    <NewConnectionPage heading={t('newConnection')}>
      <WizardStep
        step={1}
        count={count}
        heading={t('stepName')}
        isRunning={create.isRunning}
        failure={create.failure}
        onNext={form.submit}
      >
        <ConnectionName form={form} isNew />
      </WizardStep>
      <DiscardDialog isChanged={form.isChanged} />
    </NewConnectionPage>
  )
}

/** Continues with a connection that is being set up, now or later. */
export const SamlSetup = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.connections.getSamlProvider(id, options))
  return (
    <ShowLoaded loaded={loaded}>{(provider) => provider && <SetupSteps provider={provider} />}</ShowLoaded>
  )
}

/** The names of customers are no one else's business, and a new connection has not been tested yet. */
const toNewProvider = (provider: SAMLProvider): SAMLProviderUpdate => {
  const shared = { name: provider.name, disabled_in_client: true }
  if (isWithoutMetadata(provider)) return { ...shared, entity_id: '', sso_url: '', certificate: '' }
  const { entity_id, sso_url, slo_url = null, certificate } = provider
  return { ...shared, entity_id, sso_url, slo_url, certificate }
}

const SetupSteps = ({ provider }: { readonly provider: SAMLProvider }) => {
  const { id } = provider
  const [step, setStep] = useState(2)
  const [hasMoved, setMoved] = useState(false)
  const [hasProblem, setProblem] = useState(false)
  const form = useCreate<SAMLProviderUpdate>(toNewProvider(provider), async (body) => {
    openCreated('saml', await client.connections.takeSamlProviderLive(id, body))
  })
  const { value, create } = form
  const move = (to: number): void => {
    setMoved(true)
    setStep(to)
  }
  const goOn = (isComplete: boolean): void => {
    setProblem(!isComplete)
    if (isComplete) move(step + 1)
  }
  const goBack = (): void => {
    setProblem(false)
    move(step - 1)
  }
  const hasConnection = Boolean(value.entity_id && value.sso_url && value.certificate)
  return (
    <NewConnectionPage heading={t('newConnection')}>
      {step === 2 && (
        <WizardStep
          step={step}
          count={count}
          heading={t('stepValues')}
          isNext={hasMoved}
          onNext={() => goOn(true)}
        >
          <p>{t('stepValuesText')}</p>
          <ServiceValues provider={provider} />
          <SetupOffer id={id} known={createdLink?.saml_provider === id ? createdLink : undefined} />
        </WizardStep>
      )}
      {step === 3 && (
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
          {hasConnection && <MetadataFields form={form} />}
        </WizardStep>
      )}
      {step === 4 && (
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
          failures={{ taken: t('entityTaken') }}
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
  /** Whether the person comes from another step. */
  readonly isNext?: boolean
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
    isNext = onBack !== undefined,
    children,
  } = props
  const id = useId()
  const element = useFirstFocus<HTMLHeadingElement>(isNext)
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
