import '../kit/kit.css'
import './setup.css'
import { useEffect, useState } from 'preact/hooks'
import type { ConnectionTestResult, SAMLSetup } from '../../lib/client/generated/models.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDateTime, formatList } from '../kit/format.ts'
import { loadChunk } from '../kit/load-chunk.tsx'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { CopiedValue } from '../session-kit/copied-value.tsx'
import { ProviderGuide } from '../session-kit/provider-guide.tsx'
import { DomainStep, MetadataStep, type StepProps } from './provider-steps.tsx'
import { findTest, startTest, useSetup, watchToken } from './setup-api.ts'

const t = messagesOf('setup')

/** Few links include the directory. */
const DirectoryStep = loadChunk(async () => (await import('./directory-step.tsx')).DirectoryStep)

const product = pageData.brand.product_name

/** The page behind a set-up link: the administrator of a customer connects their identity provider. */
const SetupPage = () => {
  const { state, send, retry } = useSetup()
  if (state.step === 'checking')
    return (
      <CardPage heading={t('heading')} step="checking">
        <p role="status">{kit('loading')}</p>
      </CardPage>
    )
  if (state.step === 'failed')
    return (
      <CardPage heading={t('heading')} step="failed">
        <LoadFailure failure={state.failure} onRetry={retry} />
      </CardPage>
    )
  if (state.step === 'ended')
    return (
      <CardPage heading={t('endedHeading')} step="ended">
        <Alert kind="problem">{t('ended')}</Alert>
      </CardPage>
    )
  if (state.step === 'taken')
    return (
      <CardPage heading={t('takenHeading')} step="taken">
        <Alert kind="problem">{t('taken')}</Alert>
      </CardPage>
    )
  const { setup } = state
  if (setup.awaits_approval)
    return (
      <CardPage heading={t('waitingHeading')} step="done">
        <Alert kind="success">{t('waiting', { product })}</Alert>
      </CardPage>
    )
  if (setup.is_finished)
    return (
      <CardPage heading={t('doneHeading')} step="done">
        <Alert kind="success">{t('done', { product })}</Alert>
        {!setup.directory?.enabled && <p>{t('directoryNext', { product })}</p>}
      </CardPage>
    )
  return (
    <CardPage heading={t('heading')} step="open">
      <p>{t('intro', { name: setup.name, product, time: formatDateTime(setup.expires_at) })}</p>
      <Steps setup={setup} send={send} />
    </CardPage>
  )
}

/** All steps, and how many of them are done. The values are entered before there is metadata. */
const Steps = ({ setup, send }: StepProps) => {
  const [result, setResult] = useState<ConnectionTestResult | undefined>()
  const hasMetadata = setup.idp !== null
  const steps = [
    { isDone: hasMetadata, content: <ValuesStep setup={setup} /> },
    { isDone: hasMetadata, content: <MetadataStep setup={setup} send={send} /> },
    {
      isDone: setup.domains.some(({ state }) => state === 'proven'),
      content: <DomainStep setup={setup} send={send} />,
    },
    {
      isDone: result?.accepted === true,
      content: <TestStep setup={setup} result={result} onResult={setResult} />,
    },
    ...(setup.directory
      ? [{ isDone: setup.directory.enabled, content: <DirectoryStep setup={setup} send={send} /> }]
      : []),
    { isDone: false, content: <FinishStep setup={setup} send={send} /> },
  ]
  const [done, count] = [steps.filter(({ isDone }) => isDone).length, steps.length]
  return (
    <>
      <div class="setup-progress">
        <progress aria-hidden="true" value={done} max={count} />
        <p class="note">{t('progress', { done, count })}</p>
      </div>
      {steps.map(({ isDone, content }, at) => (
        <div key={at} class={isDone ? 'setup-step is-done' : 'setup-step'}>
          {isDone && (
            <p class="setup-done">
              <span aria-hidden="true">✓ </span>
              {t('stepDone')}
            </p>
          )}
          {content}
        </div>
      ))}
    </>
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
  // What the page shows goes live, and nothing else: after a change, the person has to see it first.
  const finish = useAction(async () => {
    const failure = await send('/finish', { shown: setup.shown })
    if (failure?.problem.reason === 'setup_changed') await send('')
    return failure
  })
  return (
    <section class="stack">
      <h2>{t('finishStep')}</h2>
      <p class="note">{setup.can_finish ? t('finishHint') : t('incomplete')}</p>
      <Alert kind="problem">
        {finish.failure &&
          describeFailure(finish.failure, {
            setup_incomplete: t('incomplete'),
            setup_changed: t('changed'),
            conflict: t('entityTaken'),
          })}
      </Alert>
      {setup.can_finish && (
        <Button isRunning={finish.isRunning} onClick={() => void finish.run()}>
          {t('finish')}
        </Button>
      )}
    </section>
  )
}

interface TestStepProps extends Pick<StepProps, 'setup'> {
  readonly result: ConnectionTestResult | undefined
  readonly onResult: (result: ConnectionTestResult) => void
}

/** Signs in at the identity provider without an effect here, and shows what it sent, or what to change. */
const TestStep = ({ setup, result, onResult }: TestStepProps) => {
  const [isMissing, setMissing] = useState(false)
  const start = useAction(startTest)
  useEffect(() => {
    void findTest().then((found) => {
      if (found?.isOk) onResult(found.body)
      else setMissing(found !== undefined)
    })
  }, [])
  return (
    <section class="stack">
      <h2>{t('testStep')}</h2>
      <p class="note">{t('testHint')}</p>
      {result && <TestResult result={result} />}
      <Alert kind="problem">
        {(start.failure && describeFailure(start.failure)) || (isMissing && t('testMissing'))}
      </Alert>
      {setup.idp && (
        <Button look="secondary" isRunning={start.isRunning} onClick={() => void start.run()}>
          {t('test')}
        </Button>
      )}
    </section>
  )
}

const TestResult = ({ result: { accepted, steps, subject } }: { readonly result: ConnectionTestResult }) => {
  const facts = [
    [t('testName'), subject?.name_id],
    [t('testEmail'), subject?.email],
    [t('testFullName'), subject?.full_name],
    [t('testGroups'), subject?.groups && formatList(subject.groups)],
  ].filter(([, value]) => value)
  const failed = steps.filter(({ outcome }) => outcome === 'failed')
  return (
    <>
      <Alert kind={accepted ? 'success' : 'problem'}>{t(accepted ? 'testAccepted' : 'testRefused')}</Alert>
      {failed.map(({ name, finding, remedy }) => (
        <p key={name} lang="en" dir="ltr">
          {finding} {remedy}
        </p>
      ))}
      {facts.length > 0 && (
        <dl>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="wrapped" dir="auto">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}

watchToken()
await startPage(SetupPage)
