import type { Health, HealthCheck } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel, Tag } from '../kit/panel.tsx'
import { SectionPage } from '../kit/section-page.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('health')

export const Section = () => {
  const loaded = useLoaded(({ signal }) => readHealth(signal))
  return (
    <SectionPage
      heading={consoleText('health')}
      actions={
        <Button look="secondary" onClick={loaded.reload}>
          {t('again')}
        </Button>
      }
    >
      <ShowLoaded loaded={loaded}>{(health) => <Result health={health} />}</ShowLoaded>
      <Panel heading={t('forDevelopers')}>
        <a href="/docs">{t('reference')}</a>
      </Panel>
    </SectionPage>
  )
}

const Result = ({ health: { status, version, checks = [] } }: { readonly health: Health }) => (
  <>
    <Alert kind={status === 'ok' ? 'success' : 'problem'}>{t(status === 'ok' ? 'allGood' : 'failing')}</Alert>
    <Panel heading={t('parts')}>
      <ul class="items">
        {checks.map((check) => (
          <li key={check.name}>
            <div>
              {t(check.name)}
              {check.status === 'failing' && (
                <p class="note" lang="en">
                  {check.detail}
                </p>
              )}
            </div>
            <div class="row">
              {check.status !== 'off' && <span class="note">{t('took', { count: check.duration_ms })}</span>}
              <CheckTag check={check} />
            </div>
          </li>
        ))}
      </ul>
      <Facts facts={[{ label: t('version'), value: version }]} />
    </Panel>
  </>
)

const CheckTag = ({ check: { status } }: { readonly check: HealthCheck }) => {
  if (status === 'ok') return <Tag kind="good">{t('works')}</Tag>
  return status === 'failing' ? <Tag kind="bad">{t('fails')}</Tag> : <Tag>{t('off')}</Tag>
}

/**
 * Reads how each part of the service works. The typed client rejects a 503, and its body names the parts that fail.
 *
 * @throws LatchkeyError if the service does not answer with its health
 */
const readHealth = async (signal: AbortSignal): Promise<Health> => {
  const response = await fetch('/api/2/health?deep=true', { signal }).catch(() => undefined)
  return response?.status === 503 && response.headers.get('content-type')?.startsWith('application/json')
    ? response.json()
    : client.health.getHealth({ deep: true }, { signal })
}
