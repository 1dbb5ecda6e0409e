import type { OwnedAPIToken } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { DataList } from '../kit/data-list.tsx'
import { replaceQuery, toAddress } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { UserName, UserPicker } from '../people/user-picker.tsx'
import { buildTokenColumns } from './token-columns.tsx'
import { useRevocation } from './use-revocation.tsx'

const t = messagesOf('apiTokens')

/** The API tokens of all users, newest first, with a search for the owner. */
export const AllTokens = () => {
  const list = useList((page, options) => client.apiTokens.listApiTokensOfAllUsers(page, options))
  const { revoke, dialog } = useRevocation<OwnedAPIToken>(({ user }) => user.id, list.reload)
  const [name, ...others] = buildTokenColumns(revoke)
  const owner = {
    name: 'owner',
    header: t('owner'),
    cell: ({ user }: OwnedAPIToken) => (
      <a href={toAddress('users', [user.id])}>
        <UserName user={user} />
      </a>
    ),
  }
  return (
    <SectionPage heading={t('heading')} intro={t('intro')}>
      <UserPicker
        label={t('findOwner')}
        action={t('show')}
        onPick={({ id }) => replaceQuery({ user: String(id) })}
      />
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={[name, owner, ...others]}
        empty={<p>{t('emptyAll')}</p>}
      />
      {dialog}
    </SectionPage>
  )
}
