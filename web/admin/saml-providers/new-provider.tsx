import { useState } from 'preact/hooks'
import { Alert } from '../../kit/alert.tsx'
import { TextField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { DiscardDialog } from '../kit/discard-dialog.tsx'
import { Facts } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { type Draft, useDraft } from '../kit/use-draft.ts'
import { CertificateList } from './certificate-list.tsx'
import { ConnectionFields } from './connection-fields.tsx'
import { MetadataSource } from './metadata-source.tsx'
import { emptyProvider, type ProviderValues, toProviderChanges } from './provider-values.ts'
import { UserFields } from './user-fields.tsx'
import { WizardStep } from './wizard-step.tsx'

const t = messagesOf('samlProviders')

const count = 4

/** Sets up a provider in steps. Afterwards, the page of the provider shows what to register there, and the test. */
export const NewProvider = () => {
  const draft = useDraft(emptyProvider)
  const [step, setStep] = useState(1)
  const [hasProblem, setProblem] = useState(false)
  const { value, set } = draft
  const create = useConfirmedAction(async () => {
    const { entity_id: entityId, sso_url: ssoUrl, certificate } = value
    const provider = await client.samlProviders.createSamlProvider({
      ...toProviderChanges(value),
      name: value.name.trim(),
      ...{ entity_id: entityId, sso_url: ssoUrl, certificate },
    })
    showToast(t('created', { name: provider.name }))
    leaveFor(toAddress('saml-providers', [provider.id]))
    return undefined
  })
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
      parent={{ address: toAddress('saml-providers'), label: t('heading') }}
    >
      {step === 1 && (
        <WizardStep
          {...{ step, count }}
          heading={t('stepName')}
          onNext={() => goOn(value.name.trim() !== '')}
        >
          <TextField
            label={t('name')}
            hint={t('nameHint')}
            problem={hasProblem && kitText('required')}
            autocomplete="off"
            maxLength={255}
            required
            value={value.name}
            onChangeValue={(name) => set({ name })}
          />
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
          <MetadataSource onRead={set} />
          <Alert kind={hasConnection ? 'success' : 'problem'}>
            {hasConnection ? t('found') : hasProblem && t('metadataFirst')}
          </Alert>
          {hasConnection && <ConnectionFields draft={draft} failure={undefined} />}
        </WizardStep>
      )}
      {step === 3 && (
        <WizardStep {...{ step, count }} heading={t('stepUsers')} onNext={() => goOn(true)} onBack={goBack}>
          <UserFields draft={draft} failure={undefined} />
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
          <Review draft={draft} />
        </WizardStep>
      )}
      <DiscardDialog isChanged={draft.isChanged} />
    </SectionPage>
  )
}

const Review = ({ draft: { value } }: { readonly draft: Draft<ProviderValues> }) => (
  <Facts
    facts={[
      { label: t('name'), value: value.name },
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
