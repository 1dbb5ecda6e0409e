import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { PasswordField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import type { LinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import {
  describeRefusal,
  describeUser,
  findPerson,
  isAboutPassword,
  type Link,
  type Refusal,
  redeemLink,
  type User,
} from './views.ts'

const t = messagesOf('link')

interface ClosedLinkProps {
  readonly token: string
  readonly link: Link
  readonly user: User | undefined
  readonly onOpened: (link: Link, opened: Pick<LinkState, 'sessionKey' | 'redirect'>) => Promise<void>
}

/** Who shares what, and the button that opens it. Only the button does, because email scanners also run scripts. */
export const ClosedLink = ({ token, link, user, onOpened }: ClosedLinkProps) => {
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  const person = findPerson(link, user)
  const open = useAction(async () => {
    setRefusal(undefined)
    const response = await redeemLink(token, password)
    if (!response.isOk) {
      setRefusal(response.status === 404 ? { problem: t('invalid') } : await describeRefusal(response))
      if (isAboutPassword(response)) focusField('link-password')
      return undefined
    }
    const { session_key: sessionKey, redirect } = response.body
    await onOpened(link, {
      ...(person || redirect ? { sessionKey } : {}),
      ...(redirect ? { redirect } : {}),
    })
    return undefined
  })
  return (
    <>
      <p role="status">{describeLink(link, user, person)}</p>
      <SharedItems names={link.shared_items} />
      <Form isRunning={open.isRunning} onSubmit={open.run}>
        {link.has_password && (
          <PasswordField
            label={t('linkPassword')}
            name="link-password"
            value={password}
            onChangeValue={setPassword}
            autocomplete="off"
            required
          />
        )}
        <Alert kind="problem">{refusal?.problem}</Alert>
        <Button type="submit">
          {link.product === null ? t('open') : t('openIn', { product: link.product })}
        </Button>
      </Form>
      {/* The token is in the fragment. After the sign-in, the page leads back to this link. */}
      {refusal?.signInLabel !== undefined && (
        <a href={`/${describeProduct(link)}#link=${token}`}>{refusal.signInLabel}</a>
      )}
    </>
  )
}

/** The sign-in page has the brand of the product, too. */
const describeProduct = ({ product }: Link): string =>
  product === null ? '' : `?${new URLSearchParams({ product })}`

const describeLink = (link: Link, user: User | undefined, person: User | undefined): string => {
  return [
    t('shared', { name: describeSharer(link) }),
    ...(user ? [t('signedInAs', { name: describeUser(user) })] : []),
    ...(person ? [t('staySignedIn')] : []),
  ].join(' ')
}

const describeSharer = ({ shared_by: name, organization_name: organization }: Link): string =>
  organization === undefined ? name : `${name} (${organization})`

interface SharedItemsProps {
  readonly names: readonly string[]
}

/** What the link shares. Empty if only the recipient may see the names. */
export const SharedItems = ({ names }: SharedItemsProps) =>
  names.length === 0 ? null : (
    <div>
      <p class="label">{t('sharedItems')}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
