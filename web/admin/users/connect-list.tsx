import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { FieldFrame, TextAreaField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { formatList } from '../../kit/format.ts'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { FailureAlert } from '../kit/failure-alert.tsx'
import { Panel } from '../kit/panel.tsx'
import { toAddress } from '../kit/route.ts'
import { RunDialog } from '../kit/run-dialog.tsx'
import { findEach, maxNames } from './find-several.tsx'

/** One line of a list that connects users to accounts at an identity provider. */
interface NamePair {
  /** The username or email address here. */
  readonly user: string
  /** The name that the provider sends. */
  readonly name: string
}

/** What a list says. */
interface NamePairs {
  readonly pairs: readonly NamePair[]
  /** The numbers of the lines that cannot be read, counted from 1. */
  readonly wrongLines: readonly number[]
}

/**
 * Reads a list with a user and a name in each line, with a comma, a semicolon or a tab between them, such as from a table
 * program. Quotation marks around a field are left out. A name can contain the separator.
 */
const readNamePairs = (text: string): NamePairs => {
  const lines = text.split(/\r\n|\n|\r/).map((line, at) => ({ line: line.trim(), number: at + 1 }))
  const read = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => ({ number, pair: readPair(line) }))
  return {
    pairs: read.flatMap(({ pair }) => pair ?? []),
    wrongLines: read.flatMap(({ pair, number }) => (pair ? [] : number)),
  }
}

const readPair = (line: string): NamePair | undefined => {
  const [, user = '', name = ''] = /^([^,;\t]+)[,;\t](.+)$/.exec(line) ?? []
  const pair = { user: unquote(user), name: unquote(name) }
  return pair.user === '' || pair.name === '' ? undefined : pair
}

const unquote = (text: string): string => {
  const trimmed = text.trim()
  const [, inner] = /^"(.*)"$/.exec(trimmed) ?? []
  return inner === undefined ? trimmed : inner.replaceAll('""', '"').trim()
}

const people = messagesOf('people')
const users = messagesOf('users')
const t = messagesOf('connectList')

/** A user, and the name that the provider sends for them. */
interface Connection {
  readonly user: ServiceUserDetail
  readonly name: string
}

/** Connects the accounts of a company to users before their first sign-in, from a list. */
export const ConnectListPanel = ({ providerId }: { readonly providerId: number }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel heading={t('heading')} intro={t('intro')}>
      <div class="row">
        <Button look="secondary" onClick={() => setOpen(true)}>
          {t('open')}
        </Button>
      </div>
      {isOpen && (
        <RunDialog<Connection, undefined>
          heading={t('heading')}
          ask={(start, close) => <ListForm onRead={(found) => start(found, undefined)} onClose={close} />}
          work={({ user, name }) =>
            client.users.linkUserCompanyAccount(user.id, { provider: providerId, name })
          }
          show={({ user, name }) => (
            <span>
              <a href={toAddress('users', [user.id])}>{user.username}</a>: {name}
            </span>
          )}
          failures={{
            account_taken: users('accountTaken'),
            permission_denied: people('notAllowedForUser'),
          }}
          done={(count) => t('done', { count })}
          onEnd={() => setOpen(false)}
        />
      )}
    </Panel>
  )
}

interface ListFormProps {
  readonly onRead: (found: readonly Connection[]) => void
  readonly onClose: () => void
}

/** Reads the list and finds its users. Shows how many there are before anything is connected. */
const ListForm = ({ onRead, onClose }: ListFormProps) => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const [found, setFound] = useState<readonly Connection[] | undefined>()
  const find = useConfirmedAction(async () => {
    const { pairs, wrongLines } = readNamePairs(text)
    setProblem('')
    if (wrongLines.length > 0) setProblem(t('wrongLines', { lines: formatList(wrongLines.map(String)) }))
    else if (pairs.length === 0) setProblem(kitText('required'))
    else if (pairs.length > maxNames) setProblem(users('tooManyNames', { count: maxNames }))
    else {
      const connections = await findUsers(pairs)
      if (typeof connections === 'string') setProblem(connections)
      else setFound(connections)
    }
    return undefined
  })
  if (found)
    return (
      <Form isRunning={false} onSubmit={() => onRead(found)}>
        <p>{t('question', { count: found.length })}</p>
        <ul class="items">
          {found.slice(0, shownPairs).map(({ user, name }) => (
            <li key={user.id}>
              {user.username}: {name}
            </li>
          ))}
        </ul>
        <div class="row">
          <Button type="submit">{t('connect')}</Button>
          <Button look="secondary" onClick={() => setFound(undefined)}>
            {kitText('back')}
          </Button>
        </div>
      </Form>
    )
  return (
    <Form isRunning={find.isRunning} onSubmit={() => void find.run()}>
      <TextAreaField label={t('list')} hint={t('listHint')} rows={8} value={text} onChangeValue={setText} />
      <FieldFrame label={t('file')}>
        {(attributes) => (
          <input
            {...attributes}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={async (event) => setText((await event.currentTarget.files?.[0]?.text()) ?? '')}
          />
        )}
      </FieldFrame>
      <Alert kind="problem">{problem}</Alert>
      <FailureAlert failure={find.failure} />
      <div class="row">
        <Button type="submit">{t('check')}</Button>
        <Button look="secondary" onClick={onClose}>
          {kitText('cancel')}
        </Button>
      </div>
    </Form>
  )
}

/** More would hide the button. */
const shownPairs = 5
const shownProblems = 10

/** The users of the list, or a sentence about those who do not exist. */
const findUsers = async (
  pairs: ReturnType<typeof readNamePairs>['pairs'],
): Promise<readonly Connection[] | string> => {
  const names = [...new Set(pairs.map(({ user }) => user))]
  const { byName } = await findEach(names, { signal: new AbortController().signal })
  const unclear = names.filter((name) => !byName.has(name)).slice(0, shownProblems)
  if (unclear.length > 0) return t('missing', { names: formatList(unclear) })
  return pairs.flatMap(({ user, name }) => {
    const one = byName.get(user)
    return one ? [{ user: one, name }] : []
  })
}
