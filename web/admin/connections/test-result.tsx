import type { ConnectionTestResult, DiagnosisCheck } from '../../../lib/client/generated/models.ts'
import { Alert } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { formatDateTime, formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, Panel, Tag } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import type { KindName } from './kinds.ts'

const t = messagesOf('connectionTests')

/** A connection of any kind, as its page of results needs it. */
interface TestedConnection {
  readonly name: string
  /** What to enter at the identity provider, by the check that fails without it. */
  readonly values: Readonly<Partial<Record<CheckName, string>>>
  readonly loginUrl: string
}

/** What differs between the kinds of connections. */
export interface TestedKind {
  /** What an administrator can understand and change, in the order in which it goes wrong. */
  readonly checks: readonly CheckName[]
  readonly load: (id: number, options: { readonly signal: AbortSignal }) => Promise<TestedConnection>
}

interface TestResultProps {
  readonly kind: KindName
  readonly tested: TestedKind
  readonly id: number
  readonly token: string
}

/** What a test sign-in found, for administrators who do not know SAML: what works, and what to change. */
export const TestResult = ({ kind, tested, id, token }: TestResultProps) => {
  const settings = toAddress('connections', [kind, id])
  const loaded = useLoaded((options) =>
    Promise.all([tested.load(id, options), findTestResult(id, token, options)]),
  )
  return (
    <ShowLoaded loaded={loaded}>
      {([connection, result]) =>
        result === undefined ? (
          <SectionPage heading={t('heading')}>
            <p>{t('missing')}</p>
            <TestAgain loginUrl={connection.loginUrl} />
          </SectionPage>
        ) : (
          <SectionPage
            heading={t('heading')}
            intro={<span class="tested">{t('testedAt', { time: formatDateTime(result.received_at) })}</span>}
            parent={{ address: settings, label: connection.name }}
          >
            <Alert kind={result.accepted ? 'success' : 'problem'}>
              {t(result.accepted ? 'accepted' : 'refused', { name: connection.name })}
            </Alert>
            <Changes tested={tested} connection={connection} result={result} />
            <Checks tested={tested} result={result} />
            <Subject result={result} />
            <Received settings={settings} result={result} />
            <TestAgain loginUrl={connection.loginUrl} />
          </SectionPage>
        )
      }
    </ShowLoaded>
  )
}

/** The result of a test. Undefined if it expired, or if the address is wrong. */
const findTestResult = async (
  ...request: Parameters<typeof client.connectionFlow.getConnectionTestResult>
): Promise<ConnectionTestResult | undefined> => {
  try {
    return await client.connectionFlow.getConnectionTestResult(...request)
  } catch (error) {
    if (toFailure(error).status === 404) return undefined
    throw error
  }
}

const TestAgain = ({ loginUrl }: { readonly loginUrl: string }) => (
  <div class="row">
    <a class="button primary" href={`${loginUrl}?test=true`}>
      {t('again')}
    </a>
  </div>
)

interface ResultProps {
  readonly result: ConnectionTestResult
}
interface ChecksProps extends ResultProps {
  readonly tested: TestedKind
}

const Changes = ({ tested, connection, result }: ChecksProps & { readonly connection: TestedConnection }) => {
  const failed = toChecks(tested, result).filter(({ state }) => state === 'change')
  if (failed.length === 0) return null
  return (
    <Panel heading={t('toChange')}>
      <ul class="items">
        {failed.map((check) => (
          <li key={check.name}>
            <div class="stack">
              <p>{advise(check, connection)}</p>
              <details>
                <summary>{t('technical')}</summary>
                {check.failed.map(({ name, finding, remedy }) => (
                  <p key={name} class="note" lang="en">
                    {finding} {remedy}
                  </p>
                ))}
              </details>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const advise = ({ name }: Check, { values }: TestedConnection): string => {
  const value = values[name] ?? ''
  if (name === 'address' || name === 'audience' || name === 'token') return t(`${name}Advice`, { value })
  return t(`${name}Advice`)
}

const Checks = ({ tested, result }: ChecksProps) => (
  <Panel heading={t('checks')}>
    <ul class="items">
      {toChecks(tested, result).map(({ name, state }) => (
        <li key={name}>
          <span>{t(name)}</span>
          <StateTag state={state} />
        </li>
      ))}
    </ul>
  </Panel>
)

const StateTag = ({ state }: Pick<Check, 'state'>) => {
  if (state === 'works') return <Tag kind="good">{t('works')}</Tag>
  return state === 'change' ? <Tag kind="warning">{t('change')}</Tag> : <Tag>{t('notChecked')}</Tag>
}

const Subject = ({ result: { subject } }: ResultProps) => {
  if (!subject) return null
  const facts = [
    { label: t('nameId'), value: subject.name_id },
    { label: t('email'), value: subject.email },
    { label: t('fullName'), value: subject.full_name },
    { label: t('groups'), value: subject.groups && formatList(subject.groups) },
    { label: t('authnContexts'), value: formatList(subject.authn_contexts) },
    {
      label: t('user'),
      value:
        subject.user === null ? (
          t('noUser')
        ) : (
          <a href={toAddress('users', [subject.user])}>{subject.username ?? subject.name_id}</a>
        ),
    },
  ].filter(({ value }) => value)
  return (
    <Panel heading={t('person')}>
      <Facts facts={facts} />
    </Panel>
  )
}

/** What the provider sent, and what is read from it. */
const Received = ({ settings, result: { subject } }: ResultProps & { readonly settings: string }) => {
  if (!subject || subject.attributes.length === 0) return null
  const { email, full_name: fullName, groups } = subject
  const listUses = (values: readonly string[]) =>
    [
      values.some((value) => value === email) ? t('email') : undefined,
      values.some((value) => value === fullName) ? t('fullName') : undefined,
      values.some((value) => groups?.includes(value)) ? t('groups') : undefined,
    ].filter((use) => use !== undefined)
  return (
    <Panel heading={t('sent')}>
      <ul class="items">
        {subject.attributes.map(({ name, values, is_cut: isCut }, at) => (
          <li key={at}>
            <span>
              <strong>{name}</strong> {`${formatList(values)}${isCut ? ' …' : ''}`}
            </span>
            {listUses(values).map((use) => (
              <Tag key={use}>{use}</Tag>
            ))}
          </li>
        ))}
      </ul>
      <p>
        <a href={settings}>{t('wrongAttribute')}</a>
      </p>
    </Panel>
  )
}

type CheckName =
  | 'message'
  | 'status'
  | 'signature'
  | 'token'
  | 'idToken'
  | 'issuer'
  | 'address'
  | 'audience'
  | 'time'
  | 'organization'
  | 'context'
  | 'subject'
  | 'account'

/** The checks of the service that make up each check of the page. Those of a newer service belong to the message. */
const partsOf: Readonly<Partial<Record<CheckName, readonly string[]>>> = {
  status: ['status', 'force_authn'],
  signature: [
    'signed',
    'algorithms',
    'response_signature',
    'decryption',
    'assertion_signature',
    'second_verifier',
  ],
  token: ['token'],
  idToken: ['id_token'],
  organization: ['hosted_domain'],
  issuer: ['issuer'],
  address: ['destination', 'recipient'],
  audience: ['in_response_to', 'confirmed_request', 'conditions', 'audience', 'confirmation'],
  time: [
    'issue_instant',
    'confirmed_time',
    'conditions_time',
    'authn_statement',
    'session_end',
    'id_token_time',
    'auth_time',
  ],
  context: ['authn_context'],
  subject: ['sub', 'assertion_id', 'name_id', 'name_id_format', 'attributes'],
  account: ['account', 'replay'],
}

interface Check {
  readonly name: CheckName
  /** `open` if an earlier problem kept the service from checking. */
  readonly state: 'works' | 'change' | 'open'
  /** The checks of the service that failed. */
  readonly failed: readonly DiagnosisCheck[]
}

/** Sums up what the service checked in a test. */
const toChecks = ({ checks }: TestedKind, { steps }: Pick<ConnectionTestResult, 'steps'>): readonly Check[] =>
  checks.map((name) => {
    const own = steps.filter((tested) => findCheck(tested, checks) === name)
    const failed = own.filter(({ outcome }) => outcome === 'failed')
    const isOpen = own.length === 0 || own.some(isOpenCheck)
    return { name, failed, state: failed.length > 0 ? 'change' : isOpen ? 'open' : 'works' }
  })

/** The second verifier only runs if everything else worked. What it confirms has a check of its own. */
const isOpenCheck = ({ name, outcome }: DiagnosisCheck): boolean =>
  outcome === 'skipped' && name !== 'second_verifier'

const findCheck = ({ name }: DiagnosisCheck, checks: readonly CheckName[]): CheckName | undefined =>
  checks.find((check) => partsOf[check]?.includes(name)) ?? checks[0]
