import { useState } from 'preact/hooks'
import type { OIDCClient, OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { DeleteButton } from '../kit/confirm-dialog.tsx'
import { EditForm } from '../kit/edit-form.tsx'
import { EventsLink } from '../kit/events-link.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { CopyFacts, Panel } from '../kit/panel.tsx'
import { leaveFor, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { TabPanel, Tabs } from '../kit/tabs.tsx'
import { showToast } from '../kit/toast.tsx'
import { useSave } from '../kit/use-save.tsx'
import { AppFields } from './app-fields.tsx'
import { AppSecrets, formatEnvironment } from './app-secrets.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('apps')

export const AppDetail = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) => client.oidcClients.getOidcClient(id, options))
  return (
    <ShowLoaded loaded={loaded}>
      {(app) => (
        <SectionPage
          heading={app.name}
          parent={{ address: toAddress('apps'), label: consoleText('apps') }}
          actions={
            <>
              <EventsLink of={{ object: `app:${id}`, name: app.name }} />
              <DeleteButton
                label={t('remove')}
                name={app.name}
                text={t('removeText')}
                onDelete={async () => {
                  await client.oidcClients.deleteOidcClient(id)
                  showToast(t('removed', { name: app.name }))
                  leaveFor(toAddress('apps'))
                }}
              />
            </>
          }
        >
          <Tabs
            label={app.name}
            tabs={[
              { name: 'connect', label: t('tabConnect') },
              { name: 'settings', label: t('settings') },
              ...(isDescribed(app)
                ? []
                : [
                    { name: 'access', label: t('tabAccess') },
                    { name: 'tokens', label: t('tabTokens') },
                  ]),
            ]}
          >
            <TabPanel name="connect">
              <Connection app={app} />
              {app.type === 'confidential' && <AppSecrets app={app} onChange={loaded.reload} />}
            </TabPanel>
            {isDescribed(app) ? (
              <TabPanel name="settings">
                <Panel heading={t('described')}>
                  <p>{t('describedText')}</p>
                </Panel>
              </TabPanel>
            ) : (
              <AppForm app={app} onSave={loaded.setValue} />
            )}
          </Tabs>
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

/** Whether no administrator registered the app. The address of its document is its identifier. */
const isDescribed = ({ client_id }: OIDCClient): boolean => client_id.startsWith('http')

/** What to enter in the app. */
const Connection = ({ app }: { readonly app: OIDCClient }) => (
  <Panel heading={t('connection')} intro={t('connectionText')}>
    <CopyFacts
      facts={[
        { label: t('clientId'), value: app.client_id },
        { label: t('issuer'), value: location.origin },
        { label: t('discovery'), value: `${location.origin}/.well-known/openid-configuration` },
      ]}
    />
    <AppCode app={app} />
  </Panel>
)

interface AppFormProps {
  readonly app: OIDCClient
  readonly onSave: (app: OIDCClient) => void
}

const AppForm = ({ app, onSave }: AppFormProps) => {
  const form = useSave<OIDCClientPartialUpdate, OIDCClient>({
    stored: app,
    read: () => client.oidcClients.getOidcClient(app.id),
    write: (changes) => client.oidcClients.patchOidcClient(app.id, changes),
    onSave,
  })
  return (
    <EditForm label={t('settings')} form={form}>
      <AppFields form={form} isPublic={app.type === 'public'} />
    </EditForm>
  )
}

/** The settings of an app, and the lines that it needs, for libraries that this service is tested with. */
const AppCode = ({ app }: { readonly app: OIDCClient }) => {
  const libraries = chooseLibraries(app)
  const [library = '', setLibrary] = useState(libraries[0])
  const settings = formatEnvironment(app, app.type === 'public' ? undefined : '…')
  return (
    <>
      <CodeBlock label={t('environment')} code={settings} />
      {libraries.length > 1 && (
        <SelectField
          label={t('library')}
          value={library}
          options={libraries.map((name) => ({ value: name, label: name }))}
          onChangeValue={setLibrary}
        />
      )}
      <CodeBlock label={t('codeFor', { library })} code={writeCode(library, app)} />
    </>
  )
}

const chooseLibraries = (app: OIDCClient): readonly string[] => {
  if (app.redirect_uris.length === 0) return ['curl']
  return app.type === 'public' ? ['oidc-client-ts'] : ['openid-client', 'mod_auth_openidc']
}

interface CodeBlockProps {
  readonly label: string
  readonly code: string
}

const CodeBlock = ({ label, code }: CodeBlockProps) => (
  <figure class="code-block">
    <figcaption class="row">
      {label} <CopyButton text={code} label={label} />
    </figcaption>
    <pre>
      <code>{code}</code>
    </pre>
  </figure>
)

const writeCode = (library: string, app: OIDCClient): string => {
  // An access token is for one API.
  const scope = [...app.scopes, ...(app.apis[0]?.scopes ?? [])].join(' ')
  const [redirect = ''] = app.redirect_uris
  if (library === 'curl')
    return `curl -s -X POST ${quote(`${location.origin}/oauth2/token`)} \\
  -u "$OIDC_CLIENT_ID:$OIDC_CLIENT_SECRET" \\
  -d grant_type=client_credentials${
    app.apis.length > 1
      ? ` \\
  --data-urlencode resource=${quote(toResource(app.apis[0]?.audience ?? ''))}`
      : ''
  }
`
  if (library === 'oidc-client-ts')
    return `import { UserManager } from 'oidc-client-ts'

const manager = new UserManager({
  authority: ${quote(location.origin)},
  client_id: ${quote(app.client_id)},
  redirect_uri: ${quote(redirect)},
  scope: ${quote(scope)},
})

// Sends the browser to the sign-in page.
await manager.signinRedirect()
// At the redirect address:
const user = await manager.signinCallback()
`
  if (library === 'mod_auth_openidc')
    return `OIDCProviderMetadataURL ${location.origin}/.well-known/openid-configuration
OIDCClientID \${OIDC_CLIENT_ID}
OIDCClientSecret \${OIDC_CLIENT_SECRET}
OIDCRedirectURI \${OIDC_REDIRECT_URI}
OIDCScope "${scope}"
OIDCPKCEMethod S256
OIDCProviderTokenEndpointAuth client_secret_basic
OIDCRemoteUserClaim sub
`
  return `import * as client from 'openid-client'

const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_REDIRECT_URI } = process.env
const config = await client.discovery(new URL(OIDC_ISSUER), OIDC_CLIENT_ID, OIDC_CLIENT_SECRET)

// Keep these three in the session of the browser, and redirect it to \`url\`.
const pkceCodeVerifier = client.randomPKCECodeVerifier()
const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: OIDC_REDIRECT_URI,
  scope: ${quote(scope)},
  code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: expectedState,
  nonce: expectedNonce,
})

// At the redirect address, with its whole URL:
const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
const tokens = await client.authorizationCodeGrant(config, currentUrl, checks)
const { sub } = tokens.claims()
`
}

/** An audience as a request names it (RFC 8707). */
const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
