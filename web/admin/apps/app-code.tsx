import { useState } from 'preact/hooks'
import guide from '../../../docs/libraries.md'
import type { OIDCClient } from '../../../lib/client/generated/models.ts'
import { SelectField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { CopyButton } from '../../session-kit/copy-button.tsx'
import { CopyFacts } from '../kit/panel.tsx'
import { formatEnvironment } from './app-secrets.tsx'
import { chooseLibraries, fillInCode, type Library, readLibraries } from './libraries.ts'

const t = messagesOf('apps')

interface AppProps {
  readonly app: OIDCClient
}

/** The settings of an app, and what each library needs: the lines of the guide with the values of the app. */
export const AppCode = ({ app }: AppProps) => {
  const [libraries] = useState(() => readLibraries(guide))
  const isMachine = app.redirect_uris.length === 0
  const choices = chooseLibraries(libraries, app)
  const names = [...(isMachine ? ['curl'] : []), ...choices.map(({ name }) => name)]
  const [name = '', setName] = useState(names[0])
  const library = choices.find((one) => one.name === name)
  return (
    <>
      <CodeBlock
        label={t('environment')}
        code={formatEnvironment(app, app.type === 'public' ? undefined : '…')}
      />
      {names.length > 1 && (
        <SelectField
          label={t('library')}
          value={name}
          options={names.map((one) => ({ value: one, label: one }))}
          onChangeValue={setName}
        />
      )}
      {library ? (
        <LibraryCode library={library} app={app} />
      ) : (
        <CodeBlock label={t('codeFor', { library: name })} code={writeCurl(app)} />
      )}
    </>
  )
}

/** The guide is in English. */
const LibraryCode = ({ library: { name, parts }, app }: AppProps & { readonly library: Library }) => {
  const facts = {
    issuer: location.origin,
    clientId: app.client_id,
    redirectUri: app.redirect_uris[0] ?? '',
    // An access token is for one API.
    scope: [...app.scopes, ...(app.apis[0]?.scopes ?? [])].join(' '),
  }
  return (
    <div class="stack" lang="en" dir="ltr">
      {parts.map((part, at) => {
        if (part.kind === 'text')
          return (
            <p key={at} class="note">
              {part.text}
            </p>
          )
        if (part.kind === 'table')
          return <CopyFacts key={at} facts={part.rows.map(([label, value]) => ({ label, value }))} />
        return <CodeBlock key={at} label={t('codeFor', { library: name })} code={fillInCode(part, facts)} />
      })}
    </div>
  )
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

const writeCurl = (app: OIDCClient): string => `curl -s -X POST ${quote(`${location.origin}/oauth2/token`)} \\
  -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials${
    app.apis.length > 1
      ? ` \\
  --data-urlencode resource=${quote(toResource(app.apis[0]?.audience ?? ''))}`
      : ''
  }
`

/** An audience as a request names it (RFC 8707). */
const toResource = (audience: string): string =>
  URL.canParse(audience) ? audience : `urn:latchkey:audience:${encodeURIComponent(audience)}`

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
