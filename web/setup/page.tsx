import '../kit/kit.css'
import type { SAMLSetup } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDateTime } from '../kit/format.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { useAction } from '../kit/use-action.ts'
import { ProviderGuide } from '../session-kit/provider-guide.tsx'
import './setup.css'
import { DomainStep } from './domain-step.tsx'
import { CopiedValue, MetadataStep, type StepProps } from './metadata-step.tsx'
import { useSetup, watchToken } from './setup-api.ts'
import { TestStep } from './test-step.tsx'

const t = messagesOf('setup')

const product = pageData.brand.productName

/** The page behind a set-up link: the administrator of a customer connects their identity provider. */
const SetupPage = () => {
  const { state, send } = useSetup()
  if (state.step === 'checking')
    return (
      <CardPage heading={t('heading')} step="checking">
        <p role="status">{kit('loading')}</p>
      </CardPage>
    )
  if (state.step === 'failed')
    return (
      <CardPage heading={t('heading')} step="failed">
        <Alert kind="problem">{describeFailure(state.failure)}</Alert>
        <Button look="secondary" onClick={() => location.reload()}>
          {kit('retry')}
        </Button>
      </CardPage>
    )
  if (state.step === 'ended')
    return (
      <CardPage heading={t('endedHeading')} step="ended">
        <Alert kind="problem">{t('ended')}</Alert>
      </CardPage>
    )
  const { setup } = state
  if (setup.is_finished)
    return (
      <CardPage heading={t('doneHeading')} step="done">
        <Alert kind="success">{t('done', { product })}</Alert>
      </CardPage>
    )
  return (
    <CardPage heading={t('heading')} step="open">
      <p>{t('intro', { name: setup.name, product, time: formatDateTime(setup.expires_at) })}</p>
      <ValuesStep setup={setup} />
      <MetadataStep {...{ setup, send }} />
      <DomainStep {...{ setup, send }} />
      <TestStep setup={setup} />
      <FinishStep {...{ setup, send }} />
    </CardPage>
  )
}

/** What the identity provider has to know about this service. */
const ValuesStep = ({ setup }: { readonly setup: SAMLSetup }) => (
  <section class="stack">
    <h2>{t('valuesStep')}</h2>
    <p class="note">{t('valuesHint')}</p>
    <ProviderGuide
      values={{
        metadata: setup.metadata_url,
        entityId: setup.service_entity_id,
        assertionUrl: setup.assertion_url,
      }}
    >
      <CopiedValue label={t('metadataAddress')} value={setup.metadata_url} />
      <CopiedValue label={t('entityId')} value={setup.service_entity_id} />
      <CopiedValue label={t('assertionUrl')} value={setup.assertion_url} />
    </ProviderGuide>
  </section>
)

/** Takes the connection live. */
const FinishStep = ({ setup, send }: StepProps) => {
  const finish = useAction(() => send('/finish'))
  return (
    <section class="stack">
      <h2>{t('finishStep')}</h2>
      <p class="note">{setup.can_finish ? t('finishHint') : t('incomplete')}</p>
      <Alert kind="problem">
        {finish.failure && describeFailure(finish.failure, { setup_incomplete: t('incomplete') })}
      </Alert>
      {setup.can_finish && (
        <Button isRunning={finish.isRunning} onClick={() => void finish.run()}>
          {t('finish')}
        </Button>
      )}
    </section>
  )
}

watchToken()
await startPage(SetupPage)
