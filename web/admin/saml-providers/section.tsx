import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { SAMLProviderUpdate } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import type { ApiFailure } from '../../kit/call-api.ts'
import { Form, useFirstFocus } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { DiscardDialog } from '../kit/leave-dialog.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Facts } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { useCreate } from '../kit/use-save.tsx'
import { CertificateList } from './certificate-list.tsx'
import { ConnectionFields, ConnectionName, UserFields } from './connection-fields.tsx'
import { MetadataSource } from './metadata-source.tsx'
import { ProviderDetail } from './provider-detail.tsx'
import { SetupOffer } from './setup-panel.tsx'
import { TestResult } from './test-result.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('samlProviders')

export const Section = ({ path: [id, part, token] }: SectionProps) => {
  if (id === undefined) return <ProviderList />
  if (id === 'new') return <NewProvider />
  return part === 'tests' && token ? (
    <TestResult kind="saml" id={Number(id)} token={token} />
  ) : (
    <ProviderDetail id={Number(id)} />
  )
}

const ProviderList = () => (
  <NamedList
    section="saml-providers"
    heading={consoleText('samlProviders')}
    intro={t('intro')}
    create={t('newProvider')}
    load={client.samlProviders.listSamlProviders}
    columns={[
      {
        name: 'name',
        header: t('name'),
        ordering: 'name',
        cell: ({ id, name }) => <a href={toAddress('saml-providers', [id])}>{name}</a>,
      },
      {
        name: 'shown',
        header: t('shown'),
        cell: ({ disabled_in_client: isHidden }) => t(isHidden ? 'no' : 'yes'),
      },
      {
        name: 'certificates',
        header: t('certificates'),
        cell: ({ certificate }) => <CertificateList text={certificate} />,
      },
    ]}
    empty={t('empty')}
  />
)

/** The names of customers are no one else's business, and a new connection has not been tested yet. */
const emptyProvider: SAMLProviderUpdate = {
  ...{ name: '', entity_id: '', sso_url: '', certificate: '' },
  disabled_in_client: true,
}

const count = 4

/** Sets up a provider in steps. Afterwards, the page of the provider shows what to register there, and the test. */
const NewProvider = () => {
  const [step, setStep] = useState(1)
  const [hasProblem, setProblem] = useState(false)
  const form = useCreate<SAMLProviderUpdate>(emptyProvider, async (body) => {
    const provider = await client.samlProviders.createSamlProvider(body)
    showToast(t('created', { name: provider.name }))
    leaveFor(toAddress('saml-providers', [provider.id]))
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
    <SectionPage
      heading={t('newProvider')}
      parent={{ address: toAddress('saml-providers'), label: consoleText('samlProviders') }}
    >
      {step === 1 && (
        <WizardStep {...{ step, count }} heading={t('stepName')} onNext={() => goOn(name !== '')}>
          <ConnectionName form={{ ...form, isSubmitted: hasProblem }} isNew />
        </WizardStep>
      )}
      {step === 2 && (
        <WizardStep
          {...{ step, count }}
          heading={t('stepMetadata')}
          onNext={() => goOn(hasConnection)}
          onBack={goBack}
        >
          <p>{t('stepMetadataText')}</p>
          <MetadataSource onRead={form.set} />
          <Alert kind={hasConnection ? 'success' : 'problem'}>
            {hasConnection ? t('found') : hasProblem && t('metadataFirst')}
          </Alert>
          {hasConnection ? <ConnectionFields form={form} /> : <SetupOffer name={name} />}
        </WizardStep>
      )}
      {step === 3 && (
        <WizardStep {...{ step, count }} heading={t('stepUsers')} onNext={() => goOn(true)} onBack={goBack}>
          <UserFields form={form} />
        </WizardStep>
      )}
      {step === count && (
        <WizardStep
          {...{ step, count }}
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
    </SectionPage>
  )
}

const Review = ({ value }: { readonly value: SAMLProviderUpdate }) => (
  <Facts
    facts={[
      { label: t('name'), value: value.name ?? '' },
      { label: t('entityId'), value: value.entity_id },
      { label: t('ssoUrl'), value: value.sso_url },
      ...(value.slo_url ? [{ label: t('sloUrl'), value: value.slo_url }] : []),
      { label: t('certificate'), value: <CertificateList text={value.certificate} /> },
      ...(value.metadata_url_source
        ? [{ label: t('metadataAddress'), value: value.metadata_url_source }]
        : []),
      { label: t('autoCreate'), value: t(value.auto_create_users ? 'yes' : 'no') },
      { label: t('syncGroups'), value: t(value.auto_sync_groups ? 'yes' : 'no') },
      { label: t('shown'), value: t(value.disabled_in_client ? 'no' : 'yes') },
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
