import type { OIDCClaimPreview, OIDCClient } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client, signInAgain } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'

const t = messagesOf('apps')

/** What an app would learn about the administrator. The service builds no code and no token for it. */
export const AppTry = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded(async (options) => {
    const [app, claims] = await Promise.all([
      client.oidcClients.getOidcClient(id, options),
      client.oidcClients.previewOidcClientClaims(id, options),
    ])
    return { app, ...claims }
  })
  return <ShowLoaded loaded={loaded}>{(shown) => <Preview {...shown} />}</ShowLoaded>
}

interface PreviewProps {
  readonly app: OIDCClient
  readonly claims: readonly OIDCClaimPreview[]
}

const Preview = ({ app: { id, name }, claims }: PreviewProps) => (
  <SectionPage heading={t('try')} parent={{ address: toAddress('apps', [id]), label: name }}>
    <Panel heading={t('tryHeading', { name })} intro={t('tryText')}>
      <table class="numbers">
        <caption class="for-screen-readers">{t('tryHeading', { name })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('claim')}</th>
            <th scope="col">{t('claimValue')}</th>
            <th scope="col">{t('claimPlaces')}</th>
          </tr>
        </thead>
        <tbody>
          {claims.map((claim) => (
            <tr key={claim.name}>
              <th scope="row">
                <code>{claim.name}</code>
              </th>
              <td>
                <code>{claim.value}</code>
              </td>
              <td>{describePlaces(claim)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{t('tryBesides')}</p>
    </Panel>
    <Panel heading={t('tryAgain')} intro={t('tryAgainText')}>
      <div class="row">
        <Button look="secondary" onClick={() => void signInAgain()}>
          {t('tryAgain')}
        </Button>
      </div>
    </Panel>
  </SectionPage>
)

const describePlaces = (claim: OIDCClaimPreview): string =>
  [...(claim.in_id_token ? [t('inIdToken')] : []), ...(claim.in_userinfo ? [t('inUserinfo')] : [])].join(', ')
