import { useEffect, useState } from 'preact/hooks'
import type { SAMLTestResult } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatList } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import type { StepProps } from './metadata-step.tsx'
import { findTest, startTest } from './setup-api.ts'

const t = messagesOf('setup')

/** Signs in at the identity provider without an effect here, and shows what it sent, or what to change. */
export const TestStep = ({ setup }: Pick<StepProps, 'setup'>) => {
  const [result, setResult] = useState<SAMLTestResult | undefined>()
  const [isMissing, setMissing] = useState(false)
  const start = useAction(startTest)
  useEffect(() => {
    void findTest().then((found) => {
      if (found?.isOk) setResult(found.body)
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

const TestResult = ({ result: { accepted, steps, subject } }: { readonly result: SAMLTestResult }) => {
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
