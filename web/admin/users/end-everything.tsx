import { useState } from 'preact/hooks'
import type {
  APIToken,
  EndedHoldings,
  ServiceUserDetail,
  UserHoldings,
} from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { focusHeading } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/field.tsx'
import { formatDateTime, formatList, formatNumber } from '../../kit/format.ts'
import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { ShowLoaded } from '../kit/load-state.tsx'
import { Facts, type FactsProps, Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { showToast } from '../kit/toast.tsx'
import { isKeepable, UsedByOthers } from './used-by-others.tsx'

const people = messagesOf('people')
const users = messagesOf('users')
const kinds = messagesOf('holdings')
const t = messagesOf('leaver')

/** For a person who leaves: what others may use of theirs, what ends, and afterwards what has ended. */
export const EndEverything = ({ id }: { readonly id: number }) => {
  const loaded = useLoaded((options) =>
    Promise.all([client.users.getUser(id, {}, options), client.leaks.getUserHoldings(id, options)]),
  )
  const [ended, setEnded] = useState<EndedHoldings | undefined>()
  const [kept, setKept] = useState<readonly number[]>([])
  const keep = (token: number, isKept: boolean) =>
    setKept((before) => [...before.filter((one) => one !== token), ...(isKept ? [token] : [])])
  return (
    <ShowLoaded loaded={loaded}>
      {([user, holdings]) => (
        <SectionPage
          heading={t('heading', { name: user.display_name })}
          parent={{ address: toAddress('users', [id]), label: user.display_name }}
          intro={t('intro')}
        >
          {ended ? (
            <Result user={user} ended={ended} onDisable={() => void loaded.reload()} />
          ) : (
            <>
              <UsedByOthers
                user={user}
                holdings={holdings}
                kept={kept}
                onKeep={keep}
                onChange={() => void loaded.reload()}
              />
              <WhatEnds
                user={user}
                holdings={holdings}
                kept={holdings.api_tokens.filter(
                  (token) => kept.includes(token.id) && isKeepable(user, token),
                )}
                onEnd={setEnded}
              />
            </>
          )}
        </SectionPage>
      )}
    </ShowLoaded>
  )
}

const isKnown = (kind: string): kind is keyof Catalogues['holdings'] => listNames('holdings').includes(kind)

/** A newer service can have kinds that this page does not know. */
const nameKind = (kind: string): string => (isKnown(kind) ? kinds(kind) : kind)

/** A row for each kind with a text, and one that names the others. */
const listHeld = <Kind extends { readonly kind: string }>(
  counted: readonly Kind[],
  describe: (kind: Kind) => string | undefined,
): FactsProps['facts'] => {
  const rows = counted.map((one) => ({ label: nameKind(one.kind), value: describe(one) }))
  const none = rows.flatMap(({ label, value }) => (value === undefined ? [label] : []))
  return [
    ...rows.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }])),
    ...(none.length > 0 ? [{ label: t('none'), value: formatList(none) }] : []),
  ]
}

interface WhatEndsProps {
  readonly user: ServiceUserDetail
  readonly holdings: UserHoldings
  /** The API tokens that keep working for some days. */
  readonly kept: readonly APIToken[]
  readonly onEnd: (ended: EndedHoldings) => void
}

const WhatEnds = ({ user, holdings, kept, onEnd }: WhatEndsProps) => {
  const [password, setPassword] = useState(false)
  const [passkeys, setPasskeys] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const name = user.display_name
  const counted = holdings.kinds.flatMap(({ kind, count, ends }) =>
    count === null ? [] : [{ kind, count, ends }],
  )
  const end = async (): Promise<undefined> => {
    const request = { password, passkeys, kept_api_tokens: kept.map(({ id }) => id) }
    const first = await client.leaks.endUserHoldings(user.id, request)
    let last = first
    // A person can have more links than one request has time for.
    while (!last.is_complete) last = await client.leaks.endUserHoldings(user.id, request)
    const left = new Map(last.kinds.map(({ kind, after }) => [kind, after]))
    onEnd({ ...last, kinds: first.kinds.map((one) => ({ ...one, after: left.get(one.kind) ?? one.after })) })
    showToast(t('ended', { name }))
    focusHeading()
    return undefined
  }
  return (
    <Panel heading={t('whatEnds')} intro={t('shortLived')}>
      <Facts
        facts={listHeld(
          counted.filter(({ ends }) => ends === 'always'),
          ({ count }) => (count === 0 ? undefined : formatNumber(count)),
        )}
      />
      <Checkbox
        label={t('endPassword')}
        hint={t('endPasswordHint', { name })}
        isChecked={password}
        onChange={setPassword}
      />
      <Checkbox
        label={t('endPasskeys', { count: counted.find(({ kind }) => kind === 'passkey')?.count ?? 0 })}
        isChecked={passkeys}
        onChange={setPasskeys}
      />
      <KeptTokens tokens={kept} />
      <p class="note">{t('stays')}</p>
      <div class="row">
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('endEverything')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          heading={t('heading', { name })}
          action={t('endEverything')}
          typed={user.username}
          failures={{
            permission_denied: people('notAllowedForUser'),
            invalid_request: t('tokensChanged'),
          }}
          onConfirm={end}
          onClose={() => setAsking(false)}
        >
          <p>{t('confirm')}</p>
          <KeptTokens tokens={kept} />
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** The API tokens that work until a day, with what ends them earlier. */
const KeptTokens = ({ tokens }: { readonly tokens: readonly APIToken[] }) => {
  if (tokens.length === 0) return null
  return (
    <div>
      <p>{t('kept', { count: tokens.length })}</p>
      <ul>
        {tokens.map(({ id, name, expires }) => (
          <li key={id}>{t('keptUntil', { name, time: expires === null ? '' : formatDateTime(expires) })}</li>
        ))}
      </ul>
      <p class="note">{t('keptNote')}</p>
    </div>
  )
}

interface ResultProps {
  readonly user: ServiceUserDetail
  readonly ended: EndedHoldings
  readonly onDisable: () => void
}

/** How many there were of each kind, and how many are left. The account itself can be disabled next to it. */
const Result = ({ user, ended, onDisable }: ResultProps) => {
  const [isAsking, setAsking] = useState(false)
  const name = user.display_name
  return (
    <>
      <Panel heading={t('hasEnded')}>
        <Facts
          facts={listHeld(
            ended.kinds.filter(({ before }) => before !== null),
            ({ before, after }) =>
              before === 0 && after === 0
                ? undefined
                : t('fromTo', { before: formatNumber(before ?? 0), after: formatNumber(after ?? 0) }),
          )}
        />
        <KeptTokens tokens={ended.kept_api_tokens} />
      </Panel>
      <Panel heading={t('account')}>
        {user.is_enabled ? (
          <>
            <p>{t('stillEnabled', { name })}</p>
            <div class="row">
              <Button look="danger" onClick={() => setAsking(true)}>
                {users('disable')}
              </Button>
            </div>
          </>
        ) : (
          <Alert kind="success">{users('disableDone')}</Alert>
        )}
        {isAsking && (
          <ConfirmDialog
            heading={users('disable')}
            action={users('disable')}
            failures={{ permission_denied: people('notAllowedForUser') }}
            onConfirm={async () => {
              await client.users.patchUser(user.id, { is_enabled: false })
              onDisable()
              return undefined
            }}
            onClose={() => setAsking(false)}
          >
            <p>{users('disableText', { name })}</p>
            {ended.kept_api_tokens.length > 0 && <p>{t('disableEndsKept')}</p>}
          </ConfirmDialog>
        )}
      </Panel>
    </>
  )
}
