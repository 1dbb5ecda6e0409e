import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { FormDialog } from '../../kit/dialog.tsx'
import { TextAreaField } from '../../kit/field.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { runForEach } from '../kit/run-for-each.ts'

const t = messagesOf('users')

/** Each is looked up with a call. */
export const maxNames = 500

/** The usernames and addresses in a text: one per line, or as mail programs list recipients. */
export const splitNames = (text: string): readonly string[] => {
  const parts = text.split(/[\n\r\t;,]+/).map((part) => (part.match(/<([^<>]+)>/)?.[1] ?? part).trim())
  return [...new Set(parts.filter((part) => part !== ''))]
}

/** Whether a pasted text is a list, and not a name with a comma. */
export const isList = (text: string): boolean => /[\n\r\t;]/.test(text.trim()) || text.split('@').length > 2

interface FindSeveralProps {
  /** What the person pasted already. */
  readonly pasted: string
  readonly onFind: (names: readonly string[]) => void
  readonly onClose: () => void
}

/** Asks for the users of a list from elsewhere, such as everyone who leaves this month. */
export const FindSeveral = ({ pasted, onFind, onClose }: FindSeveralProps) => {
  const [text, setText] = useState(pasted)
  const [problem, setProblem] = useState('')
  return (
    <FormDialog
      heading={t('findSeveral')}
      action={t('find')}
      isRunning={false}
      onSubmit={() => {
        const names = splitNames(text)
        if (names.length === 0) setProblem(kitText('required'))
        else if (names.length > maxNames) setProblem(t('tooManyNames', { count: maxNames }))
        else onFind(names)
      }}
      onClose={onClose}
    >
      <TextAreaField
        label={t('names')}
        hint={t('namesHint')}
        problem={problem}
        rows={8}
        value={text}
        onChangeValue={setText}
      />
    </FormDialog>
  )
}

interface FoundUsers {
  readonly users: readonly ServiceUserDetail[]
  /** The one user of each name. */
  readonly byName: ReadonlyMap<string, ServiceUserDetail>
  /** The names that no user has. */
  readonly missing: readonly string[]
}

/** Looks up users by their exact usernames or email addresses. */
export const findEach = async (
  names: readonly string[],
  { signal }: { readonly signal: AbortSignal },
): Promise<FoundUsers> => {
  const found = new Map<string, readonly ServiceUserDetail[]>()
  const { failed } = await runForEach(
    names,
    async (name) => found.set(name, await findByName(name, signal)),
    { signal },
  )
  if (failed[0]) throw failed[0].error
  const users = new Map(names.flatMap((name) => found.get(name) ?? []).map((user) => [user.id, user]))
  const byName = new Map(
    [...found].flatMap(([name, [user, ...others]]) => (user && others.length === 0 ? [[name, user]] : [])),
  )
  return { users: [...users.values()], byName, missing: names.filter((name) => !found.get(name)?.length) }
}

const findByName = async (name: string, signal: AbortSignal): Promise<readonly ServiceUserDetail[]> => {
  const find = async (by: { readonly email: string } | { readonly username: string }) =>
    (await client.users.listUsers({ ...by, include_effective_permissions: false }, { signal })).items
  // A username may look like an address.
  const users = name.includes('@') ? await find({ email: name }) : []
  return users.length > 0 ? users : find({ username: name })
}
