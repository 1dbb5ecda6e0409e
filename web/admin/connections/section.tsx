import { messagesOf } from '../../kit/messages.ts'
import { PageNotFound } from '../kit/load-state.tsx'
import { NamedList } from '../kit/named-list.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage, type SectionProps } from '../kit/section-page.tsx'
import type { KindPages } from './kind-pages.ts'
import { type ConnectionEntry, type KindName, kinds } from './kinds.ts'
import { listConnections } from './list-connections.ts'
import { oidcPages } from './oidc/pages.tsx'
import { samlPages } from './saml/pages.tsx'
import { TestResult } from './test-result.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('connections')

const pagesOf = { saml: samlPages, oidc: oidcPages } as const satisfies Readonly<Record<KindName, KindPages>>

export const Section = ({ path: [name, id, part, token] }: SectionProps) => {
  if (name === undefined) return <ConnectionList />
  if (name === 'new') return <KindChoice />
  const kind = kinds.find((known) => known.name === name)
  if (!kind || id === undefined) return <PageNotFound />
  const pages: KindPages = pagesOf[kind.name]
  if (id === 'new') return <pages.New />
  if (part === 'tests' && token)
    return <TestResult kind={kind.name} tested={pages.tested} id={Number(id)} token={token} />
  if (part === 'setup' && pages.Setup) return <pages.Setup id={Number(id)} />
  return <pages.Detail id={Number(id)} />
}

const ConnectionList = () => (
  <NamedList<ConnectionEntry>
    section="connections"
    heading={consoleText('connections')}
    intro={t('intro')}
    create={t('newConnection')}
    load={listConnections}
    kindOf={({ kind }) => (kind === 'saml' ? 'saml_provider' : 'oidc_connection')}
    columns={[
      {
        name: 'name',
        header: t('name'),
        ordering: 'name',
        cell: ({ kind, id, name }) => <a href={toAddress('connections', [kind, id])}>{name}</a>,
      },
      {
        name: 'kind',
        header: t('kind'),
        cell: ({ kind }) => kinds.find(({ name }) => name === kind)?.label,
      },
      {
        name: 'shown',
        header: t('shown'),
        cell: ({ isHidden }) => t(isHidden ? 'no' : 'yes'),
      },
      {
        name: 'source',
        header: t('source'),
        cell: ({ kind, source }) => {
          const { Source } = pagesOf[kind]
          return <Source text={source} />
        },
      },
    ]}
    empty={t('empty')}
    guide="saml-providers"
  />
)

/** Asks for the protocol of a new connection. */
const KindChoice = () => (
  <SectionPage
    heading={t('newConnection')}
    parent={{ address: toAddress('connections'), label: consoleText('connections') }}
  >
    <Panel heading={t('way')}>
      {kinds.map(({ name, label }) => (
        <div key={name} class="action">
          <div>
            <h3>{label}</h3>
            <p class="note">{pagesOf[name].needs()}</p>
          </div>
          <a class="button secondary" href={toAddress('connections', [name, 'new'])}>
            {pagesOf[name].action()}
          </a>
        </div>
      ))}
    </Panel>
  </SectionPage>
)
