import { useState } from 'preact/hooks'
import type { OIDCClaim, OIDCClient, OIDCSignInTrial } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client, signInAgain } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'

const t = messagesOf('apps')

/** What an app gets when the administrator signs in to it. The service keeps the code and the tokens to itself. */
export const AppTry = ({ id }: { readonly id: number }) => {
  const [audience, setAudience] = useState('')
  const loaded = useLoaded(async (options) => {
    const [app, trial] = await Promise.all([
      client.oidcClients.getOidcClient(id, options),
      client.oidcClients.tryOidcClientSignIn(id, audience === '' ? {} : { audience }, options),
    ])
    return { app, trial }
  }, audience)
  return (
    <ShowLoaded loaded={loaded}>
      {(shown) => <Trial {...shown} audience={audience} onChoose={setAudience} />}
    </ShowLoaded>
  )
}

interface TrialProps {
  readonly app: OIDCClient
  readonly trial: OIDCSignInTrial
  readonly audience: string
  readonly onChoose: (audience: string) => void
}

const Trial = ({ app: { id, name, apis }, trial, audience, onChoose }: TrialProps) => (
  <SectionPage heading={t('try')} parent={{ address: toAddress('apps', [id]), label: name }}>
    <Panel heading={t('tryHeading', { name })} intro={t('tryText')}>
      {apis.length > 0 && (
        <SelectField
          label={t('tryApi')}
          value={audience}
          options={[
            { value: '', label: t('tryNoApi') },
            ...apis.map((api) => ({ value: api.audience, label: api.audience })),
          ]}
          onChangeValue={onChoose}
        />
      )}
      <Alert kind="problem">{describeOutcome(trial)}</Alert>
      {trial.outcome === 'tokens' && (
        <>
          <ClaimTable caption={t('inIdToken')} claims={trial.id_token} />
          <ClaimTable caption={t('inAccessToken')} claims={trial.access_token} />
          <ClaimTable caption={t('inUserinfo')} claims={trial.userinfo} />
          {trial.introspection.length > 0 && (
            <ClaimTable caption={t('inIntrospection')} claims={trial.introspection} />
          )}
        </>
      )}
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

/** Why the app gets no tokens. The error is in the words of the standard, as the app gets it. */
const describeOutcome = ({ outcome, error, error_description: description }: OIDCSignInTrial) => {
  if (outcome === 'tokens') return undefined
  return outcome === 'sign_in'
    ? t('trySignIn')
    : t('tryRefused', { error: [error, description].filter(Boolean).join(': ') })
}

interface ClaimTableProps {
  readonly caption: string
  readonly claims: readonly OIDCClaim[]
}

const ClaimTable = ({ caption, claims }: ClaimTableProps) => (
  <table class="numbers">
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{t('claim')}</th>
        <th scope="col">{t('claimValue')}</th>
      </tr>
    </thead>
    <tbody>
      {claims.map(({ name, value }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td>
            <code>{value}</code>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
